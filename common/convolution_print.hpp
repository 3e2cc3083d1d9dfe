// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// A convolution_table for people and for programs.
#pragma once

#include <string>

#include "common/convolution_chapter.hpp"

namespace tutorial {

/// Prints heading and table, and with --counts what each launch did.
void print(chapter_run& run, const convolution_table& table);

/// With --explain: what each version that chooses has chosen for the table's work, and why; or that none in it does.
void explain(chapter_run& run, const convolution_chapter_parts& parts, const convolution_table& table);

/// What --counts says where there are none.
inline constexpr const char* nothing_counted =
    "Nothing was counted: no kernel ran, or EMULATOR_CHECK=0 switched checking and counting off.";

/// Every row for --csv.
void record(chapter_run& run, const convolution_table& table, const std::string& chapter_number);

}  // namespace tutorial
