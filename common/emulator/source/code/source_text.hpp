// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the program's own source says at a place.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbolize.hpp"

namespace cuda_emulator {

/// The line itself; empty where the file cannot be read.
std::string line_text(const source_place& place);

/// The stream that the call of `function` ("cudaMemcpyAsync"), or the launch of the kernel `function`, is
/// given at "file.cu:12": the last argument of the call (the first of cudaStreamWaitEvent()), as the program
/// writes it, or the fourth of <<< >>>.
/// Empty where it is not a short name such as `up`, `mine.work` or `streams[i]`, or cannot be found.
std::string stream_argument(std::string_view file_and_line, std::string_view function, bool is_launch);

/// By number, the lines of the kernel or device function that the line `place` is in; empty where there is
/// none.
std::map<int, std::string> function_around(const source_place& place);

/// The heads of the loops of its kernel that the line `place` is in, "for (int k = 0; k < taps; ++k)", the
/// outermost first. Nothing where the source does not say that: in a device function, which a loop may call,
/// or where the file cannot be read.
std::optional<std::vector<std::string>> loops_around(const source_place& place);

/// The head of the innermost if around both lines of one function, "if (threadIdx.x >= half)", where only
/// some threads may come into it: no barrier can stand there. Empty where there is none.
std::string guard_around(const source_place& one, const source_place& other);

/// The line of a barrier of the block to which a thread comes after the line `place` of its kernel. 0: none,
/// as far as the source says.
int barrier_behind(const source_place& place);

/// The variable that such a head counts with, "k"; empty where it has none.
std::string loop_variable(std::string_view head);

/// Is `word` a whole name in `line`?
bool has_word(std::string_view line, std::string_view word);

}  // namespace cuda_emulator
