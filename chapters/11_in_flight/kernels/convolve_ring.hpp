// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution by warps that stay and take tile after tile from a ring: the next tiles are on their way from
// global to shared memory while one is computed, and no register holds them.
//
// In all of them: y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants; samples outside x
// count as zero. x holds N samples, y has output_length(N, K, mode) elements; they do not overlap, and each
// may begin anywhere. h lies on the host, has 1 to ring_max_taps<T> taps, and is the kernel's parameter: it
// may change as soon as the call returns, and no other call disturbs it. T is std::int32_t (sums wrap modulo
// 2^32), float or double. N + K may be at most 2^31 - 1 - 640. They launch in `stream` and do not wait. They
// throw std::invalid_argument for lengths that do not fit, cuda_error for a launch that is refused.
#pragma once

#include <cuda_runtime.h>

#include <limits>
#include <span>

#include "common/device/device_memory.hpp"
#include "common/device/kernel_facts.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// The most taps: 128, or 64 of double.
template <class T>
inline constexpr int ring_max_taps = 512 / sizeof(T);

/// The most tiles in a ring.
inline constexpr int ring_max_depth = 4;

/// How convolve_ring() works; what it computes does not depend on them.
struct ring_options {
  int depth = 3;  ///< Tiles in a warp's ring, 1 to ring_max_depth: one is computed, the others are under way.
  /// For checks: with few blocks, each warp takes several tiles of a short signal.
  int most_blocks = std::numeric_limits<int>::max();
};

/// Each lane copies its part of a tile, 16 bytes at a time, by pipeline primitives; each tile is a stage.
/// Also throws std::invalid_argument for another depth.
template <class T>
void convolve_ring(device_span<const T> x, std::span<const T> h, device_span<T> y, convolution_mode mode,
                   const ring_options& options = {}, cudaStream_t stream = nullptr);

/// So many taps, those of this chapter (of double about half as many), have a kernel of their own in
/// convolve_bulk(): without a loop.
template <class T>
inline constexpr int bulk_known_taps = sizeof(T) == 4 ? 65 : 33;

/// One lane asks for a whole tile, and a barrier in shared memory says when it is there; outputs leave by the
/// tile, too. The ring has three tiles. `most_blocks` as in ring_options.
template <class T>
void convolve_bulk(device_span<const T> x, std::span<const T> h, device_span<T> y, convolution_mode mode,
                   int most_blocks = std::numeric_limits<int>::max(), cudaStream_t stream = nullptr);

/// The most taps of convolve_fast_fir().
inline constexpr int fast_fir_max_taps = 66;

/// As convolve_ring(), with four fifths of the multiply-adds: every two outputs are made of three filters
/// of 33 taps (two-parallel fast FIR: Parhi, VLSI Digital Signal Processing Systems, 1999, chapter 9). Every
/// filter is extended to fast_fir_max_taps by zeros; more throw std::invalid_argument. Whole numbers whose
/// sums stay below 2^24 are exact. Otherwise each output is off by fast_fir_rounding() at most. A NaN or an
/// infinity reaches the 68 outputs of the pairs that meet it.
void convolve_fast_fir(device_span<const float> x, std::span<const float> h, device_span<float> y,
                       convolution_mode mode, int most_blocks = std::numeric_limits<int>::max(),
                       cudaStream_t stream = nullptr);

/// The most that an output of convolve_fast_fir() may be off, by the sum of the filter's magnitudes and the
/// largest magnitude of a sample. more.md derives it.
inline double fast_fir_rounding(double filter_sum, double largest_sample) {
  return (fast_fir_max_taps + 5) * double(std::numeric_limits<float>::epsilon()) * filter_sum *
         largest_sample;
}

/// The facts of convolve_ring()'s kernel with 65 taps (64 of double).
template <class T>
kernel_facts ring_facts(int depth);

/// The most bytes of samples that a warp has under way at a time with so many taps: whole tiles, with halo.
template <class T>
double ring_bytes_under_way(int taps, int depth);

}  // namespace tutorial
