// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A grid-stride loop of which one thread forgets the step: it never ends.
#include <cuda_runtime.h>

__global__ void endless_kernel(int* y, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int step = i == 37 ? 0 : static_cast<int>(gridDim.x * blockDim.x);
  for (int k = i; k < size; k += step) y[k] += 1;
}

int main() {
  int* d_y = nullptr;
  if (cudaMalloc(&d_y, 8192 * sizeof(int)) != cudaSuccess) return 3;
  cudaMemset(d_y, 0, 8192 * sizeof(int));
  endless_kernel<<<64, 32>>>(d_y, 8192);
  cudaFree(d_y);
}
