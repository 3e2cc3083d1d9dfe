// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// All pictures of all launches of a trace, and a page with them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "views.hpp"

namespace cuda_emulator::draw {

using view = std::string (*)(const traced_launch& launch, const choice& what);
struct named_view {
  const char* name;
  view draw;
};
/// Those of a launch.
extern const named_view views_of_launch[5];

/// To the standard output where no file is named. Half of a picture is not left.
void write_picture(const std::filesystem::path& file, const std::string& text);

/// Writes into `folder` a picture of each view of each launch, and index.html with them; says on standard
/// error what it has written and what it has left out, and why. A kernel that is launched again in the same
/// way does the same, as far as pictures go: the same grid and block, shared arrays of the same size, the
/// same counts at each line. Returns how many there are; without one, nothing is left.
int draw_all(const std::vector<const traced_launch*>& launches, const choice& what,
             const std::filesystem::path& folder, const std::string& title);

}  // namespace cuda_emulator::draw
