// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 2: a product of split matrices, without the part that does not matter.
#include <cuda_fp16.h>

#include "common/device/check.hpp"
#include "which_may_go.hpp"

namespace tutorial {
namespace {

/// What a lane has of a matrix, in two parts: numbers high + low.
template <int Registers>
struct split_registers {
  unsigned high[Registers], low[Registers];
};

__device__ unsigned two_halves(float a, float b) {
  return __half_as_ushort(__float2half(a)) | unsigned(__half_as_ushort(__float2half(b))) << 16;
}
__device__ float rest_of(float x) { return x - __half2float(__float2half(x)); }

/// sums += a * b; counts the mma.sync of the warp.
__device__ void add_product(float (&sums)[4], const unsigned (&a)[4], const unsigned (&b)[2], int& count) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  ++count;
}

/// product = a * b, by one warp.
__global__ void multiply_split_kernel(const float* a, const float* b, float* product, int* products) {
  const int group = threadIdx.x / 4, j = threadIdx.x % 4;
  split_registers<4> of_a;
  split_registers<2> of_b;
  for (int i = 0; i < 4; ++i) {
    const float* const pair = a + (group + i % 2 * 8) * 16 + 2 * j + i / 2 * 8;
    of_a.high[i] = two_halves(pair[0], pair[1]);
    of_a.low[i] = two_halves(rest_of(pair[0]), rest_of(pair[1]));
  }
  for (int i = 0; i < 2; ++i) {
    const float* const pair = b + (2 * j + 8 * i) * 8 + group;
    of_b.high[i] = two_halves(pair[0], pair[8]);
    of_b.low[i] = two_halves(rest_of(pair[0]), rest_of(pair[8]));
  }
  float sums[4] = {};
  int count = 0;
  // SOLUTION: add the products of parts that matter, the small ones first (about 3 lines)
  // STARTER: add_product(sums, of_a.high, of_b.high, count);
  // low * low is at most 2^-22 of the product of the numbers, and is left out.
  add_product(sums, of_a.low, of_b.high, count);
  add_product(sums, of_a.high, of_b.low, count);
  add_product(sums, of_a.high, of_b.high, count);
  // END SOLUTION
  for (int i = 0; i < 4; ++i) product[(group + i / 2 * 8) * 8 + 2 * j + i % 2] = sums[i];
  if (threadIdx.x == 0) products[0] = count;
}

}  // namespace

void multiply_split(device_span<const float> a, device_span<const float> b, device_span<float> product,
                    device_span<int> products) {
  multiply_split_kernel<<<1, 32>>>(a.data(), b.data(), product.data(), products.data());
  check(cudaGetLastError());
}

}  // namespace tutorial
