// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Saying something when a launch goes on and on, instead of leaving a learner before a silent terminal.
#pragma once

#include <memory>
#include <span>

#include "worker.hpp"

namespace cuda_emulator {

/// While it lives, a launch is watched: after EMULATOR_PATIENCE seconds one line goes to standard error, once
/// per kernel, with a block and a thread that run at that moment. Costs a lock per launch, and nothing per
/// thread. `workers` must stay where they are.
class patience {
 public:
  patience(const launch_state& launch, std::span<const std::unique_ptr<worker>> workers);
  ~patience();
  patience(const patience&) = delete;
  patience& operator=(const patience&) = delete;

 private:
  bool watching_;
};

}  // namespace cuda_emulator
