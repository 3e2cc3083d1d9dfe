// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: four numbers, two stages, no multiplication.
#include "radix_4.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

/// z[k] in natural order becomes the transform in bit-reversed order.
__device__ void radix_4(float2 (&z)[4]) {
  // SOLUTION: one stage between numbers two apart, one between neighbors (about 6 lines)
  // STARTER: const float2 last = z[3];
  // STARTER: z[3] = z[0], z[0] = last;
  const float2 a{z[0].x + z[2].x, z[0].y + z[2].y}, b{z[1].x + z[3].x, z[1].y + z[3].y};
  const float2 c{z[0].x - z[2].x, z[0].y - z[2].y}, d{z[1].x - z[3].x, z[1].y - z[3].y};
  z[0] = {a.x + b.x, a.y + b.y};
  z[1] = {a.x - b.x, a.y - b.y};
  z[2] = {c.x + d.y, c.y - d.x};  // -i d
  z[3] = {c.x - d.y, c.y + d.x};
  // END SOLUTION
}

__global__ void transforms_of_4_kernel(const float2* x, float2* y, int transforms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= transforms) return;
  float2 z[4];
  for (int k = 0; k < 4; ++k) z[k] = x[4 * i + k];
  radix_4(z);
  for (int k = 0; k < 4; ++k) y[4 * i + k] = z[k];
}

}  // namespace

void transforms_of_4(device_span<const float2> x, device_span<float2> y) {
  const int transforms = static_cast<int>(x.size() / 4);
  transforms_of_4_kernel<<<(transforms + 127) / 128, 128>>>(x.data(), y.data(), transforms);
  check(cudaGetLastError());
}

}  // namespace tutorial
