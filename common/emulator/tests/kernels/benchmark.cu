// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The speed of the emulated device, for the record and not asserted: 10,000,000 threads in blocks of 512 with
// one barrier and 5 taps, and as many without a barrier. EMULATOR_CHECK=0 shows what checks and counts cost.
#include <chrono>
#include <cstdio>
#include <vector>

#include "emulator/control.hpp"

namespace {

constexpr int block_size = 512;
constexpr int radius = 2;
__constant__ float taps[2 * radius + 1];

__global__ void smooth_kernel(const float* x, float* y, int length) {
  __shared__ float tile[block_size + 2 * radius];  // tile[i] == x[tile_begin + i]
  const int tile_begin = static_cast<int>(blockIdx.x) * block_size - radius;
  for (int i = static_cast<int>(threadIdx.x); i < block_size + 2 * radius; i += block_size) {
    const int n = tile_begin + i;
    tile[i] = n >= 0 && n < length ? x[n] : 0;
  }
  __syncthreads();
  const int n = tile_begin + radius + static_cast<int>(threadIdx.x);
  if (n >= length) return;
  float sum = 0;
  for (int k = 0; k <= 2 * radius; ++k) sum += taps[k] * tile[threadIdx.x + 2 * radius - k];
  y[n] = sum;
}

__global__ void scale_kernel(const float* x, float* y, int length) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n < length) y[n] = 2 * x[n];
}

template <class Work>
void measure(const char* name, Work&& work) {
  const auto switches = cuda_emulator::fiber_switches();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%-28s %8.3f s  %12llu fiber switches\n", name, seconds,
              static_cast<unsigned long long>(cuda_emulator::fiber_switches() - switches));
}

}  // namespace

int main() {
  constexpr int length = 10'000'000;
  constexpr int blocks = (length + block_size - 1) / block_size;
  const std::vector<float> x(length, 1.0f);
  const float h[2 * radius + 1] = {1, 2, 3, 4, 5};
  float *d_x = nullptr, *d_y = nullptr;
  cudaMalloc(&d_x, length * sizeof(float));
  cudaMalloc(&d_y, length * sizeof(float));
  cudaMemcpy(d_x, x.data(), length * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(taps, h, sizeof h);
  std::printf("%d threads in blocks of %d, checks and counts %s\n", length, block_size,
              cuda_emulator::checking() ? "on" : "off");
  measure("5 taps and one barrier", [&] { smooth_kernel<<<blocks, block_size>>>(d_x, d_y, length); });
  measure("no barrier", [&] { scale_kernel<<<blocks, block_size>>>(d_x, d_y, length); });
  cudaFree(d_x);
  cudaFree(d_y);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
