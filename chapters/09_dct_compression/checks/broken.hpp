// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernels that are wrong on purpose: those of this chapter with one mistake each. The checks must refuse
// every one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/plane.hpp"
#include "common/verify/mistakes.hpp"

namespace tutorial::broken {

enum class codec_mistake {
  none,  ///< As it should be: the checks must accept it.
  // Encoders, wrong in their levels on every device:
  shift_forgotten,   ///< 128 is not subtracted.
  scale_forgotten,   ///< The factors of the quantizer do not contain the scale of the factorized DCT.
  steps_transposed,  ///< Uses the step of (u, v) for (v, u).
  truncated,         ///< Rounds toward zero instead of to the nearest level.
  pairs_exchanged,   ///< Of two levels in a word, the second comes first.
  zeros_outside,     ///< Beyond the edge there are zeros instead of the last column and row.
  // Decoders, likewise in their pixels:
  not_clamped,        ///< What is not in 0..255 loses its upper bits.
  whole_rows_stored,  ///< Stores eight pixels a row, even where the picture ends earlier.
  // Wrong in a way that a result may or may not show:
  steps_not_awaited,  ///< Divides by steps in shared memory that another warp may not have written yet.
  rows_behind_last,   ///< Loads eight rows, even where the picture has fewer.
  askew_rows,  ///< Loads words of eight pixels from rows that do not begin at multiples of eight bytes.
};

/// encode_fused() with that mistake.
void encode(codec_mistake made, device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
            device_plane_span<std::int16_t> levels);

/// decode_fused() with that mistake.
void decode(codec_mistake made, device_plane_span<const std::int16_t> levels, const quantization_table& steps,
            device_plane_span<std::uint8_t> pixels);

/// Those that the chapter's program shows.
std::vector<shown_mistake> shown_codec_mistakes();

/// Runs that kernel once and returns how many levels are wrong: on the emulated device a finding ends the
/// program before that.
std::size_t wrong_levels(codec_mistake made);

}  // namespace tutorial::broken
