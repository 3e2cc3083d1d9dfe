// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What the rest of the emulated device asks of NCCL.
#pragma once

#include <string>
#include <vector>

namespace cuda_emulator::nccl {

/// Communicators that were not destroyed and groups that were not ended: "a.cu:12: error: ..." each.
std::vector<std::string> left_at_the_end();
/// A call that waits: not within a group that has calls.
void check_no_group(const char* function);

}  // namespace cuda_emulator::nccl
