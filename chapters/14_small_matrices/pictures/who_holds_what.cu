// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// A product whose element (row, column) is 8 row + column, so that each sum says which element it is. The
/// lanes of a warp store their sums there. Run with a trace, it becomes a picture of this folder
/// (docs/write/redraw).
#include <cuda_fp16.h>

#include "common/device/device_memory.hpp"

namespace {

__device__ unsigned two_halves(int low, int high) {
  return __half_as_ushort(__int2half_rn(low)) | unsigned(__half_as_ushort(__int2half_rn(high))) << 16;
}

/// a(row, 0) = row, a(row, 1) = 1; b(0, column) = 8, b(1, column) = column; all else is 0.
__global__ void product_kernel(float* sums) {
  const int g = threadIdx.x / 4, j = threadIdx.x % 4;
  const unsigned upper = j == 0 ? two_halves(g, 1) : 0, lower = j == 0 ? two_halves(g + 8, 1) : 0;
  const unsigned b = j == 0 ? two_halves(8, g) : 0;
  float c[4] = {};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %6}, {%7, %6}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(upper), "r"(lower), "r"(0), "r"(b));
  for (int i = 0; i < 4; ++i) sums[static_cast<int>(c[i])] = c[i];
}

}  // namespace

int main() {
  using namespace tutorial;
  device_buffer<float> sums(128);
  product_kernel<<<1, 32>>>(sums.data());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
