// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Saying something when a launch goes on and on, instead of leaving a learner before a silent terminal.
#pragma once

#include <memory>
#include <span>

#include "worker.hpp"

namespace cuda_emulator {

/// While it lives, a launch is watched. After EMULATOR_PATIENCE seconds one line goes to standard error, once
/// per kernel: how many blocks are done, and about how long the others will take. Where nothing advances, it
/// says so instead, with the thread that runs and its lines; this it also says where that begins later, and
/// errors that were found by then end the program. Costs a lock per launch, and a store per basic block.
/// `workers` must stay where they are.
class long_launch_note {
 public:
  long_launch_note(launch_state& launch, std::span<const std::unique_ptr<worker>> workers);
  ~long_launch_note();
  long_launch_note(const long_launch_note&) = delete;
  long_launch_note& operator=(const long_launch_note&) = delete;

 private:
  bool watching_;
};

}  // namespace cuda_emulator
