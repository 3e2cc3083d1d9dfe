// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Mistakes in the shapes in which published convolutions have them. The first argument chooses one. Comments
// at the end of lines say which finding belongs there: published_shapes.sh reads them.
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int threads = 64;
__constant__ float filter[16];

// Threads without an output leave before the barrier, and what they should have staged is read.
__global__ void early_return_kernel(const float* x, int length, float* y, int outputs, int taps) {
  __shared__ float tile[threads];
  const int n = blockIdx.x * threads + threadIdx.x;
  if (n >= outputs) return;
  if (n < length) tile[threadIdx.x] = x[n];
  __syncthreads();  // early: divergent barrier
  float sum = 0;
  for (int k = 0; k < taps; ++k) {
    const int i = static_cast<int>(threadIdx.x) - k;
    if (i >= 0) sum += tile[i];  // early: read of uninitialized memory
  }
  y[n] = sum;
}

// As many threads as fit into whole blocks, and no guard.
__global__ void no_guard_kernel(const float* x, float* y) {
  const int n = blockIdx.x * threads + threadIdx.x;
  const float sample = x[n];  // guard: access out of bounds
  y[n] = 2 * sample;          // guard: access out of bounds
}

// The last threads of a block bring the right halo, but in the last block these threads have nothing to do.
__global__ void halo_kernel(const float* x, int length, float* y) {
  __shared__ float tile[threads + 2];
  const int n = blockIdx.x * threads + threadIdx.x;
  if (n < length) {
    tile[threadIdx.x + 1] = x[n];
    if (threadIdx.x == 0) tile[0] = n > 0 ? x[n - 1] : 0;
    if (threadIdx.x == threads - 1) tile[threads + 1] = n + 1 < length ? x[n + 1] : 0;
  }
  __syncthreads();
  if (n < length) {
    y[n] = tile[threadIdx.x] + tile[threadIdx.x + 1];
    y[n] += tile[threadIdx.x + 2];  // halo: read of uninitialized memory
  }
}

// More taps than the array in constant memory holds.
__global__ void taps_kernel(const float* x, int length, float* y, int taps) {
  const int n = blockIdx.x * threads + threadIdx.x;
  if (n >= length) return;
  float sum = 0;
  for (int k = 0; k < taps && k <= n; ++k) {
    sum += filter[k] * x[n - k];  // taps: access out of bounds
  }
  y[n] = sum;
}

}  // namespace

int main(int count, char** arguments) {
  const int shape = count > 1 ? std::atoi(arguments[1]) : 0, length = count > 2 ? std::atoi(arguments[2]) : 0;
  const int taps = 16 + (shape == 4 && length % threads != 0), outputs = length + taps - 1;
  const std::vector<float> samples(length, 1.0f), ones(16, 1.0f);
  float *x, *y;
  cudaMalloc(&x, length * sizeof(float));
  cudaMalloc(&y, outputs * sizeof(float));
  cudaMemcpy(x, samples.data(), length * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(filter, ones.data(), sizeof filter);
  const int blocks = (length + threads - 1) / threads;
  if (shape == 1)
    early_return_kernel<<<blocks, threads>>>(x, length, y, length % threads ? outputs : length, taps);
  if (shape == 2) no_guard_kernel<<<blocks, threads>>>(x, y);
  if (shape == 3) halo_kernel<<<blocks, threads>>>(x, length, y);
  if (shape == 4) taps_kernel<<<blocks, threads>>>(x, length, y, taps);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  std::printf("%s\n", cudaGetErrorName(error));
}
