// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A ring of tiles for each warp, filled by asynchronous copies: while a tile is computed, the next ones are
// on their way to shared memory.
#include "convolve_ring.hpp"

#include "common/device/check.hpp"
#include "common/device/kernel_facts.hpp"
#include "fetch.cuh"
#include "warp_tile.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = warps_per_block * lanes_per_warp;

// [kernel]
/// y[n] = sum over k of h[k] x[n - k]. At least 4 blocks, or 16 warps, must fit on a multiprocessor: that
/// leaves at most 128 registers per thread.
template <class T, int Depth>
__global__ void __launch_bounds__(threads_per_block, 4)
    convolve_ring_kernel(const tiled_convolution<T> work, const __grid_constant__ ring_taps<T> taps) {
  walk_ring<Depth>(work, [&](T* tile) { replace_by_outputs(tile, work, taps.h); });
}
// [kernel]

/// Calls f with the kernel of that depth.
template <class T, class F>
auto with_kernel(int depth, F f) {
  switch (depth) {
    case 1:
      return f(convolve_ring_kernel<T, 1>);
    case 2:
      return f(convolve_ring_kernel<T, 2>);
    case 3:
      return f(convolve_ring_kernel<T, 3>);
    case 4:
      return f(convolve_ring_kernel<T, 4>);
  }
  throw std::invalid_argument("convolve_ring: a ring has 1 to " + std::to_string(ring_max_depth) + " tiles");
}

/// Of a block.
template <class T>
int shared_bytes(int tile_size, int depth) {
  return warps_per_block * depth * tile_size * static_cast<int>(sizeof(T));
}

}  // namespace

// [wrapper]
template <class T>
void convolve_ring(device_span<const T> x, std::span<const T> h, device_span<T> y, convolution_mode mode,
                   const ring_options& options, cudaStream_t stream) {
  const auto work = cut_into_tiles("convolve_ring", x, h, y, mode);
  with_kernel<wrapping<T>>(options.depth, [&](auto kernel) {
    const auto bytes = std::size_t(shared_bytes<T>(work.tile_size(), options.depth));
    const int blocks = std::min({ceil_div(work.tiles, warps_per_block), options.most_blocks,
                                 resident_blocks(kernel, threads_per_block, bytes)});
    kernel<<<blocks, threads_per_block, bytes, stream>>>(work, parameter_of(h));
    check(cudaGetLastError());
  });
}
// [wrapper]

template void convolve_ring<std::int32_t>(device_span<const std::int32_t>, std::span<const std::int32_t>,
                                          device_span<std::int32_t>, convolution_mode, const ring_options&,
                                          cudaStream_t);
template void convolve_ring<float>(device_span<const float>, std::span<const float>, device_span<float>,
                                   convolution_mode, const ring_options&, cudaStream_t);
template void convolve_ring<double>(device_span<const double>, std::span<const double>, device_span<double>,
                                    convolution_mode, const ring_options&, cudaStream_t);

template <class T>
double ring_bytes_under_way(int taps, int depth) {
  return double(depth - 1) * sizeof(T) * (whole_vectors<T>(taps) + outputs_per_tile<T>);
}
template double ring_bytes_under_way<float>(int, int);
template double ring_bytes_under_way<double>(int, int);

template <class T>
kernel_facts ring_facts(int depth) {
  const int tile_size = whole_vectors<T>(std::min(65, ring_max_taps<T>)) + outputs_per_tile<T>;
  return with_kernel<T>(depth, [&](auto kernel) {
    return facts_of(kernel, threads_per_block, shared_bytes<T>(tile_size, depth), "ring");
  });
}
template kernel_facts ring_facts<float>(int);
template kernel_facts ring_facts<double>(int);

}  // namespace tutorial
