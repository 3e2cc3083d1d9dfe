// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "emulator/export.hpp"

namespace cuda_emulator {

/// Before a message on standard error: what the program has printed so far comes first, and the message
/// begins on a line of its own, also where the program's output stands in an unfinished one.
EMULATOR_FOR_LIBRARIES void begin_message();
/// For those who listen to notes (control.hpp).
void tell_note(const char* kind, const std::string& place, const std::string& text);

/// Where what the environment asks for cannot be done: says why, and ends the program with status 2.
[[noreturn]] void give_up(const std::string& message);

}  // namespace cuda_emulator
