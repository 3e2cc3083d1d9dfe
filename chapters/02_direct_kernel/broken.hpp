// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong on purpose: the direct kernels with one mistake each. The checks must refuse every one of them.
#pragma once

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial::broken {

enum class mistake {
  none,               ///< The direct kernel as it should be: the checks must accept it.
  not_flipped,        ///< Walks through signal and filter in the same direction: correlates.
  first_tap_lost,     ///< k starts at 1.
  last_tap_lost,      ///< k ends at K - 2.
  ghosts_not_zero,    ///< Where there is no sample, takes the first or the last one.
  same_rounded_up,    ///< 'same' starts at K / 2 instead of (K - 1) / 2.
  grid_rounded_down,  ///< Rounds the grid down: no thread computes the last, partly filled block.
  sum_in_float,       ///< Adds up in float, whatever T is.
  no_guard,           ///< The spare threads of the last block write past the end of y.
  one_sample_more,    ///< Tests m <= N instead of m < N: reads one sample past the end of x.
  interior_too_wide,  ///< Does not test in a block whose last thread meets the ghost past the end of x.
};

/// convolve_direct with that mistake. T is std::int32_t, float or double.
template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode);

}  // namespace tutorial::broken
