// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace tutorial {

/// What has to be copied to the device for some outputs. in[i] = x[begin + i], where begin can be negative.
struct piece {
  std::size_t ghosts_before = 0;              ///< in[0, ghosts_before) is zero.
  std::size_t first_sample = 0, samples = 0;  ///< Then come x[first_sample, first_sample + samples),
  std::size_t ghosts_behind = 0;              ///< and so many zeros.
};

/// The piece for the outputs [first_output, first_output + outputs) of
///   y[n] = sum over k from -radius to radius of w[k + radius] x[n + k],
/// where x has `samples` samples and y as many. The piece has outputs + 2 radius elements. samples >= 1,
/// outputs >= 1, first_output + outputs <= samples; the radius can be larger than the signal.
piece piece_for(std::size_t first_output, std::size_t outputs, std::size_t samples, std::size_t radius);

}  // namespace tutorial
