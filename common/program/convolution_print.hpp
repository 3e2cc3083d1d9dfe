// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// A convolution_table for people and for programs.
#pragma once

#include <string>

#include "convolution_chapter.hpp"

namespace tutorial {

/// Prints heading and table, and with --counts what each launch did.
void print(chapter_run& run, const convolution_table& table);

/// With --explain: what each version that chooses has chosen for the table's work, and why; or that none in it does.
void explain(chapter_run& run, const convolution_chapter_parts& parts, const convolution_table& table);

/// Every row for --csv.
void record(chapter_run& run, const convolution_table& table, const std::string& chapter_number);

}  // namespace tutorial
