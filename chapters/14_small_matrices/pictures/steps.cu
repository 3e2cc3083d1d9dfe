// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Two products in a row by one warp: each lane brings its part of both factors, and what it then has of the
// sums is what it must bring of the next factor. It becomes the lesson's page of steps
// (docs/book/pages_of_steps.txt).
#include <cuda_fp16.h>

#include <vector>

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"

namespace {

/// Two numbers as the half-precision pair of a fragment: whole numbers to 2048 stay what they are.
__device__ unsigned pair(float low, float high) {
  return __half_as_ushort(__float2half_rn(low)) | unsigned(__half_as_ushort(__float2half_rn(high))) << 16;
}

/// sums += a b, by a whole warp: 16 x 8 times 8 x 8 numbers.
__device__ void multiply(float (&sums)[4], unsigned upper, unsigned lower, unsigned b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(upper), "r"(lower), "r"(b));
}

/// y = a b r, with a of 16 x 8 numbers, and b and r of 8 x 8, column by column.
__global__ void fragment_steps_kernel(const float* a, const float* b, const float* r, float* y) {
  const int g = threadIdx.x / 4;
  const int j = threadIdx.x % 4;
  const float upper0 = a[8 * g + 2 * j];        // a(g, 2j)
  const float upper1 = a[8 * g + 2 * j + 1];    // a(g, 2j + 1)
  const float lower0 = a[8 * (g + 8) + 2 * j];  // a(g + 8, 2j)
  const float lower1 = a[8 * (g + 8) + 2 * j + 1];
  float b0 = b[8 * g + 2 * j];      // b(2j, g)
  float b1 = b[8 * g + 2 * j + 1];  // b(2j + 1, g)
  float c[4] = {};
  multiply(c, pair(upper0, upper1), pair(lower0, lower1), pair(b0, b1));
  const float sum0 = c[0];  // (a b)(g, 2j), just where a(g, 2j) was
  const float sum1 = c[1];  // (a b)(g, 2j + 1)
  const float sum2 = c[2];  // (a b)(g + 8, 2j)
  const float sum3 = c[3];
  b0 = r[8 * g + 2 * j];
  b1 = r[8 * g + 2 * j + 1];
  float d[4] = {};
  multiply(d, pair(sum0, sum1), pair(sum2, sum3), pair(b0, b1));
  y[8 * g + 2 * j] = d[0];
  y[8 * g + 2 * j + 1] = d[1];
  y[8 * (g + 8) + 2 * j] = d[2];
  y[8 * (g + 8) + 2 * j + 1] = d[3];
}

}  // namespace

int main() {
  using namespace tutorial;
  // (a b)(row, column) = 10 row + column, so that each sum says which element it is; r reverses the columns.
  std::vector<float> a(16 * 8), b(8 * 8), r(8 * 8);
  for (int row = 0; row < 16; ++row) {
    a[8 * row] = float(row);
    a[8 * row + 5] = 1;
  }
  for (int column = 0; column < 8; ++column) {
    b[8 * column] = 10;
    b[8 * column + 5] = float(column);
    r[8 * column + 7 - column] = 1;
  }
  const device_buffer<float> d_a(a), d_b(b), d_r(r);
  device_buffer<float> y(16 * 8);
  fragment_steps_kernel<<<1, 32>>>(d_a.data(), d_b.data(), d_r.data(), y.data());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
