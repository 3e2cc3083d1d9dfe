// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Launches in every way that a program can write them.
#include "kernels.cuh"
#include "programs.hpp"

namespace programs {
namespace {

// Default arguments, launch bounds on either side of void, attributes.
template <class T, int PerThread = 1>
__global__ void __launch_bounds__(256, 2)
    add(const T* __restrict__ a, const T* __restrict__ b, T* c, int size, int scale = 1) {
  for (int k = 0; k < PerThread; ++k) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * PerThread + k;
    if (i < size) c[i] = scale * (a[i] + b[i]);
  }
}

extern "C" __global__ __launch_bounds__(128) void fill_linear(int* values, int size, int factor);

__global__ void which(int* result) { *result = 1; }
__global__ void which(int* result, int) { *result = 2; }
__global__ void which(int* result, double) { *result = 3; }
template <class T>
__global__ void which(T* result, T*) {
  *result = 4;
}

struct buffer {
  explicit buffer(int size) : size(size) { checked(cudaMalloc(&data, size * sizeof(int))); }
  ~buffer() { cudaFree(data); }
  buffer(const buffer&) = delete;
  std::vector<int> copy() const {
    std::vector<int> host(size);
    checked(cudaMemcpy(host.data(), data, size * sizeof(int), cudaMemcpyDeviceToHost));
    return host;
  }
  int* data = nullptr;
  int size;
};

template <class T>
constexpr T rounded_up(T n, T m) {
  return (n + m - 1) / m;
}

}  // namespace

extern "C" __global__ __launch_bounds__(128) void fill_linear(int* values, int size, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) values[i] = factor * i;
}

std::vector<int> add_vectors(int size) {
  buffer a(size), b(size), c(size);
  cudaStream_t stream;
  checked(cudaStreamCreate(&stream));
  const dim3 grid(rounded_up<int>(size, 64));
  fill_linear<<<grid, 64>>>(a.data, size, 1), fill_linear<<<grid, 64, 0, stream>>>(b.data, size, 2);
  checked(cudaStreamSynchronize(stream));
  // clang-format takes the >> for a bracket.
  // clang-format off
  add<int, 4><<<(size + 255) >> 8,   // four per thread: >>>(
                dim3{64, 1, 1},      /* and <<< two
                                        lines */
                0, stream>>>(a.data, b.data,
                             c.data,  // result
                             size);
  // clang-format on
  checked(cudaStreamSynchronize(stream));
  std::vector<int> once = c.copy();
  if (size > 0) add<<<rounded_up<int>(size, 64), 64>>>(a.data, b.data, c.data, size, 1);
  checked(cudaDeviceSynchronize());
  checked(cudaStreamDestroy(stream));
  const std::vector<int> again = c.copy();
  return once == again ? again : std::vector<int>{};
}

std::vector<int> launch_through_macros(int size) {
  buffer values(size);
  CHECKED_LAUNCH(twice_plus_one, rounded_up(size, 32), 32, values.data, size);
  const std::vector<int> first = values.copy();
  checked(cudaMemset(values.data, 0, size * sizeof(int)));
  twice_plus_one CONFIGURED(rounded_up(size, 32), 32)(values.data, size);
  return first == values.copy() ? first : std::vector<int>{};
}

std::vector<int> launch_overloads() {
  buffer results(4);
  which<<<1, 1>>>(results.data);
  which<<<1, 1>>>(results.data + 1, 3);
  which<<<1, 1>>>(results.data + 2, 3.0);
  which<<<1, 1>>>(results.data + 3, results.data);
  return results.copy();
}

std::string last_launch_error() {
  buffer values(1);
  fill_linear<<<1, 129>>>(values.data, 1, 1);
  return cudaGetErrorName(cudaGetLastError());
}

}  // namespace programs
