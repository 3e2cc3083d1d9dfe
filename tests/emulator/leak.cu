// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Ends without freeing what it has allocated, when called with an argument.
#include <cuda_runtime.h>

int main(int count, char**) {
  float* kept = nullptr;
  float* freed = nullptr;
  if (cudaMalloc(&kept, 4000) != cudaSuccess || cudaMalloc(&freed, 4000) != cudaSuccess) return 3;
  cudaFree(freed);
  if (count == 1) cudaFree(kept);
}
