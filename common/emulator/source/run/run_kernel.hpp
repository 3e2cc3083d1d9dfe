// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// All blocks of a launch, on the workers of its device.
#pragma once

#include "emulator/launch.hpp"
#include "order/work.hpp"

namespace cuda_emulator {

/// Runs all blocks, as the operation `mine` of a stream, and then what they have launched.
void run_kernel(const launch_request& request, const kernel_record& kernel, work& mine);

}  // namespace cuda_emulator
