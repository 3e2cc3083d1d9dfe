// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// An ordinary program with a race, for what it prints and how it ends.
#include <cuda_runtime.h>

__global__ void race_kernel(int* y) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 1;
  y[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
  int* d_y = nullptr;
  if (cudaMalloc(&d_y, 64 * sizeof(int)) != cudaSuccess) return 3;
  race_kernel<<<1, 64>>>(d_y);
  cudaFree(d_y);
}
