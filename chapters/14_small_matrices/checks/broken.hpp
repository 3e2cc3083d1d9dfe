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

enum class product_mistake {
  none,  ///< As it should be: the checks must accept it.
  // Wrong in its pixels, on every device:
  low_dropped,           ///< The matrices are only their high part: 11 bits.
  high_truncated,        ///< Rounds the high part toward zero, but computes the low part for the nearest.
  registers_exchanged,   ///< The registers a[1] and a[2] are exchanged: 8 rows down and 8 columns right.
  b_transposed,          ///< The matrix is passed by rows where mma.sync expects columns.
  halves_exchanged,      ///< The two levels of a word are exchanged.
  scale_forgotten,       ///< Levels go to the second product as they are, not divided by its scale.
  levels_truncated,      ///< Rounds toward zero instead of to the nearest level.
  small_levels_assumed,  ///< Treats levels of more than 512 as small.
  shift_forgotten,       ///< 128 is not added again.
  mirror_forgotten,      ///< Rows j and 7 - j get the same pixels.
  zeros_outside,         ///< Beyond the edge there are zeros instead of the last column and row.
  whole_words_stored,    ///< Stores sixteen pixels a row, even where the picture ends earlier.
  // Wrong in a way that a result may or may not show:
  lanes_guarded,   ///< Lanes whose pixels are outside return before the products.
  not_waited_for,  ///< Reads staged pixels while they are under way.
  rows_not_met,    ///< Stores rows from shared memory before all lanes have written them.
  layout_assumed,  ///< Copies a fragment of sums to one of factors, element by element.
};

/// A round trip of a picture with that mistake. Rows begin at multiples of 16 bytes.
void round_trip(product_mistake made, device_plane_span<const std::uint8_t> pixels,
                const quantization_table& steps, device_plane_span<std::uint8_t> result);

/// Those that the chapter's program shows.
std::vector<shown_mistake> shown_product_mistakes();

/// Runs that kernel once, and returns how many pixels are wrong: on the emulated device a finding ends the
/// program before that.
std::size_t wrong_pixels(product_mistake made);

}  // namespace tutorial::broken
