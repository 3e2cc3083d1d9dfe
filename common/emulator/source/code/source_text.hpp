// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What the program's own source says at a place.
#pragma once

#include <string>
#include <string_view>

#include "symbolize.hpp"

namespace cuda_emulator {

/// The line itself; empty where the file cannot be read.
std::string line_text(const source_place& place);

/// Is `word` a whole name in `line`?
bool has_word(std::string_view line, std::string_view word);

}  // namespace cuda_emulator
