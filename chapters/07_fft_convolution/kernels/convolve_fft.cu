// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The convolution theorem with cuFFT and Thrust: pad, transform, multiply, transform back, cut.
#include "convolve_fft.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/transform.h>

#include <algorithm>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "scaled_product.cuh"
#include "thrust_policy.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
constexpr int elements_per_thread = 4;  // as many loads under way at once
constexpr int elements_per_block = threads_per_block * elements_per_thread;

// [copy]
/// Row by row: to[i] = from[from_first + i], and 0 where that is behind the row; i in [0, to_size).
template <class T>
__global__ void copy_rows_kernel(const T* __restrict__ from, int from_size, int from_distance, int from_first,
                                 T* __restrict__ to, int to_size, int to_distance) {
  const T* const source = from + std::int64_t{from_distance} * blockIdx.y;
  T* const target = to + std::int64_t{to_distance} * blockIdx.y;
  const int begin = blockIdx.x * elements_per_block + threadIdx.x;
#pragma unroll
  for (int e = 0; e < elements_per_thread; ++e) {
    const int i = begin + e * threads_per_block;
    if (i < to_size) target[i] = from_first + i < from_size ? source[from_first + i] : T{};
  }
}
// [copy]

/// Rows of an array of `distance` elements each, of which `size` are of interest, from `first` on.
template <class T>
struct rows {
  T* data;
  int size, distance, first = 0;
};

template <class T>
void copy_rows(rows<const T> from, rows<T> to, int count, cudaStream_t stream = nullptr) {
  const dim3 blocks(ceil_div(to.size, elements_per_block), count);
  copy_rows_kernel<<<blocks, threads_per_block, 0, stream>>>(from.data, from.size, from.distance, from.first,
                                                             to.data, to.size, to.distance);
  check(cudaGetLastError());
}

/// i -> i mod bins: the filter's spectrum once more for every signal.
struct around {
  int bins;
  __host__ __device__ int operator()(int i) const { return i % bins; }
};

}  // namespace

// [prepare]
template <class T>
fft_convolver<T>::fft_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode,
                                std::size_t signals, fft_length_rule rule) {
  const std::size_t outputs = output_length(samples, h.size(), mode);
  const std::size_t length = fft_length(output_length(samples, h.size(), convolution_mode::full), rule);
  if (signals == 0 || signals > 65535 || length * signals > std::size_t{1} << 30)
    throw std::invalid_argument(
        "too many signals for one object: it takes at most 65,535, and 2^30 padded samples");
  samples_ = int(samples), taps_ = int(h.size()), outputs_ = int(outputs), signals_ = int(signals);
  first_ = int(first_output(samples, h.size(), mode));
  length_ = int(length), bins_ = length_ / 2 + 1;
  forward_ = fft_plan<T>(fft_kind::real_to_complex, length_, signals_, length_, bins_);
  back_ = fft_plan<T>(fft_kind::complex_to_real, length_, signals_, bins_, length_);
  fft_plan<T> for_filter(fft_kind::real_to_complex, length_, 1, length_, bins_);
  work_area_ = device_buffer<unsigned char>(
      std::max({forward_.work_bytes(), back_.work_bytes(), for_filter.work_bytes()}));
  for (fft_plan<T>* plan : {&forward_, &back_, &for_filter}) plan->use(work_area_);
  padded_ = device_buffer<T>(length * signals);
  spectra_ = device_buffer<fft_complex<T>>(std::size_t(bins_) * signals);
  filter_ = device_buffer<fft_complex<T>>(bins_);

  copy_rows<T>({h.data(), taps_, taps_}, {padded_.data(), length_, length_}, 1);
  for_filter.to_complex(padded_.data(), filter_.data());
  check(cudaDeviceSynchronize());  // the filter's plan is destroyed here
}
// [prepare]

// [convolve]
template <class T>
void fft_convolver<T>::operator()(device_span<const T> x, device_span<T> y, cudaStream_t stream) {
  if (x.size() != std::size_t(samples_) * signals_ || y.size() != std::size_t(outputs_) * signals_)
    throw std::invalid_argument("this object was made for other lengths");
  copy_rows<T>({x.data(), samples_, samples_}, {padded_.data(), length_, length_}, signals_, stream);
  forward_.in(stream), back_.in(stream);
  forward_.to_complex(padded_.data(), spectra_.data());

  const auto bin = thrust::make_transform_iterator(thrust::make_counting_iterator(0), around{bins_});
  const auto filter = thrust::make_permutation_iterator(as_thrust<T>(filter_.data()), bin);
  auto* const spectra = as_thrust<T>(spectra_.data());
  thrust::transform(enqueued(stream), spectra, spectra + spectra_.size(), filter, spectra,
                    scaled_product<T>{T(1) / T(length_)});

  back_.to_real(spectra_.data(), padded_.data());
  copy_rows<T>({padded_.data(), length_, length_, first_}, {y.data(), outputs_, outputs_}, signals_, stream);
}
// [convolve]

template <class T>
void convolve_fft(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  fft_convolver<T> convolve(h, x.size(), mode);
  convolve(x, y);
  check(cudaDeviceSynchronize());  // what it works with goes away
}

template class fft_convolver<float>;
template class fft_convolver<double>;
template void convolve_fft<float>(device_span<const float>, device_span<const float>, device_span<float>,
                                  convolution_mode);
template void convolve_fft<double>(device_span<const double>, device_span<const double>, device_span<double>,
                                   convolution_mode);

}  // namespace tutorial
