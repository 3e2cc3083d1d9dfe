// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernels that go on and on. Without an argument: a grid-stride loop of which one thread forgets the step.
// barrier: a loop around a barrier that never ends. slow: many blocks with much to do, one after the other.
#include <cuda_runtime.h>

#include <cstring>

__global__ void endless_kernel(int* y, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int step = i == 37 ? 0 : static_cast<int>(gridDim.x * blockDim.x);
  for (int k = i; k < size; k += step) y[k] += 1;
}

__global__ void barrier_kernel(int* y) {
  for (int k = 0; k < 1; k *= 2) {
    __syncthreads();
    y[threadIdx.x] = k;
  }
}

__global__ void beyond_kernel(int* y, unsigned size) {  // for "beyond": it leaves its array, too
  for (unsigned k = size - 1; k != size; --k) y[k % 8193] = 1;
}

__global__ void slow_kernel(int* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = 0; k < 1000; ++k) y[i % 8192] = k;
}

// flag: one waits for a flag that a kernel of another stream would raise; raised: that one is launched first;
// event: then, and its stream is waited for.
__global__ void wait_kernel(const volatile int* flag, int* y) {
  if (threadIdx.x == 0)
    while (*flag == 0) continue;
  __syncthreads();
  y[threadIdx.x] = 1;
}
__global__ void raise_kernel(volatile int* flag) { *flag = 1; }

// blocks: all wait for the last one.
__global__ void blocks_kernel(volatile int* flag) {
  if (blockIdx.x == gridDim.x - 1)
    *flag = 1;
  else
    while (*flag == 0) continue;
}

int main(int count, char** arguments) {
  int* d_y = nullptr;
  if (cudaMalloc(&d_y, 8192 * sizeof(int)) != cudaSuccess) return 3;
  cudaMemset(d_y, 0, 8192 * sizeof(int));
  const char* which = count > 1 ? arguments[1] : "";
  if (std::strcmp(which, "barrier") == 0)
    barrier_kernel<<<2, 32>>>(d_y);
  else if (std::strcmp(which, "beyond") == 0)
    beyond_kernel<<<1, 1>>>(d_y, 8192);
  else if (std::strcmp(which, "blocks") == 0)
    blocks_kernel<<<64, 32>>>(d_y);
  else if (std::strcmp(which, "slow") == 0)
    slow_kernel<<<256 * 4000, 32>>>(d_y);
  else if (std::strchr("fre", which[0]) != nullptr && which[0] != 0) {
    cudaStream_t waits, raises;
    if (cudaStreamCreate(&waits) != cudaSuccess || cudaStreamCreate(&raises) != cudaSuccess) return 3;
    cudaDeviceSynchronize();
    if (which[0] != 'f') raise_kernel<<<1, 1, 0, raises>>>(d_y + 4096);
    cudaEvent_t raised;
    if (cudaEventCreate(&raised) != cudaSuccess || cudaEventRecord(raised, raises) != cudaSuccess) return 3;
    if (which[0] == 'e') cudaStreamWaitEvent(waits, raised);
    wait_kernel<<<1, 32, 0, waits>>>(d_y + 4096, d_y);
    if (which[0] == 'f') raise_kernel<<<1, 1, 0, raises>>>(d_y + 4096);
    cudaDeviceSynchronize();
    cudaEventDestroy(raised);
    cudaStreamDestroy(waits);
    cudaStreamDestroy(raises);
  } else
    endless_kernel<<<64, 32>>>(d_y, 8192);
  cudaFree(d_y);
}
