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

/// The stream that the call of `function` ("cudaMemcpyAsync"), or the launch of the kernel `function`, is
/// given at "file.cu:12": the last argument of the call, as the program writes it, or the fourth of <<< >>>.
/// Empty where it is not a short name such as `up`, `mine.work` or `streams[i]`, or cannot be found.
std::string stream_argument(std::string_view file_and_line, std::string_view function, bool is_launch);

/// Is the line `place` in a loop of its kernel, as far as the source says that? True, too, where it does not:
/// in a device function, which a loop may call, or where the file cannot be read.
bool may_be_in_loop(const source_place& place);

/// Is `word` a whole name in `line`?
bool has_word(std::string_view line, std::string_view word);

}  // namespace cuda_emulator
