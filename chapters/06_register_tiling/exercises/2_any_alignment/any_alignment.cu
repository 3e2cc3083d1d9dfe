// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 2: 16-byte vectors on an array that begins and ends anywhere.

#include "any_alignment.hpp"

#include "06_register_tiling/vectors.cuh"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;

/// y[i] = factor y[i]. Thread t owns the t-th aligned vector: the elements i, i + 1, i + 2 and i + 3, of
/// which some lie before or behind the array in the first and in the last vector. y - past is aligned.
__global__ void scale_kernel(float* y, int size, int past, float factor) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO: find my i; a vector where all of it is ours, single elements elsewhere (about 11 lines)
  const int i = thread * 4;  // aligned only if past is 0
  if (i + 4 > size) return;
  float v[4];
  load_vector(v, y + i);
  for (int e = 0; e < 4; ++e) v[e] *= factor;
  store_vector(y + i, v);
}

}  // namespace

void scale(device_span<float> y, float factor) {
  const int size = static_cast<int>(y.size()), past = elements_past_boundary(y.data());
  const int vectors = (size + past + 3) / 4, blocks = (vectors + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  scale_kernel<<<blocks, threads_per_block>>>(y.data(), size, past, factor);
  check(cudaGetLastError());
}

}  // namespace tutorial
