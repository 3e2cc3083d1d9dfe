// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What launches did, for people (--counts) and for programs (--csv).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/device/launch_counts.hpp"

namespace tutorial {

/// What --counts says where there are none.
inline constexpr const char* nothing_counted =
    "Nothing was counted: no kernel ran, or EMULATOR_CHECK=0 switched checking and counting off.";

/// Every quantity that is not zero, one row each, the launches side by side.
std::string counts_text(const std::vector<launch_counts>& launches, std::size_t indent = 0);

/// Every quantity under its name, as cells of a csv_table.
std::vector<std::pair<std::string, std::string>> counts_cells(const launch_counts& counts);

}  // namespace tutorial
