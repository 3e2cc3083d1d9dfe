// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong on purpose: a kernel with a window in registers, with one mistake each. The checks must refuse every
// one.
#pragma once

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial::broken {

enum class mistake {
  none,                ///< As it should be: the checks must accept it.
  window_not_moved,    ///< The new sample takes its place, but the others stay where they were.
  window_moved_twice,  ///< Each sample moves two places.
  new_sample_late,     ///< The sample that enters the window belongs to the previous tap.
  last_taps_lost,      ///< Uses only whole groups of four taps: K % 4 taps are forgotten.
  zero_taps,  ///< K is rounded up to groups of four; the taps that are not there are zero. 0 * NaN is NaN.
  parts_overwrite,  ///< With more than 32 taps, each part of the taps overwrites the previous part's sums.
  shift_forgotten,  ///< Where x is not aligned as y is, the window begins at the previous vector, unshifted.
  first_vector_not_cut,  ///< Writes the whole first vector, even before the beginning of y.
  last_vector_not_cut,   ///< Writes the whole last vector, even past the end of y.
};

/// Register blocking with that mistake. T is std::int32_t, float or double.
template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode);

}  // namespace tutorial::broken
