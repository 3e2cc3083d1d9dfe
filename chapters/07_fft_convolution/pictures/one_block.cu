// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The product of packed spectra as the lesson's picture has it: one block of 32 samples, which are 16
// complex numbers. Run with a trace, it becomes a picture of this folder (docs/write/redraw).
#include "07_fft_convolution/kernels/packed_product.cuh"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  using complex = thrust::complex<float>;
  constexpr int size = 16, bins = size / 2 + 1;
  device_buffer<complex> block(std::vector<complex>(size, complex(1, 0)));
  const device_buffer<complex> taps(std::vector<complex>(2 * bins, complex(1, 0)));
  multiply_packed_kernel<<<1, 32>>>(block.data(), 1, size, taps.data(), taps.data() + bins);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
