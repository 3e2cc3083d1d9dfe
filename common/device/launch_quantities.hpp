// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The numbers of launch_counts by name, for those who list them all.
#pragma once

#include <cstdint>
#include <span>

#include "launch_counts.hpp"

namespace tutorial {

/// One number of launch_counts, under the name that tables and CSV files use: ours, or Nsight Compute's.
struct launch_quantity {
  const char* name;
  std::uint64_t launch_counts::*value;
};
/// All of them: ours first.
std::span<const launch_quantity> launch_quantities();

}  // namespace tutorial
