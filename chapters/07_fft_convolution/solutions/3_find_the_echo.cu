// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Exercise 3: how much a pulse is in a recording, at every delay, by transforms; nearly right.

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
  // SOLUTION: who may write? (about 1 line)
  // STARTER: to[i] = i < size ? from[i] : 0.0f;
  if (i < length) to[i] = i < size ? from[i] : 0.0f;
  // END SOLUTION
}

/// values[0, size) backwards, in place.
__global__ void reverse_kernel(float* values, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // SOLUTION: who reads what somebody else writes? (about 5 lines)
  // STARTER: if (i < size) values[i] = values[size - 1 - i];
  if (i < size / 2) {  // two elements for each thread, and no other touches them; the one in the middle stays
    const float front = values[i], back = values[size - 1 - i];
    values[i] = back;
    values[size - 1 - i] = front;
  }
  // END SOLUTION
}

struct product {
  float scale;
  __host__ __device__ complex operator()(complex x, complex h) const { return scale * (x * h); }
};

}  // namespace

void correlate_by_transform(device_span<const float> x, device_span<const float> h, device_span<float> y) {
  const int samples = static_cast<int>(x.size()), taps = static_cast<int>(h.size());
  // A convolution with the pulse backwards. What goes around in the circle falls on its places 0 to taps - 2,
  // where the pulse is not wholly within the recording: nobody needs them, and N places are enough.
  const int length = static_cast<int>(good_fft_length(x.size()));
  // SOLUTION: how many numbers has the spectrum of that many real ones? (about 1 line)
  // STARTER: const int bins = length / 2;
  const int bins = length / 2 + 1;
  // END SOLUTION
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
  pad_kernel<<<grid(length), threads_per_block>>>(h.data(), taps, padded.data(), length);
  reverse_kernel<<<grid(taps), threads_per_block>>>(padded.data(), taps);
  forward.to_complex(padded.data(), h_spectrum.data());
  check(cudaGetLastError());

  complex* const x_begin = reinterpret_cast<complex*>(x_spectrum.data());
  complex* const h_begin = reinterpret_cast<complex*>(h_spectrum.data());
  thrust::transform(thrust::device, x_begin, x_begin + bins, h_begin, x_begin, product{1.0f / float(length)});
  back.to_real(x_spectrum.data(), padded.data());
  // SOLUTION: which place of the circle is delay 0? (about 1 line)
  // STARTER: const float* const first = padded.data();
  const float* const first = padded.data() + (taps - 1);
  // END SOLUTION
  check(cudaMemcpy(y.data(), first, y.size_bytes(), cudaMemcpyDeviceToDevice));
}

}  // namespace tutorial
