// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One thread copies 16 bytes at a time: fewer instructions for the same bytes.
#include <cstdint>
#include <stdexcept>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "copies.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
constexpr int per_vector = 4;  // floats in a float4

// [kernel]
/// y[i] = x[i]. Thread v copies the elements [4 v, 4 v + 4) as one vector; what is left over, up to three
/// elements, goes to the thread after the last full vector.
__global__ void copy_vectors_kernel(const float* __restrict__ x, float* __restrict__ y, std::int64_t size) {
  const std::int64_t v = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t i = v * per_vector;
  if (i + per_vector <= size) {
    reinterpret_cast<float4*>(y)[v] = reinterpret_cast<const float4*>(x)[v];
  } else {
    for (std::int64_t j = i; j < size; ++j) y[j] = x[j];
  }
}
// [kernel]

bool is_vector_aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % sizeof(float4) == 0; }

}  // namespace

void copy_vectors(device_span<const float> x, device_span<float> y) {
  if (x.size() != y.size()) throw std::invalid_argument("copy_vectors: lengths differ");
  if (!is_vector_aligned(x.data()) || !is_vector_aligned(y.data())) return copy_elements(x, y);
  if (x.empty()) return;
  const auto size = static_cast<std::int64_t>(x.size());
  const std::int64_t vectors = ceil_div(size, per_vector);
  const std::int64_t blocks = ceil_div(vectors, threads_per_block);
  if (blocks > 2147483647) throw std::invalid_argument("copy_vectors: more blocks than a grid can have");
  copy_vectors_kernel<<<static_cast<unsigned>(blocks), threads_per_block>>>(x.data(), y.data(), size);
  check(cudaGetLastError());
}

}  // namespace tutorial
