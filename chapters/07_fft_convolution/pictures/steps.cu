// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The product of packed spectra for one block of 64 samples, which are 32 complex numbers: lane k has
// frequency k and its mirror image. It becomes the lesson's page of steps (docs/book/pages_of_steps.txt).
#include "07_fft_convolution/kernels/packed_product.cuh"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  using complex = thrust::complex<float>;
  constexpr int size = 32, bins = size / 2 + 1;
  std::vector<complex> spectrum(size), filter(2 * bins);
  for (int k = 0; k < size; ++k) spectrum[k] = complex(float(k), float(k % 4));
  for (int k = 0; k < bins; ++k) filter[k] = complex(1, 0), filter[bins + k] = complex(0, 1);
  device_buffer<complex> block(spectrum);
  const device_buffer<complex> taps(filter);
  multiply_packed_kernel<<<1, 32>>>(block.data(), 1, size, taps.data(), taps.data() + bins);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
