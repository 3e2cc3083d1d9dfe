// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Shared memory: static, dynamic, in templates, of every type.
#include <array>
#include <cstdint>

#include "kernels.cuh"
#include "programs.hpp"

extern __shared__ float file_scope_values[];

// Outside of functions: each block has its own.
__shared__ int file_scope_row[2], file_scope_sum;
namespace {
__global__ void file_scope_kernel(int* y) {
  file_scope_row[threadIdx.x] = 10 + threadIdx.x;
  if (threadIdx.x == 0) file_scope_sum = 100;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&file_scope_sum, file_scope_row[1]);
  __syncthreads();
  y[threadIdx.x] = file_scope_sum + file_scope_row[1 - threadIdx.x];
}
}  // namespace

namespace programs {
namespace {

// A template cannot declare the same extern array with two types on nvcc: the usual way around it.
template <class T>
struct shared_memory {
  __device__ inline operator T*() {
    extern __shared__ __align__(16) unsigned char raw_shared_memory[];
    return reinterpret_cast<T*>(raw_shared_memory);
  }
};

template <class T, unsigned BlockSize>
__global__ void sum_kernel(const T* in, T* out, unsigned n) {
  T* values = shared_memory<T>();
  const unsigned thread = threadIdx.x;
  T mine = 0;
  for (unsigned i = blockIdx.x * BlockSize + thread; i < n; i += BlockSize * gridDim.x) mine += in[i];
  values[thread] = mine;
  __syncthreads();
#pragma unroll
  for (unsigned half = BlockSize / 2; half > 0; half >>= 1) {
    if (thread < half) values[thread] += values[thread + half];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = values[0];
}

__global__ void sum_floats_kernel(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  file_scope_values[i] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i == 0) {
    float sum = 0;
    for (int k = 0; k < int(blockDim.x); ++k) sum += *(file_scope_values + k);
    *out = sum;
  }
}

template <class T>
std::vector<T> ramp(int size) {
  std::vector<T> values(size);
  for (int i = 0; i < size; ++i) values[i] = T(i);
  return values;
}

constexpr int tile_size = 16;

template <class T, int Padding>
__global__ void transpose(T* out, const T* in, int width, int height) {
  __shared__ T tile[tile_size][tile_size + Padding];
  int x = blockIdx.x * tile_size + threadIdx.x, y = blockIdx.y * tile_size + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * tile_size + threadIdx.x, y = blockIdx.x * tile_size + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

template <class T>
__global__ void transpose_naive(T* out, const T* in, int width, int height) {
  const int x = blockIdx.x * tile_size + threadIdx.x, y = blockIdx.y * tile_size + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

template <int N, class T>
__global__ void alignment_kernel(int* result) {
  __shared__ char spoils_alignment;
  __shared__ __align__(128) float a[3];
  __shared__ alignas(64) unsigned char b[5], c;
  __shared__ alignas(N) T d[3];
  __shared__ alignas(double2) alignas(T) char e[N];
  __shared__ double2 f;
  const auto offset = [](const volatile void* p, int alignment) {
    return int(reinterpret_cast<std::uintptr_t>(p) % alignment);
  };
  spoils_alignment = 0;
  result[0] = offset(a, 128) + offset(&spoils_alignment, 1);
  result[1] = offset(b, 64);
  result[2] = offset(&c, 64);
  result[3] = offset(d, N);
  result[4] = offset(e, 16);
  result[5] = offset(&f, 16);
}

struct pair {
  int first, second;
};

template <class T>
struct wrapped {
  typedef T type;
};

template <class T, int N>
__global__ void types_kernel(int* result) {
  __shared__ std::array<T, N> arrays[2];
  __shared__ typename wrapped<T>::type plain;
  __shared__ struct pair named;
  __shared__ struct { int a, b[2]; } unnamed;
  __shared__ union {
    int i;
    float f;
  } either;
  __shared__ int* pointer;
  static __shared__ volatile int one, many[2][3];
  int __shared__ odd;
  if (threadIdx.x == 0) {
    arrays[1][N - 1] = 1;
    plain = 2;
    named = {0, 3};
    unnamed.b[1] = 4;
    either.i = 5;
    odd = 6;
    pointer = &odd;
    one = 0;
    many[1][2] = 0;
  }
  __syncthreads();
  if (threadIdx.x == 1) {
    result[0] = arrays[1][N - 1] + one;
    result[1] = plain + many[1][2];
    result[2] = named.second;
    result[3] = unnamed.b[1];
    result[4] = either.i;
    result[5] = *pointer;
  }
  static_assert(sizeof(arrays) == 2 * N * sizeof(T) && sizeof(many) == 6 * sizeof(int));
}

std::vector<int> results_of(void (*kernel)(int*), int count, int threads) {
  int* device;
  std::vector<int> host(count);
  checked(cudaMalloc(&device, count * sizeof(int)));
  (*kernel)<<<1, threads>>>(device);
  checked(cudaMemcpy(host.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost));
  checked(cudaFree(device));
  return host;
}

}  // namespace

double sum_by_template(int size, int threads) {
  const std::vector<double> host = ramp<double>(size);
  double *in, *out;
  const int blocks = 2;
  checked(cudaMalloc(&in, size * sizeof(double)));
  checked(cudaMalloc(&out, blocks * sizeof(double)));
  checked(cudaMemcpy(in, host.data(), size * sizeof(double), cudaMemcpyHostToDevice));
  const std::size_t bytes = threads * sizeof(double);
  switch (threads) {
    case 64:
      sum_kernel<double, 64><<<blocks, threads, bytes>>>(in, out, size);
      break;
    case 128:
      sum_kernel<double, 128><<<blocks, threads, bytes>>>(in, out, size);
      break;
    default:
      sum_kernel<double, (1 << 8)><<<blocks, 256, 256 * sizeof(double)>>>(in, out, size);
  }
  double sums[blocks];
  checked(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
  checked(cudaFree(in));
  checked(cudaFree(out));
  return sums[0] + sums[1];
}

float sum_in_floats(int size, int threads) {
  const std::vector<float> host = ramp<float>(size);
  float *in, *out, sum;
  checked(cudaMalloc(&in, size * sizeof(float)));
  checked(cudaMalloc(&out, sizeof(float)));
  checked(cudaMemcpy(in, host.data(), size * sizeof(float), cudaMemcpyHostToDevice));
  sum_floats_kernel<<<1, threads, threads * sizeof(*in)>>>(in, out, size);
  checked(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
  checked(cudaFree(in));
  checked(cudaFree(out));
  return sum;
}

std::vector<float> transposed(int which, int width, int height) {
  void (*kernels[])(float*, const float*, int, int) = {transpose_naive, transpose<float, 0>,
                                                       transpose<float, 1>};
  std::vector<float> host = ramp<float>(width * height);
  float *in, *out;
  checked(cudaMalloc(&in, host.size() * sizeof(float)));
  checked(cudaMalloc(&out, host.size() * sizeof(float)));
  checked(cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  kernels[which]<<<dim3((width + tile_size - 1) / tile_size, (height + tile_size - 1) / tile_size),
                   dim3(tile_size, tile_size)>>>(out, in, width, height);
  checked(cudaMemcpy(host.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
  checked(cudaFree(in));
  checked(cudaFree(out));
  return host;
}

std::vector<int> misaligned() { return results_of(alignment_kernel<32, float>, 6, 1); }
std::vector<int> shared_types() { return results_of(&types_kernel<int, 3>, 6, 2); }

std::vector<int> shared_at_file_scope() { return results_of(file_scope_kernel, 2, 2); }

}  // namespace programs
