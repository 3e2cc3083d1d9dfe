// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong on purpose: the kernels of this chapter with one mistake each. The checks must refuse every one of
// them.
#pragma once

#include <vector>

#include "common/device/plane.hpp"
#include "common/verify/mistakes.hpp"

namespace tutorial::broken {

enum class mistake {
  none,          ///< One thread per coefficient, as it should be: the checks must accept it.
  none_columns,  ///< The same with eight threads for a block.
  // Wrong in its results, on every device:
  transposed,          ///< Stores coefficient (u, v) where (v, u) belongs.
  matrix_transposed,   ///< Computes A^T X A: the inverse of what was asked for.
  first_row_like_all,  ///< c(0) = 1/2: the first frequency is too large by a factor of sqrt(2).
  zeros_outside,       ///< Beyond the edge there are zeros instead of the last column and row.
  grid_rounded_down,   ///< Transforms only whole 8x8 blocks: those that reach beyond the edge are left out.
  width_for_pitch,     ///< Takes rows as if there were no room between them: the pitch is forgotten.
  not_cropped,         ///< The inverse writes whole blocks, even beyond the edge of the picture.
  // Wrong in a way that a result may or may not show:
  no_barrier,       ///< Sums up columns while other threads still stage them.
  no_warp_barrier,  ///< Reads rows while others still write columns.
  // Right, and slower than it must be, which only counts show:
  tile_not_padded,  ///< Rows of the tile begin in one bank.
};

/// The forward transform with that mistake; for not_cropped the inverse.
void dct(mistake made, device_plane_span<const float> from, device_plane_span<float> to);

/// Those that the chapter's program shows.
std::vector<shown_mistake> shown_mistakes();

/// Runs that kernel once and returns how many coefficients are wrong: on the emulated device a finding ends
/// the program before that.
std::size_t wrong_coefficients(mistake made);

}  // namespace tutorial::broken
