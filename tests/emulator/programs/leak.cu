// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Ends without giving back what its argument names: device, pinned, managed or registered memory.
#include <cuda_runtime.h>

#include <string>

int main(int count, char** words) {
  static float own[1000];
  const std::string left = count > 1 ? words[1] : "nothing";
  float* kept = nullptr;
  float* freed = nullptr;
  float* pinned = nullptr;
  float* managed = nullptr;
  if (cudaMalloc(&kept, 4000) != cudaSuccess || cudaMalloc(&freed, 4000) != cudaSuccess) return 3;
  if (cudaMallocHost(&pinned, 3000) != cudaSuccess || cudaMallocManaged(&managed, 2000) != cudaSuccess)
    return 4;
  if (cudaHostRegister(own, sizeof own, cudaHostRegisterDefault) != cudaSuccess) return 5;
  cudaFree(freed);
  if (left != "device") cudaFree(kept);
  if (left != "pinned") cudaFreeHost(pinned);
  if (left != "managed") cudaFree(managed);
  if (left != "registered") cudaHostUnregister(own);
}
