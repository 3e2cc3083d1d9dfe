// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolutions by transforms that are wrong on purpose: what the checks must refuse.
#pragma once

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial::broken {

enum class mistake {
  none,             ///< As it should be: the checks must accept it.
  no_room,          ///< Uses transforms of max(N, K) samples: the end of the output falls on its beginning.
  scale_forgotten,  ///< Does not divide by L.
  scale_of_signal,  ///< Divides by N instead of L.
  spectrum_not_whole,      ///< The product stops at L / 2 frequencies: the last one is left out.
  conjugated,              ///< Multiplies by the conjugate: correlates.
  mode_from_zero,          ///< Every mode begins where full does.
  blocks_not_overlapping,  ///< Blocks follow each other without overlap; an output knows its own block only.
  overlap_one_short,       ///< Blocks overlap by K - 2.
  last_block_forgotten,    ///< Computes only whole blocks.
};

/// Convolution by transforms, of the whole signal or of blocks, with that mistake. T is float or double.
template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode);

}  // namespace tutorial::broken
