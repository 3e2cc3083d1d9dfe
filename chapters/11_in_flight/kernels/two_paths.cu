// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Warp divergence: a warp whose lanes take both sides of a branch executes both sides.
#include "two_paths.hpp"

#include <stdexcept>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

// [kernel]
/// y[i] = x[i] after `steps` steps, on the first path or on the second.
__global__ void take_two_paths_kernel(const float* __restrict__ x, float* __restrict__ y, int size,
                                      const float* __restrict__ up,    // up[0, steps)
                                      const float* __restrict__ down,  // down[0, steps)
                                      int steps, bool by_lane) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float v = x[i];
  const bool second = (by_lane ? i : i / 32) % 2 != 0;
  if (second) {
    for (int s = 0; s < steps; ++s) v = fmaf(-down[s], v, 1.0f);
  } else {
    for (int s = 0; s < steps; ++s) v = fmaf(up[s], v, 1.0f);
  }
  y[i] = v;
}
// [kernel]

}  // namespace

void take_two_paths(device_span<const float> x, device_span<const float> up, device_span<const float> down,
                    device_span<float> y, shared_out how) {
  if (x.size() != y.size() || up.size() != down.size())
    throw std::invalid_argument("take_two_paths: lengths differ");
  if (x.size() > 2147483647u - threads_per_block || up.size() > 2147483647u)
    throw std::invalid_argument("take_two_paths: too long for an int");
  if (x.empty()) return;
  const int size = static_cast<int>(x.size());
  take_two_paths_kernel<<<ceil_div(size, threads_per_block), threads_per_block>>>(
      x.data(), y.data(), size, up.data(), down.data(), static_cast<int>(up.size()),
      how == shared_out::by_lane);
  check(cudaGetLastError());
}

}  // namespace tutorial
