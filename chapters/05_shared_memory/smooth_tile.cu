// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The simplest kernel with a tile in shared memory: float, 5 taps, 'same'.
#include <stdexcept>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/verify/convolution.hpp"
#include "convolve_shared.hpp"

namespace tutorial {
namespace {

// [kernel]
constexpr int threads = 512;  // per block, at most
constexpr int taps = 5;
constexpr int halo = taps - 1;  // two samples on each side

/// y[i] = sum over k of h[k] x[i + 2 - k], one thread per output.
__global__ void smooth_tile_kernel(const float* x, const float* h, float* y, int length) {
  __shared__ float tile[threads + halo];
  const int tile_size = blockDim.x + halo;
  const int tile_begin = blockIdx.x * blockDim.x - halo / 2;  // tile[j] == x[tile_begin + j]

  // 1. Stage the tile.
  for (int j = threadIdx.x; j < tile_size; j += blockDim.x) {
    const int m = tile_begin + j;
    tile[j] = 0 <= m && m < length ? x[m] : 0.0f;  // a ghost is zero
  }

  // 2. Wait.
  __syncthreads();  // until every thread of the block has staged its part

  // 3. Compute one output.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) sum += h[k] * tile[i + 2 - k - tile_begin];
  y[i] = sum;
}
// [kernel]

}  // namespace

void smooth_tile(device_span<const float> x, device_span<const float> h, device_span<float> y,
                 convolution_mode mode, cudaStream_t stream) {
  if (mode != convolution_mode::same || h.size() != taps)
    throw std::invalid_argument("smooth_tile has 5 taps, and computes 'same'");
  const int length = checked_int_sizes(x.size(), h.size(), y.size(), mode, threads).outputs;
  smooth_tile_kernel<<<ceil_div(length, threads), threads, 0, stream>>>(x.data(), h.data(), y.data(), length);
  check(cudaGetLastError());
}

}  // namespace tutorial
