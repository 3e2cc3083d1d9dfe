// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The counts of launches, kept for those who asked for them.
#pragma once

#include "counts.hpp"
#include "launch_state.hpp"

namespace cuda_emulator {

void log_launch(const launch_state& launch);

}  // namespace cuda_emulator
