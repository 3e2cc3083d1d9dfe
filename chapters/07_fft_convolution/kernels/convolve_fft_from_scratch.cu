// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// An FFT convolution that makes everything anew in every call: right, and mostly preparation.
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/transform.h>

#include <bit>

#include "common/device/check.hpp"
#include "convolve_fft.hpp"
#include "scaled_product.cuh"

namespace tutorial {
namespace {

/// Plans as cufftPlan1d() makes them, with work areas of their own.
class simple_plan {
 public:
  simple_plan(int length, cufftType type) { check(cufftPlan1d(&handle_, length, type, 1)); }
  simple_plan(const simple_plan&) = delete;
  ~simple_plan() { cufftDestroy(handle_); }
  operator cufftHandle() const { return handle_; }

 private:
  cufftHandle handle_ = 0;
};

void forward(cufftHandle plan, float* in, cufftComplex* out) { check(cufftExecR2C(plan, in, out)); }
void forward(cufftHandle plan, double* in, cufftDoubleComplex* out) { check(cufftExecD2Z(plan, in, out)); }
void back(cufftHandle plan, cufftComplex* in, float* out) { check(cufftExecC2R(plan, in, out)); }
void back(cufftHandle plan, cufftDoubleComplex* in, double* out) { check(cufftExecZ2D(plan, in, out)); }

}  // namespace

// [scratch]
template <class T>
void convolve_fft_from_scratch(device_span<const T> x, device_span<const T> h, device_span<T> y,
                               convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const std::size_t full = x.size() + h.size() - 1;
  if (full >= std::size_t{1} << 30)
    throw std::length_error("too long for one transform: it may have at most 2^30 samples");
  const int length = int(std::bit_floor(full) * 2), bins = length / 2 + 1;

  thrust::device_vector<T> signal(length), filter(length), result(length);  // all zero
  thrust::device_vector<thrust::complex<T>> signal_spectrum(bins), filter_spectrum(bins);
  const auto begin = [](auto span) { return thrust::device_pointer_cast(span.data()); };
  thrust::copy(begin(x), begin(x) + x.size(), signal.begin());
  thrust::copy(begin(h), begin(h) + h.size(), filter.begin());

  const auto raw = [](auto& vector) { return thrust::raw_pointer_cast(vector.data()); };
  const auto spectrum = [&](auto& vector) { return reinterpret_cast<fft_complex<T>*>(raw(vector)); };
  const simple_plan to_complex(length, sizeof(T) == 4 ? CUFFT_R2C : CUFFT_D2Z);
  const simple_plan to_real(length, sizeof(T) == 4 ? CUFFT_C2R : CUFFT_Z2D);
  forward(to_complex, raw(signal), spectrum(signal_spectrum));
  forward(to_complex, raw(filter), spectrum(filter_spectrum));
  thrust::transform(signal_spectrum.begin(), signal_spectrum.end(), filter_spectrum.begin(),
                    signal_spectrum.begin(), scaled_product<T>{T(1) / T(length)});
  back(to_real, spectrum(signal_spectrum), raw(result));

  const auto first = result.begin() + std::ptrdiff_t(first_output(x.size(), h.size(), mode));
  thrust::copy(first, first + std::ptrdiff_t(y.size()), begin(y));
}
// [scratch]

template void convolve_fft_from_scratch<float>(device_span<const float>, device_span<const float>,
                                               device_span<float>, convolution_mode);
template void convolve_fft_from_scratch<double>(device_span<const double>, device_span<const double>,
                                                device_span<double>, convolution_mode);

}  // namespace tutorial
