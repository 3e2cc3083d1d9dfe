// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Uses memory of the device in host code, when and how its argument says.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <thread>

__constant__ float taps[8] = {1};
__device__ int counter;

__global__ void use_kernel(float* y) { y[0] = taps[0] + static_cast<float>(counter); }

struct at_both_ends {
  float* x = nullptr;
  bool wanted = false;
  at_both_ends() { cudaMalloc(&x, 16); }
  ~at_both_ends() {
    if (wanted) x[0] = 1;
    cudaFree(x);
  }
};
at_both_ends early;

int main(int count, char** words) {
  const std::string wanted = count > 1 ? words[1] : "nothing";
  float* x = nullptr;
  if (cudaMalloc(&x, 4000) != cudaSuccess) return 3;
  std::printf("begun\n");
  if (wanted == "element") x[7] = 1;
  if (wanted == "taps") taps[2] = 1;
  if (wanted == "counter") counter += count;
  if (wanted == "thread") std::thread([x] { x[8] = 1; }).join();
  if (wanted == "argument") use_kernel<<<1, 1>>>(x + static_cast<int>(x[0]));
  early.wanted = wanted == "end";
  use_kernel<<<1, 1>>>(x);
  cudaFree(x);
}
