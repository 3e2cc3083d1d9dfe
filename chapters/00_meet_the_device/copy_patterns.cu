// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Copies whose loads do not start at a boundary, or do not lie side by side.
#include <cstdint>
#include <stdexcept>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "copies.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

// [kernel]
/// y[i] = x[i * stride + offset], one thread per element of y. Lane l of a warp reads 4 * stride bytes away
/// from lane l - 1; the hardware fetches whole 32-byte sectors.
__global__ void copy_pattern_kernel(const float* __restrict__ x, float* __restrict__ y, std::int64_t size,
                                    std::int64_t stride, std::int64_t offset) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  y[i] = x[i * stride + offset];
}
// [kernel]

void launch(device_span<const float> x, device_span<float> y, std::size_t stride, std::size_t offset) {
  const std::size_t blocks = ceil_div(y.size(), threads_per_block);
  if (blocks > 2147483647u) throw std::invalid_argument("copy: more blocks than a grid can have");
  copy_pattern_kernel<<<static_cast<unsigned>(blocks), threads_per_block>>>(
      x.data(), y.data(), static_cast<std::int64_t>(y.size()), static_cast<std::int64_t>(stride),
      static_cast<std::int64_t>(offset));
  check(cudaGetLastError());
}

}  // namespace

void copy_offset(device_span<const float> x, device_span<float> y, std::size_t offset) {
  if (offset > x.size() || y.size() > x.size() - offset)
    throw std::invalid_argument("copy_offset: x is too short");
  if (!y.empty()) launch(x, y, 1, offset);
}

void copy_strided(device_span<const float> x, device_span<float> y, std::size_t stride) {
  if (stride == 0) throw std::invalid_argument("copy_strided: the stride must be at least 1");
  if (y.empty()) return;
  if (x.empty() || (x.size() - 1) / stride < y.size() - 1)
    throw std::invalid_argument("copy_strided: x is too short");
  launch(x, y, stride, 0);
}

}  // namespace tutorial
