// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernels that kernels launch. CUDA lets a child begin at any time after its launch, and its parent cannot
// wait for it. Here it begins as late as it may: when all blocks of its parent have ended.
#pragma once

#include "emulator/launch.hpp"

namespace cuda_emulator {

/// Keeps what a thread of a kernel launches, with copies of the arguments. Errors are the thread's last one.
void launch_by_kernel(const launch_request& request);

}  // namespace cuda_emulator
