// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Does a kernel run on this operating-system thread?
#pragma once

#include "emulator/export.hpp"

namespace cuda_emulator {

class worker;
/// The worker whose kernel thread runs on this operating-system thread; null outside of kernels.
EMULATOR_API extern constinit thread_local worker* current_worker __attribute__((tls_model("initial-exec")));

}  // namespace cuda_emulator
