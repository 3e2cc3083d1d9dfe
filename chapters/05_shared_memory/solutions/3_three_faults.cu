// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: tile and halo in shared memory, as an often copied example has it.
#include "three_faults.hpp"

#include <stdexcept>

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
__constant__ float filter[most_short_taps];

// SOLUTION: four faults down to the launch: three in the kernel, one in the wrapper (about 23 lines)
// STARTER: /// y[n] = sum over k of h[k] x[n - k], one thread per output; h lies in `filter`.
// STARTER: __global__ void convolve_short_kernel(const float* x, int samples, int taps, float* y, int outputs) {
// STARTER:   __shared__ float tile[threads_per_block + most_short_taps - 1];
// STARTER:   const int n = blockIdx.x * blockDim.x + threadIdx.x;
// STARTER:   const int halo = taps - 1;
// STARTER:   if (n >= outputs) return;
// STARTER:   // tile[halo + i] == x[block_begin + i]: each thread its own sample, the first ones the halo, too
// STARTER:   if (n < samples) tile[halo + threadIdx.x] = x[n];
// STARTER:   if (threadIdx.x < halo && n >= halo && n - halo < samples) tile[threadIdx.x] = x[n - halo];
// STARTER:   __syncthreads();
// STARTER:   float sum = 0;
// STARTER:   for (int k = 0; k < taps; ++k) sum += filter[k] * tile[threadIdx.x + k];
// STARTER:   y[n] = sum;
// STARTER: }
// STARTER: }  // namespace
// STARTER: void convolve_short(device_span<const float> x, device_span<const float> h, device_span<float> y) {
// STARTER:   cudaMemcpyToSymbol(filter, h.data(), h.size_bytes(), 0, cudaMemcpyDeviceToDevice);
/// y[n] = sum over k of h[k] x[n - k], one thread per output; h lies in `filter`.
__global__ void convolve_short_kernel(const float* x, int samples, int taps, float* y, int outputs) {
  __shared__ float tile[threads_per_block + most_short_taps - 1];
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  const int halo = taps - 1;

  // tile[halo + i] == x[block_begin + i], zero where there is no such sample
  tile[halo + threadIdx.x] = n < samples ? x[n] : 0.0f;
  if (static_cast<int>(threadIdx.x) < halo)
    tile[threadIdx.x] = n >= halo && n - halo < samples ? x[n - halo] : 0.0f;
  __syncthreads();  // the tile is complete
  if (n >= outputs) return;

  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += filter[k] * tile[halo + threadIdx.x - k];
  y[n] = sum;
}

}  // namespace

void convolve_short(device_span<const float> x, device_span<const float> h, device_span<float> y) {
  if (h.size() > most_short_taps) throw std::invalid_argument("convolve_short: too many taps");
  check(cudaMemcpyToSymbol(filter, h.data(), h.size_bytes(), 0, cudaMemcpyDeviceToDevice));
  // END SOLUTION
  const int outputs = static_cast<int>(y.size());
  const int blocks = (outputs + threads_per_block - 1) / threads_per_block;
  convolve_short_kernel<<<blocks, threads_per_block>>>(x.data(), static_cast<int>(x.size()),
                                                       static_cast<int>(h.size()), y.data(), outputs);
  check(cudaGetLastError());
}

}  // namespace tutorial
