// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong on purpose: convolution with the filter in constant memory, with one mistake each. The checks must
// refuse every one of them.
#pragma once

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial::broken {

enum class mistake {
  none,                 ///< As it should be: the checks must accept it.
  taps_reversed,        ///< Reads h[K - 1 - k].
  elements_for_bytes,   ///< Copies K bytes instead of K taps.
  offset_for_elements,  ///< Passes an offset in elements where the runtime expects bytes.
  other_type,           ///< Reads the taps as if they were of another type.
  stale_taps,           ///< Copies the taps only if their number has changed.
  cut_off,              ///< Takes as many taps as fit and says nothing about the others.
  status_ignored,     ///< Does not check whether the copy was refused: with too many taps, the old taps stay.
  tap_per_lane,       ///< Each lane begins at a different tap: the same sum, at 32 times the addresses.
  second_filter,      ///< Another filter overwrites the taps between the copy and the launch.
  parameter_cut_off,  ///< Passes as many taps as the parameter holds, and says nothing about others.
  parameter_bytes,    ///< Copies K bytes instead of K taps into the parameter.
  interior_too_large,  ///< Counts a block as interior although its first outputs meet ghosts.
};

/// The convolution with that mistake. T is std::int32_t, float or double.
template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode);

}  // namespace tutorial::broken
