// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The counts of launches, kept for those who asked for them.
#pragma once

#include <string>

#include "emulator/export.hpp"
#include "watch/launch_state.hpp"

namespace cuda_emulator {

void log_launch(const launch_state& launch);
/// A library's work, of which nothing is counted but what went over the link between devices: a launch that
/// has a name and otherwise zeros.
EMULATOR_FOR_LIBRARIES void log_library_call(std::string name, std::uint64_t link_bytes = 0);

}  // namespace cuda_emulator
