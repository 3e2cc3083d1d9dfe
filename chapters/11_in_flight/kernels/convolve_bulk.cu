// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The ring again. One lane asks for a whole tile, and sends a whole tile of outputs away. Since compute
// capability 9.0 an engine of the multiprocessor makes such bulk copies: no lane copies.
#include "bulk_ring.cuh"
#include "common/device/check.hpp"
#include "common/device/kernel_facts.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = warps_per_block * lanes_per_warp, depth = 3;

// [kernel]
/// y[n] = sum over k of h[k] x[n - k]. Taps: how many there are, if the compiler shall know; 0: work.taps.
template <class T, int Taps>
__global__ void __launch_bounds__(threads_per_block, 4)
    convolve_bulk_kernel(const tiled_convolution<T> work, const __grid_constant__ ring_taps<T> taps) {
  walk_bulk_ring<depth>(work, [&](T* tile) { replace_by_outputs<Taps>(tile, work, taps.h); });
}
// [kernel]

}  // namespace

// [wrapper]
template <class T>
void convolve_bulk(device_span<const T> x, std::span<const T> h, device_span<T> y, convolution_mode mode,
                   int most_blocks, cudaStream_t stream) {
  constexpr int known = bulk_known_taps<T>;
  const auto work = cut_into_tiles("convolve_bulk", x, h, y, mode);
  const auto kernel =
      work.taps == known ? convolve_bulk_kernel<wrapping<T>, known> : convolve_bulk_kernel<wrapping<T>, 0>;
  const std::size_t bytes = bulk_ring_bytes<depth>(work);
  const int blocks = std::min({ceil_div(work.tiles, warps_per_block), most_blocks,
                               resident_blocks(kernel, threads_per_block, bytes)});
  kernel<<<blocks, threads_per_block, bytes, stream>>>(work, parameter_of(h));
  check(cudaGetLastError());
}
// [wrapper]

template void convolve_bulk<std::int32_t>(device_span<const std::int32_t>, std::span<const std::int32_t>,
                                          device_span<std::int32_t>, convolution_mode, int, cudaStream_t);
template void convolve_bulk<float>(device_span<const float>, std::span<const float>, device_span<float>,
                                   convolution_mode, int, cudaStream_t);
template void convolve_bulk<double>(device_span<const double>, std::span<const double>, device_span<double>,
                                    convolution_mode, int, cudaStream_t);

}  // namespace tutorial
