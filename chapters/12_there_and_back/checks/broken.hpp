// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Journeys there and back that are wrong on purpose, with one mistake each. The checks must refuse every
// one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "common/verify/convolution.hpp"
#include "common/verify/mistakes.hpp"

namespace tutorial::broken {

enum class journey_mistake {
  none,  ///< As it should be: the checks must accept it.
  // Wrong in the result, on every device:
  no_history,         ///< A chunk knows only its own samples.
  history_one_short,  ///< The first sample of the history is missing.
  ghosts_not_zero,    ///< Samples that do not exist are not set to zero.
  short_chunk_first,  ///< The short last chunk's outputs are stored one whole chunk before the end.
  // Wrong in a way that a result may or may not show:
  lost_event,     ///< The kernel does not wait for the copy up.
  reused_early,   ///< The copy up does not wait for the kernel that reads the buffer.
  default_stream  ///< The kernel runs in the default stream, which these streams do not wait for.
};

/// y = h * x in chunks of 64 outputs, a stream a stage and a ring of two buffers, but for the mistake.
void convolve_there_and_back(journey_mistake made, std::span<const float> x, std::span<const float> h,
                             std::span<float> y, convolution_mode mode);

/// Those that the chapter's program shows.
std::vector<shown_mistake> shown_journey_mistakes();

/// Filters once with that mistake, and returns how many outputs are wrong: on the emulated device a finding
/// ends the program before that.
std::size_t wrong_outputs(journey_mistake made);

}  // namespace tutorial::broken
