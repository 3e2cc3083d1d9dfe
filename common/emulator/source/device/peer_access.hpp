// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which devices have been given access to the memory of which, and where.
#pragma once

#include <vector>

#include "code/call_stack.hpp"

namespace cuda_emulator {

struct enabled_access {
  int device, peer;  ///< Kernels of `device` may use memory of `peer`.
  call_stack made_at;
};
/// All that nobody has taken back.
std::vector<enabled_access> accesses_left();

}  // namespace cuda_emulator
