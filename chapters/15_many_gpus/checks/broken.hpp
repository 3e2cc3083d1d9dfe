// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Filters on several devices that are wrong on purpose, with one mistake each. The checks must refuse every
// one.
#pragma once

#include <vector>

#include "15_many_gpus/host/spread_signal.hpp"
#include "common/verify/mistakes.hpp"

namespace tutorial::broken {

enum class spread_mistake {
  none,  ///< As it should be: the checks must accept it.
  // Wrong in the result, on every device:
  halo_one_short,  ///< The last sample of each message is not copied.
  left_only,       ///< A part gets what its left neighbors own, and nothing from the right.
  nearest_only,    ///< A part gets samples only from the two parts beside it, however far its halo reaches.
  last_forgotten,  ///< The last part gets no halo.
  exchanged_once,  ///< Halos are exchanged before the first step, and in no later one.
  wrong_buffer,    ///< Halos come from the buffer that the previous step read.
  // Wrong in a way that a result may or may not show:
  lost_event,    ///< A copy does not wait for the step that computes what it copies.
  reused_early,  ///< A step overwrites samples that a neighbor may still be copying.
  no_wait        ///< The program reads the result before the devices have finished.
};

/// Filters by copies and events, but for the mistake.
void filter_spread(spread_mistake made, spread_signal<std::int32_t>& signal, int steps);

/// Those of copies and events.
std::vector<shown_mistake> shown_spread_mistakes();
/// Those of kernels that wait for each other, which need several devices.
std::vector<shown_mistake> shown_flag_mistakes();
/// Those of NCCL; none where this build is without.
std::vector<shown_mistake> shown_nccl_mistakes();

/// What can be wrong with flags. Both kernels wait for each other, so they need two devices, and
/// docs/record/measure faults, which has one, leaves these out (it reads comments behind enumerators).
enum class flag_mistake {
  none,
  /// The flag is raised before the halo is written.
  flag_raised_first,
  /// Nothing orders the halo and its flag: on a GPU the flag may be seen first.
  flag_not_released,
  /// The receiver does not look at the flag.
  flag_not_awaited,
  /// The receiver waits for as much as had come in the step before.
  flag_of_step_before
};
/// Filters once by flags between two kernels on two devices, with that mistake, and returns how many outputs
/// are wrong.
std::size_t wrong_by_flags(flag_mistake made);

/// Filters once on four devices, in turn, with that mistake, and returns how many outputs are wrong: on the
/// emulated device a finding may end the program before that.
std::size_t wrong_outputs(spread_mistake made);

}  // namespace tutorial::broken
