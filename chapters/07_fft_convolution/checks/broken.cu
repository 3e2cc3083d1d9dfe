// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One convolution of blocks with a switch for each mistake; a block that holds all is the whole signal.
#include "broken.hpp"

#include <algorithm>

#include "07_fft_convolution/host/fft_length.hpp"
#include "07_fft_convolution/kernels/fft_plan.hpp"
#include "07_fft_convolution/kernels/scaled_product.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial::broken {
namespace {

/// to[p] = x[begin + p], p in [0, length), zero where there is none.
template <class T>
__global__ void cut_kernel(const T* x, int samples, int begin, T* to, int length) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < length) to[p] = 0 <= begin + p && begin + p < samples ? x[begin + p] : T{};
}

template <class T>
__global__ void multiply_kernel(thrust::complex<T>* x, const thrust::complex<T>* h, int bins, T scale,
                                bool conjugated) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < bins) x[k] = scale * (x[k] * (conjugated ? conj(h[k]) : h[k]));
}

template <class T>
__global__ void paste_kernel(const T* from, T* y, int count) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) y[p] = from[p];
}

constexpr int threads_per_block = 128;
int grid(int size) { return ceil_div(size, threads_per_block); }

}  // namespace

template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode) {
  const int samples = int(x.size()), taps = int(h.size()), outputs = int(y.size());
  const int first = made == mistake::mode_from_zero ? 0 : int(first_output(x.size(), h.size(), mode));
  const bool blocks = made >= mistake::blocks_not_overlapping;
  const int whole = made == mistake::no_room ? std::max(samples, taps) : samples + taps - 1;
  const int length = int(fft_length(std::size_t(blocks ? 4 * taps : whole), fft_length_rule::smallest));
  const int bins = length / 2 + 1;
  int overlap = blocks ? taps - 1 : first;
  if (made == mistake::blocks_not_overlapping) overlap = 0;
  if (made == mistake::overlap_one_short) overlap = std::max(0, taps - 2);
  const int step = blocks ? length - overlap : outputs;

  fft_plan<T> forward(fft_kind::real_to_complex, length, 1, length, bins);
  fft_plan<T> back(fft_kind::complex_to_real, length, 1, bins, length);
  device_buffer<unsigned char> work_area(std::max(forward.work_bytes(), back.work_bytes()));
  forward.use(work_area), back.use(work_area);
  device_buffer<T> padded(std::size_t(length) + outputs);  // room to read an output that no transform has
  check(cudaMemset(padded.data(), 0, padded.size() * sizeof(T)));
  device_buffer<fft_complex<T>> filter(bins), spectrum(bins);
  cut_kernel<<<grid(length), threads_per_block>>>(h.data(), taps, 0, padded.data(), length);
  forward.to_complex(padded.data(), filter.data());

  const T scale = made == mistake::scale_forgotten   ? T(1)
                  : made == mistake::scale_of_signal ? T(1) / T(samples)
                                                     : T(1) / T(length);
  const int frequencies = made == mistake::spectrum_not_whole ? bins - 1 : bins;
  for (int i = 0; i < outputs; i += step) {
    if (made == mistake::last_block_forgotten && i + step > outputs) break;
    cut_kernel<<<grid(length), threads_per_block>>>(x.data(), samples, first + i - overlap, padded.data(),
                                                    length);
    forward.to_complex(padded.data(), spectrum.data());
    multiply_kernel<T><<<grid(frequencies), threads_per_block>>>(as_thrust<T>(spectrum.data()),
                                                                 as_thrust<T>(filter.data()), frequencies,
                                                                 scale, made == mistake::conjugated);
    back.to_real(spectrum.data(), padded.data());
    const int count = std::min(step, outputs - i);
    paste_kernel<<<grid(count), threads_per_block>>>(padded.data() + overlap, y.data() + i, count);
    check(cudaGetLastError());
  }
  check(cudaDeviceSynchronize());
}

template void convolve<float>(mistake, device_span<const float>, device_span<const float>, device_span<float>,
                              convolution_mode);
template void convolve<double>(mistake, device_span<const double>, device_span<const double>,
                               device_span<double>, convolution_mode);

}  // namespace tutorial::broken
