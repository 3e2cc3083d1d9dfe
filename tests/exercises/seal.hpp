// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A seal on what comes of the checks, which an answer in the same program cannot make (exercise_result.md).
#pragma once

#include <string>
#include <string_view>

namespace tutorial::seal {

/// Whether somebody wants one: EXERCISE_SEAL named a descriptor from which 32 secret bytes could be read.
/// They are read before any constructor of the program runs, and lie in memory that nobody can read
/// meanwhile.
bool wanted();

/// More text under the seal.
void add(std::string_view text);

/// The seal of all text until now; for the second time it is useless, since the secret is gone.
std::string end();

}  // namespace tutorial::seal
