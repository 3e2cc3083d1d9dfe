// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The ring once more, with fewer multiply-adds than taps: even and odd outputs share three filters of half
// the length.
#include "bulk_ring.cuh"
#include "common/device/check.hpp"
#include "common/device/kernel_facts.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = warps_per_block * lanes_per_warp, depth = 3;
constexpr int half_taps = fast_fir_max_taps / 2;

/// The even taps, the odd taps, and the sum of both: all of `half_taps` taps, at the end zeros.
struct three_filters {
  float even[half_taps], odd[half_taps], both[half_taps];
};

// [outputs]
/// Pair n is the samples 2n and 2n + 1, and the same outputs. With e, o and b for the three sums over m,
///     e[n] = even[m] x[2(n - m)], o[n] = odd[m] x[2(n - m) + 1],
///     b[n] = both[m] (x[2(n - m)] + x[2(n - m) + 1]),
/// y[2n] = e[n] + o[n - 1] and y[2n + 1] = b[n] - e[n] - o[n].
///
/// tile[i] = output i of the tile, for all i in [0, outputs_per_tile). The tile has arrived, for all lanes.
__device__ __forceinline__ void replace_by_fast_outputs(float* tile, const tiled_convolution<float>& work,
                                                        const three_filters& filters) {
  constexpr int pairs = outputs_per_lane<float> / 2, before = 34;  // an even number, for whole vectors
  static_assert(before > half_taps && pairs % 2 == 0);
  const int lane = threadIdx.x % lanes_per_warp;
  const float* const from = tile + work.halo() + 2 * (lane * pairs - before);
  float e[pairs] = {}, o[pairs + 1] = {}, b[pairs] = {};  // o[r] is that of pair r - 1
#pragma unroll
  for (int q = 0; q < before + pairs; q += 2) {
    const auto four = get_vector(from + 2 * q);
    const float first[2] = {four.x, four.z}, second[2] = {four.y, four.w};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const float sum = first[i] + second[i];
#pragma unroll
      for (int r = 0; r <= pairs; ++r) {
        const int m = r - (q + i - before);  // pair r of the outputs meets this one at tap m
        if (r < pairs && 0 <= m && m < half_taps) {
          e[r] = fmaf(filters.even[m], first[i], e[r]);
          b[r] = fmaf(filters.both[m], sum, b[r]);
        }
        if (1 <= m && m <= half_taps) o[r] = fmaf(filters.odd[m - 1], second[i], o[r]);
      }
    }
  }
  __syncwarp();  // all lanes have read their samples before outputs replace them
#pragma unroll
  for (int r = 0; r < pairs; r += 2) {
    const float outputs[4] = {e[r] + o[r], b[r] - e[r] - o[r + 1], e[r + 1] + o[r + 1],
                              b[r + 1] - e[r + 1] - o[r + 2]};
    store_vector(tile + 2 * (lane * pairs + r), outputs);
  }
}
// [outputs]

/// The filter in a ring of `depth` tiles.
__global__ void __launch_bounds__(threads_per_block, 4)
    convolve_fast_fir_kernel(const tiled_convolution<float> work,
                             const __grid_constant__ three_filters filters) {
  walk_bulk_ring<depth>(work, [&](float* tile) { replace_by_fast_outputs(tile, work, filters); });
}

}  // namespace

void convolve_fast_fir(device_span<const float> x, std::span<const float> h, device_span<float> y,
                       convolution_mode mode, int most_blocks, cudaStream_t stream) {
  if (h.size() > std::size_t(fast_fir_max_taps))
    throw std::invalid_argument("convolve_fast_fir: at most " + std::to_string(fast_fir_max_taps) +
                                " taps; convolve_ring() takes more");
  tiled_convolution<float> work = cut_into_tiles("convolve_fast_fir", x, h, y, mode);
  work.taps = fast_fir_max_taps;  // the halo of all filters; shorter ones end with zeros
  three_filters filters = {};
  for (std::size_t k = 0; k < h.size(); ++k) (k % 2 == 0 ? filters.even : filters.odd)[k / 2] = h[k];
  for (int m = 0; m < half_taps; ++m) filters.both[m] = filters.even[m] + filters.odd[m];
  const std::size_t bytes = bulk_ring_bytes<depth>(work);
  const int blocks = std::min({ceil_div(work.tiles, warps_per_block), most_blocks,
                               resident_blocks(convolve_fast_fir_kernel, threads_per_block, bytes)});
  convolve_fast_fir_kernel<<<blocks, threads_per_block, bytes, stream>>>(work, filters);
  check(cudaGetLastError());
}

}  // namespace tutorial
