// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution on the device: a block stages the samples that its outputs meet in shared memory, each of them
// once.
#pragma once

#include <cstddef>

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// The simplest of this chapter: y[i] = sum over k of h[k] x[i + 2 - k] for 5 taps and mode 'same', where
/// samples outside x count as zero. x and y hold N elements, h holds 5; none of them overlap. N may be at
/// most 2^31 - 1 - 517. Launches in the stream and does not wait. Throws std::invalid_argument for another
/// mode, another number of taps, or lengths that do not fit; cuda_error for a launch that is refused.
void smooth_tile(device_span<const float> x, device_span<const float> h, device_span<float> y,
                 convolution_mode mode, cudaStream_t stream = nullptr);

/// Outputs per block of convolve_shared and convolve_shared_chunked.
inline constexpr std::size_t shared_tile = 256;

/// So many taps lie in 256 bytes: few enough for the constant cache even when the warps of a multiprocessor
/// have walked through them to different points.
template <class T>
inline constexpr std::size_t shared_taps_per_launch = 256 / sizeof(T);

/// y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants; samples outside x count as zero.
/// x holds N samples, h holds K taps, y has output_length(N, K, mode) elements; none of them overlap.
/// T is std::int32_t (sums wrap modulo 2^32), float or double. N + K may be at most 2^31 - 1 - 16640.
/// The tile with its halo lies in shared memory, the taps lie in constant memory: shared_taps_per_launch<T>
/// of them are copied there before each launch, and the results of the launches add up in y. Calls must
/// follow each other: two at a time, in two streams or threads, would overwrite each other's taps.
/// Launches in the stream and does not wait. Throws std::invalid_argument for lengths that do not fit,
/// cuda_error for a launch that is refused.
template <class T>
void convolve_shared(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode,
                     cudaStream_t stream = nullptr);

/// The most taps that one launch of convolve_shared can take on this device: all must fit in constant memory,
/// and shared_tile - 1 samples more than taps in the shared memory of a block.
template <class T>
std::size_t most_shared_taps();

/// The same outputs in one launch, in two steps, for a filter that is used many times: copies h to constant
/// memory, where it stays until this function or convolve_shared copies another one there ...
/// (std::invalid_argument for more than most_shared_taps<T>() taps)
template <class T>
void load_shared_taps(device_span<const T> h, cudaStream_t stream = nullptr);
/// ... and convolves with all the taps that were copied last: fast up to shared_taps_per_launch<T>, slow for
/// many more. `taps` says how many the caller believes that there are: std::invalid_argument unless as many
/// of this type were copied last, on the device that is current now.
template <class T>
void convolve_shared_with_loaded_taps(device_span<const T> x, std::size_t taps, device_span<T> y,
                                      convolution_mode mode, cudaStream_t stream = nullptr);

/// The same outputs, without constant memory: the block walks through the taps in chunks of 256, and stages
/// each chunk together with the samples that it meets. It needs the same little shared memory for any number
/// of taps. N + K may be at most 2^31 - 1 - 512.
template <class T>
void convolve_shared_chunked(device_span<const T> x, device_span<const T> h, device_span<T> y,
                             convolution_mode mode, cudaStream_t stream = nullptr);

/// Who computes what, and where it lies, in convolve_shared_eight.
enum class tile_layout {
  neighbors,         ///< A thread owns eight neighboring outputs: lanes read in strides of eight.
  neighbors_padded,  ///< The same, with an unused element after every eight samples of the tile.
  side_by_side       ///< Neighboring threads own neighboring outputs, in eight rounds.
};

/// convolve_shared with eight outputs per thread and 1024 per block. N + K may be at most 2^31 - 1 - 2048, K
/// at most most_shared_eight_taps<T>().
template <class T>
void convolve_shared_eight(device_span<const T> x, device_span<const T> h, device_span<T> y,
                           convolution_mode mode, tile_layout layout, cudaStream_t stream = nullptr);

/// The most taps with which the tile of convolve_shared_eight, padded, fits in the 48 KiB of shared memory
/// that every launch may have.
template <class T>
constexpr std::size_t most_shared_eight_taps() {
  return 48 * 1024 / sizeof(T) * 8 / 9 - 1024;
}

}  // namespace tutorial
