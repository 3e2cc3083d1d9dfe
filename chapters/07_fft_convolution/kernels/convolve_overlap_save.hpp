// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution by transforms of blocks that overlap.
//
// What convolve_fft.hpp says of x, h, y, mode, T, rounding, NaN and errors holds here too; a NaN or an
// infinity in x reaches the outputs of its blocks.
#pragma once

#include <cstddef>

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"
#include "fft_plan.hpp"

namespace tutorial {

/// One filter, blocks of one length, many calls. Move-only. The calls of one object must follow each other:
/// they share its memory. A block of L samples gives at most L - K + 1 outputs: the K - 1 others mix its end
/// with its beginning. Blocks that lie within x are read in place; no block that overlaps another is ever
/// copied for that.
template <class T>
class overlap_save_convolver {
 public:
  /// `block`, the length of a transform, is even; 0 stands for the one that overlap_save_block() chooses. If
  /// one_block_length() fits into it, there is one block. std::invalid_argument where it is odd, or less than
  /// shortest_block<T>(K).
  overlap_save_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode,
                         std::size_t block = 0);

  /// x has `samples` samples, y the outputs of the mode; std::invalid_argument otherwise. Launches and does
  /// not wait. What needs the filter's spectrum waits for `spectrum_made`, unless it is null.
  void operator()(device_span<const T> x, device_span<T> y, cudaStream_t stream = nullptr,
                  cudaEvent_t spectrum_made = nullptr);

  /// Another filter with as many taps, from now on; std::invalid_argument otherwise. Launches and does not
  /// wait: h is read later. Nothing that was launched before may still use the filter before.
  void set_filter(device_span<const T> h, cudaStream_t stream = nullptr);

  /// L, the length of a transform.
  std::size_t block_length() const { return std::size_t(length_); }
  /// How many transforms each way.
  std::size_t blocks() const { return std::size_t(blocks_); }

 private:
  int samples_, taps_, outputs_, first_;
  bool one_;                           ///< There is one block, and nothing overlaps.
  int length_, step_, blocks_;         ///< The transforms are of length_ / 2 complex numbers.
  int inside_begin_ = 0, inside_ = 0;  ///< Blocks [inside_begin_, inside_begin_ + inside_) are read in place.
  fft_plan<T> in_place_, gathered_, back_, filter_plan_;
  device_buffer<T> taps_split_;            ///< The even taps, then the odd ones, zeros behind both.
  device_buffer<fft_complex<T>> spectra_;  ///< Of the blocks inside, then of the others.
  device_buffer<fft_complex<T>> filter_;   ///< Of the even taps, then of the odd taps.
  device_buffer<unsigned char> work_area_, filter_work_area_;
};

/// One call: makes an overlap_save_convolver, uses it, and waits before it is gone.
template <class T>
void convolve_overlap_save(device_span<const T> x, device_span<const T> h, device_span<T> y,
                           convolution_mode mode);

/// Signal and filter together, and a block, may have so many samples.
inline constexpr std::size_t longest_for_transforms = std::size_t{1} << 30;

/// Blocks that are read in place begin at multiples of so many elements, 32 bytes.
template <class T>
inline constexpr int overlap_save_alignment = 32 / sizeof(T);

/// The least length of one of several blocks: then it gives overlap_save_alignment<T> outputs, wherever x
/// begins.
template <class T>
constexpr std::size_t shortest_block(std::size_t taps) {
  return taps + 2 * std::size_t{overlap_save_alignment<T>} - 2;
}

/// The samples that one transform must hold if it is to be the only one: N + K - 1 for full, fewer for the
/// other modes.
std::size_t one_block_length(std::size_t samples, std::size_t taps, convolution_mode mode);

}  // namespace tutorial
