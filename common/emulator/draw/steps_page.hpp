// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The page on which a reader steps through a block (see steps_format.md).
#pragma once

#include <string>

#include "trace_file.hpp"
#include "views.hpp"

namespace cuda_emulator::draw {

inline constexpr std::size_t largest_page = 2'000'000;  ///< Bytes.

/// The steps of the launch as JSON; source lines are read from the files that it names. Of `what` it takes
/// warp, interval and names. Throws drawing_error if the trace has no such steps.
std::string steps_data(const traced_launch& launch, const choice& what, const std::string& title = "");

/// The whole page. Throws drawing_error where it would be larger than largest_page.
std::string steps_page(const traced_launch& launch, const choice& what, const std::string& title = "");

}  // namespace cuda_emulator::draw
