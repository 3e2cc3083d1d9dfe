// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

namespace cuda_emulator {

/// From now on, what the processor refuses while a kernel runs on this thread ends the launch with a finding.
void catch_faults();

}  // namespace cuda_emulator
