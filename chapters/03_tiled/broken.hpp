// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong on purpose: this chapter's kernels with one mistake each. The checks must refuse every one of them.
#pragma once

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial::broken {

enum class tiled_mistake {
  none,                  ///< As it should be: the checks must accept it.
  halves_not_merged,     ///< Only the first 32 sums of each pair are added up.
  second_half_in_place,  ///< The second 32 sums are added to the same diagonal as the first.
  wrong_diagonal,        ///< Pairs with ia - ib == row are added up instead of ia + ib == row.
  last_pair_lost,        ///< The diagonal is walked only to the next-to-last tile of taps.
  last_row_lost,         ///< Adds up one row too few: the last row, which only second halves reach, is lost.
  not_rotated,  ///< Reads the sample of lane - j without wrapping around: lanes below j read their own.
  ghost_samples_not_zero,  ///< The last tile of samples is filled up with the last sample.
  ghost_taps_not_zero,     ///< The last tile of taps is filled up with the last tap.
  pairs_transposed,  ///< The first kernel takes pair == ib * x_tiles + ia, the second ia * h_tiles + ib.
};

/// convolve_tiled with that mistake. T is std::int32_t, float or double.
template <class T>
void convolve_tiled(tiled_mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
                    convolution_mode mode);

enum class warp_mistake {
  none,               ///< As it should be: the checks must accept it.
  last_step_missing,  ///< The sum is added up over distances 16, 8, 4, 2: every second lane is left out.
  half_warps,         ///< Shuffles with a width of 16: the two halves of a warp never meet.
  rest_lost,          ///< k runs over whole rounds of 32 taps only.
  one_round_only,     ///< Each lane takes one tap, however many there are.
  wrong_lane_stores,  ///< Lane 31, which receives nothing from any other lane, stores the output.
};

/// convolve_warp_per_output with that mistake. T is std::int32_t, float or double.
template <class T>
void convolve_warp_per_output(warp_mistake made, device_span<const T> x, device_span<const T> h,
                              device_span<T> y, convolution_mode mode);

}  // namespace tutorial::broken
