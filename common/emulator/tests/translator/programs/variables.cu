// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Variables in constant and device memory.
#include "kernels.cuh"
#include "programs.hpp"

extern "C" {
__device__ unsigned int plain_c = 7u;
}

namespace programs {
namespace {

constexpr int rows = 2, columns = 3;

__constant__ const float table[rows][columns] = {{1, 2, 3},  // first
                                                 {4, 5, 6}};
static __constant__ float taps[4], scale = 0.5f, unused{3};
__constant__ constexpr int offsets[] = {0, 1};

__device__ int counter;
__device__ int squares[4] = {0, 1, 4, 9}, *pointer_to_squares;
__device__ constexpr int shift = 100;
__managed__ int managed = 5;

template <int N>
__device__ int per_size = N;

struct limits {
  static constexpr int count = 8;
  __host__ __device__ static int twice() { return 2 * count; }
};

__device__ __noinline__ int count_up(int by) { return atomicAdd(&counter, by); }

__global__ void tables_kernel(float* out) {
  const int i = threadIdx.x;
  if (i < rows * columns) out[i] = table[i / columns + offsets[0]][i % columns];
  if (i < 4) out[rows * columns + i] = taps[i] * scale;
}

__global__ void variables_kernel(int* out) {
  static __device__ int calls = 3;
  count_up(1);
  __syncthreads();
  if (threadIdx.x == 0) {
    pointer_to_squares = squares;
    out[0] = counter;
    out[1] = pointer_to_squares[3] + shift;
    out[2] = managed++;
    out[3] = per_size<3> + int(plain_c) + limits::twice() + calls;
  }
}

}  // namespace

std::vector<float> constant_tables() {
  const float host[] = {2, 4, 6, 8};
  checked(cudaMemcpyToSymbol(taps, host, sizeof host));
  std::vector<float> result(rows * columns + 4);
  float* device;
  checked(cudaMalloc(&device, result.size() * sizeof(float)));
  tables_kernel<<<1, 32>>>(device);
  checked(cudaMemcpy(result.data(), device, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  checked(cudaFree(device));
  return result;
}

std::vector<int> device_variables() {
  const int start = 10;
  checked(cudaMemcpyToSymbol(counter, &start, sizeof start));
  std::vector<int> result(6);
  int* device;
  checked(cudaMalloc(&device, 4 * sizeof(int)));
  variables_kernel<<<1, 32>>>(device);
  checked(cudaMemcpy(result.data(), device, 4 * sizeof(int), cudaMemcpyDeviceToHost));
  checked(cudaMemcpyFromSymbol(&result[4], counter, sizeof(int)));
  result[5] = managed;
  checked(cudaFree(device));
  return result;
}

}  // namespace programs
