// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Ends without giving back what its argument names: device, pinned, managed or registered memory, or access
// to the other device, where there is one.
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
  int devices = 0;
  cudaGetDeviceCount(&devices);
  if (devices > 1 && cudaDeviceEnablePeerAccess(1, 0) != cudaSuccess) return 6;
  cudaFree(freed);
  if (left != "device") cudaFree(kept);
  if (left != "pinned") cudaFreeHost(pinned);
  if (left != "managed") cudaFree(managed);
  if (left != "registered") cudaHostUnregister(own);
  if (left == "wrong device") cudaSetDevice(1);
  if (devices > 1 && left != "peer") cudaDeviceDisablePeerAccess(left == "wrong device" ? 0 : 1);
}
