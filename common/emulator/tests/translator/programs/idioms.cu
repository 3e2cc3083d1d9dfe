// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What older and larger CUDA programs do.
#include "kernels.cuh"
#include "programs.hpp"

extern __shared__ char scratch[];

namespace programs {
namespace {

#define RADIUS 2
#define TAPS (2 * RADIUS + 1)
#define BLOCK_X 16
#define STEPS 4

__constant__ int c_taps[TAPS];

extern "C" void set_taps(const int* taps) { cudaMemcpyToSymbol(c_taps, taps, TAPS * sizeof(int)); }

// Rows of a separable filter: a shared tile with halo, loops unrolled by the compiler.
__global__ void filter_rows(int* out, const int* in, int width, int pitch) {
  __shared__ int s_data[2][(STEPS + 2) * BLOCK_X];
  const int base = (blockIdx.x * STEPS - 1) * BLOCK_X + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  in += row * pitch + base;
  out += row * pitch + base;
#pragma unroll
  for (int i = 0; i < STEPS + 2; i++) {
    const int x = base + i * BLOCK_X;
    s_data[threadIdx.y][threadIdx.x + i * BLOCK_X] = x >= 0 && x < width ? in[i * BLOCK_X] : 0;
  }
  __syncthreads();
#pragma unroll
  for (int i = 1; i < 1 + STEPS; i++) {
    int sum = 0;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; j++)
      sum += c_taps[RADIUS - j] * s_data[threadIdx.y][threadIdx.x + i * BLOCK_X + j];
    if (base + i * BLOCK_X < width) out[i * BLOCK_X] = sum;
  }
}

// The tiles are declared in the loop.
template <int BLOCK_SIZE>
__global__ void matrix_multiply(float* C, float* A, float* B, int n) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int a = 0; a < n; a += BLOCK_SIZE) {
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    As[ty][tx] = A[(blockIdx.y * BLOCK_SIZE + ty) * n + a + tx];
    Bs[ty][tx] = B[(a + ty) * n + blockIdx.x * BLOCK_SIZE + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[(blockIdx.y * BLOCK_SIZE + ty) * n + blockIdx.x * BLOCK_SIZE + tx] = sum;
}

// One block of dynamic shared memory cut into arrays of several types.
__global__ void several_arrays(int* result, int n) {
  float* const floats = (float*)scratch;
  int* ints = (int*)&floats[n];
  short* shorts = (short*)(ints + n);
  const int i = threadIdx.x;
  floats[i] = 0.5f * i;
  ints[i] = i;
  shorts[i] = short(2 * i);
  __syncthreads();
  const int other = n - 1 - i;
  result[i] = int(2 * floats[other]) + ints[other] + shorts[other];
}

__global__ void histogram(unsigned int* bins, const unsigned char* data, int size) {
  __shared__ unsigned int mine[16];
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += blockDim.x * gridDim.x)
    atomicAdd(mine + (data[i] & 0xFU), 1U);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

struct settings {
  static const int count = 5;
  int first;
  float factor[2];
};

__global__ void by_value(int* result, const __grid_constant__ settings s, const int* maybe, const char* text,
                         int count) {
  result[0] = s.first + int(s.factor[1]);
  result[1] = maybe == nullptr;
  result[2] = text == nullptr;
  result[3] = count;
}

template <class T>
T* on_device(const std::vector<T>& host) {
  T* device = NULL;
  checked(cudaMalloc((void**)&device, host.size() * sizeof(T)));
  checked(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <class T>
std::vector<int> taken_from_device(T* device, int size) {
  std::vector<T> host(size);
  checked(cudaDeviceSynchronize());
  checked(cudaMemcpy(host.data(), device, size * sizeof(T), cudaMemcpyDeviceToHost));
  checked(cudaFree(device));
  return std::vector<int>(host.begin(), host.end());
}

}  // namespace

std::vector<int> filtered_rows(int width, int height) {
  const int taps[TAPS] = {1, 2, 3, 4, 5},
            pitch = (width + STEPS * BLOCK_X - 1) / (STEPS * BLOCK_X) * STEPS * BLOCK_X;
  set_taps(taps);
  std::vector<int> image(pitch * height);
  for (int i = 0; i < pitch * height; ++i) image[i] = i % 7;
  int *in = on_device(image), *out = on_device(std::vector<int>(pitch * height));
  dim3 blocks(pitch / (STEPS * BLOCK_X), height / 2), threads(BLOCK_X, 2);
  filter_rows<<<blocks, threads>>>(out, in, width, pitch);
  checked(cudaDeviceSynchronize());
  checked(cudaFree(in));
  return taken_from_device(out, pitch * height);
}

std::vector<int> matrix_product(int n) {
  std::vector<float> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = float(i % 5), b[i] = float(i % 3);
  float *A = on_device(a), *B = on_device(b), *C = on_device(std::vector<float>(n * n));
  const int block_size = 8;
  if (block_size == 16)
    matrix_multiply<16><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(C, A, B, n);
  else
    matrix_multiply<8><<<dim3(n / 8, n / 8), dim3(8, 8)>>>(C, A, B, n);
  checked(cudaDeviceSynchronize());
  checked(cudaFree(A));
  checked(cudaFree(B));
  return taken_from_device(C, n * n);
}

std::vector<int> arrays_in_dynamic_memory(int n) {
  int* result = on_device(std::vector<int>(n));
  several_arrays<<<1, n, n*(sizeof(float) + sizeof(int) + sizeof(short))>>>(result, n);
  return taken_from_device(result, n);
}

std::vector<int> histogram_of_ramp(int size) {
  std::vector<unsigned char> data(size);
  for (int i = 0; i < size; ++i) data[i] = (unsigned char)(i);
  unsigned char* device = on_device(data);
  unsigned int* bins = on_device(std::vector<unsigned int>(16));
  histogram<<<3, 64>>>(bins, device, size);
  checked(cudaDeviceSynchronize());
  checked(cudaFree(device));
  return taken_from_device(bins, 16);
}

std::vector<int> arguments_by_value() {
  int* result = on_device(std::vector<int>(4));
  settings s = {3, {1.0f, 4.0f}};
  by_value<<<1, 1>>>(result, s, NULL, nullptr, settings::count);
  return taken_from_device(result, 4);
}

}  // namespace programs
