// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Checks of what a kernel counts, which only some devices can do.
#pragma once

#include <vector>

#include "common/device.hpp"

namespace tutorial {

/// How many checks asked for counts that this device does not have. The chapter's main says so: nothing is left out in
/// silence.
inline int checks_without_counts = 0;

/// True if `launches` holds counts. If not, the calling check is to return, and is counted as not done.
inline bool has_counts(const std::vector<launch_counts>& launches) {
  if (!launches.empty()) return true;
  ++checks_without_counts;
  return false;
}

}  // namespace tutorial
