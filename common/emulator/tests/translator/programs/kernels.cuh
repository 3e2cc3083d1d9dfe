// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernels in a header, as many programs have them.
#pragma once

#define CHECKED_LAUNCH(kernel, grid, block, ...) \
  do {                                           \
    kernel<<<grid, block>>>(__VA_ARGS__);        \
    checked(cudaGetLastError());                 \
  } while (0)

#define CONFIGURED(grid, block) <<<grid, block>>>

#define KERNEL [[maybe_unused]] static __global__ void

inline void checked(cudaError_t status) {
  if (status != cudaSuccess) throw status;
}

KERNEL twice_plus_one(int* values, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) values[i] = 2 * i + 1;
}
