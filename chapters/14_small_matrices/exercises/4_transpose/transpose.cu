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
  // TODO: which matrix is it if you pass the pair to mma.sync as b? (about 11 lines)
  return pair;
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
