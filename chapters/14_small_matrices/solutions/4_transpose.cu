// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: an 8x8 matrix is transposed by a product.
#include <cuda_fp16.h>

#include "common/device/check.hpp"
#include "transpose.hpp"

namespace tutorial {
namespace {

/// Lane 4g + j passes the elements (g, 2j) and (g, 2j + 1) of an 8x8 matrix M, the first in the lower half,
/// and returns the same elements of M transposed. By a whole warp.
__device__ unsigned transposed_pair(unsigned pair) {
  // SOLUTION: which matrix is it if you pass the pair to mma.sync as b? (about 11 lines)
  // STARTER: return pair;
  const int group = threadIdx.x / 4, j = threadIdx.x % 4;
  // As b, the pair is the elements (2j, g) and (2j + 1, g): b is M transposed, over eight rows of zeros.
  // a is the identity: of its 16 x 16, element (g, k) is 1 where g == k, in the lane that has 2j == g or
  // 2j + 1 == g.
  const unsigned one = 0x3C00, mine = group / 2 == j ? one << 16 * (group % 2) : 0;
  float sums[4] = {};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %5, %5}, {%6, %5}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(mine), "r"(0), "r"(pair));
  return __half_as_ushort(__float2half(sums[0])) | unsigned(__half_as_ushort(__float2half(sums[1]))) << 16;
  // END SOLUTION
}

/// A warp for each matrix; the lanes load and store words side by side.
__global__ void transpose_kernel(const unsigned* matrices, unsigned* transposed) {
  const unsigned i = blockIdx.x * 32 + threadIdx.x;
  transposed[i] = transposed_pair(matrices[i]);
}

}  // namespace

void transpose(device_span<const std::uint16_t> matrices, device_span<std::uint16_t> transposed) {
  if (matrices.empty()) return;
  transpose_kernel<<<unsigned(matrices.size() / 64), 32>>>(reinterpret_cast<const unsigned*>(matrices.data()),
                                                           reinterpret_cast<unsigned*>(transposed.data()));
  check(cudaGetLastError());
}

}  // namespace tutorial
