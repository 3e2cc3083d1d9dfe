// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: how much a pulse is in a recording, at every delay, by transforms. Four faults.

#include "find_the_echo.hpp"

#include <thrust/complex.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include <algorithm>

#include "07_fft_convolution/host/fft_length.hpp"
#include "07_fft_convolution/kernels/fft_plan.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

using complex = thrust::complex<float>;
constexpr int threads_per_block = 128;
int grid(int size) { return (size + threads_per_block - 1) / threads_per_block; }

/// to[i] = from[i], and zeros behind it; i in [0, length).
__global__ void pad_kernel(const float* from, int size, float* to, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) to[i] = i < size ? from[i] : 0.0f;
}

/// values[0, size) backwards, in place.
__global__ void reverse_kernel(float* values, int size) {
  // TODO: reverse_kernel: is every line right? (about 6 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) values[i] = values[size - 1 - i];
}

/// to[i] = from[i], i in [0, size).
__global__ void take_kernel(const float* from, float* to, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) to[i] = from[i];
}

struct product {
  float scale;
  __host__ __device__ complex operator()(complex x, complex h) const { return scale * (x * h); }
};

}  // namespace

void correlate_by_transform(device_span<const float> x, device_span<const float> h, device_span<float> y) {
  // TODO: and here, is every line right? (about 24 lines)
  const int samples = static_cast<int>(x.size()), taps = static_cast<int>(h.size());
  const int outputs = static_cast<int>(y.size());
  // A convolution with the pulse backwards. The end of the circle comes around to its places 0 to
  // taps - 2, where the pulse is not wholly within the recording. Nothing is wanted there, so N places
  // are enough.
  const int length = static_cast<int>(good_fft_length(x.size()));
  const int bins = length / 2;
  fft_plan<float> forward(fft_kind::real_to_complex, length, 1, length, bins);
  fft_plan<float> back(fft_kind::complex_to_real, length, 1, bins, length);
  device_buffer<unsigned char> work_area(std::max(forward.work_bytes(), back.work_bytes()));
  forward.use(work_area);
  back.use(work_area);
  device_buffer<float> padded(static_cast<std::size_t>(length));
  device_buffer<cufftComplex> x_spectrum(static_cast<std::size_t>(bins)),
      h_spectrum(static_cast<std::size_t>(bins));
  pad_kernel<<<grid(length), threads_per_block>>>(x.data(), samples, padded.data(), length);
  forward.to_complex(padded.data(), x_spectrum.data());
  pad_kernel<<<grid(taps), threads_per_block>>>(h.data(), taps, padded.data(), length);
  reverse_kernel<<<grid(taps), threads_per_block>>>(padded.data(), taps);
  forward.to_complex(padded.data(), h_spectrum.data());
  check(cudaGetLastError());
  complex* const x_begin = reinterpret_cast<complex*>(x_spectrum.data());
  complex* const h_begin = reinterpret_cast<complex*>(h_spectrum.data());
  thrust::transform(thrust::device, x_begin, x_begin + bins, h_begin, x_begin, product{1.0f / float(length)});
  back.to_real(x_spectrum.data(), padded.data());
  take_kernel<<<grid(outputs), threads_per_block>>>(padded.data(), y.data(), outputs);
  check(cudaGetLastError());
}

}  // namespace tutorial
