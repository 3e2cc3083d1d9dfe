// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The whole of one pass with 16 numbers: two passes of four threads, the product, and two passes back. It is
// the lesson's first kernel and its page of steps (docs/book/pages_of_steps.txt).
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>

#include "13_one_pass/host/roots.hpp"
#include "13_one_pass/kernels/passes.cuh"
#include "common/device/device_memory.hpp"

namespace {

using namespace tutorial;

// [kernel]
/// y = x convolved with a filter whose spectrum, times 1/16, is `filter`: 16 numbers, four threads.
__global__ void convolve_16_kernel(const float2* x, const float2* roots, const float2* filter, float2* y) {
  __shared__ float2 numbers[16];
  const int t = threadIdx.x;
  float2 z[4];
  // 1. The first pass: numbers four apart.
  for (int k = 0; k < 4; ++k) z[k] = x[t + 4 * k];
  forward_pass(z, constant_roots<4>());
  // 2. The exchange: each thread puts four numbers and takes four neighbors.
  for (int k = 0; k < 4; ++k) numbers[t + 4 * k] = z[k];
  __syncwarp();  // between what the threads have put and what they take from each other
  for (int k = 0; k < 4; ++k) z[k] = numbers[4 * t + k];
  // 3. The second pass: neighbors.
  forward_pass(z, powers_of_root<4, float2>(roots + t, 4));
  // 4. The product.
  for (int k = 0; k < 4; ++k) z[k] = product(z[k], filter[4 * t + k]);
  // 5. All the way back.
  inverse_pass(z, constant_roots<4>());
  for (int k = 0; k < 4; ++k) numbers[4 * t + k] = z[k];
  __syncwarp();  // as above
  for (int k = 0; k < 4; ++k) z[k] = numbers[t + 4 * k];
  inverse_pass(z, powers_of_root<4, float2>(roots + 4 + t, 4));
  for (int k = 0; k < 4; ++k) y[t + 4 * k] = z[k];
}
// [kernel]

/// exp(2 pi i sixteenths / 16).
std::complex<float> root(int sixteenths) {
  return std::polar(1.0f, std::numbers::pi_v<float> / 8 * sixteenths);
}
float2 pair_of(std::complex<float> z) { return {z.real(), z.imag()}; }

}  // namespace

int main() {
  const std::vector<float2> x = {{3, 2}, {1, 7}, {4, 1}, {1, 8}, {5, 2}, {9, 8}, {2, 1}, {6, 8},
                                 {5, 2}, {3, 8}, {5, 4}, {8, 5}, {9, 9}, {7, 0}, {9, 4}, {3, 5}};
  std::vector<float2> roots, filter;
  for (int t = 0; t < 4; ++t) roots.push_back(pair_of(root(reversed(t, 2))));
  for (int t = 0; t < 4; ++t) roots.push_back(pair_of(root(t)));
  for (int p = 0; p < 16; ++p)
    filter.push_back(pair_of((1.0f - root(-reversed(p, 4))) / 16.0f));  // taps 1 -1
  const device_buffer<float2> d_x(x), d_roots(roots), d_filter(filter);
  device_buffer<float2> d_y(x.size());
  convolve_16_kernel<<<1, 4>>>(d_x.data(), d_roots.data(), d_filter.data(), d_y.data());
  check(cudaGetLastError());
  const std::vector<float2> y = d_y.to_host();
  for (std::size_t n = 0; n < 16; ++n) {
    const float2 before = x[(n + 15) % 16];
    if (std::abs(y[n].x - (x[n].x - before.x)) < 1e-4f && std::abs(y[n].y - (x[n].y - before.y)) < 1e-4f)
      continue;
    std::printf("output %zu is wrong\n", n);
    return 1;
  }
}
