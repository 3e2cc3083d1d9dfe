// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// A transform of 16 x 4 numbers by half a warp: a pass of four numbers that are 16 apart, the exchange, and
/// a pass of four neighbors, with a padding of one place in 17. It becomes the lesson's page of steps
/// (docs/book/pages_of_steps.txt).
#include "13_one_pass/kernels/exchange.cuh"
#include "13_one_pass/kernels/passes.cuh"
#include "common/device/device_memory.hpp"

namespace {

using namespace tutorial;

__global__ void exchange_steps_kernel(const float2* x, float2* y) {
  __shared__ float2 numbers[padded_place<16>(64)];
  const int u = threadIdx.x;
  float2 z[4];
  for (int k = 0; k < 4; ++k) z[k] = x[u + 16 * k];
  forward_pass(z, constant_roots<4>());
  for (int k = 0; k < 4; ++k) numbers[padded_place<16>(u + 16 * k)] = z[k];
  __syncwarp();  // between what the lanes have put and what they take from each other
  for (int k = 0; k < 4; ++k) z[k] = numbers[padded_place<16>(4 * u + k)];
  for (int k = 0; k < 4; ++k) y[4 * u + k] = z[k];
}

}  // namespace

int main() {
  std::vector<float2> numbers;
  for (int p = 0; p < 64; ++p) numbers.push_back({float(p % 10), float(p / 10)});
  const device_buffer<float2> x(numbers);
  device_buffer<float2> y(std::size_t{64});
  exchange_steps_kernel<<<1, 16>>>(x.data(), y.data());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
