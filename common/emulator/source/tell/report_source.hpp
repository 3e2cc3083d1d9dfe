// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The lines of source that a message is about.
#pragma once

#include <string>
#include <vector>

namespace cuda_emulator {

struct source_line {
  int number;
  std::string text;
  enum { near, named, marked } role;  ///< `marked`: it happened here; `named`: declared or allocated here.
};

/// Some lines of one file in a row; none, and why, where the file cannot be shown.
struct source_excerpt {
  std::string file;  ///< As the message names it.
  std::vector<source_line> lines;
  std::string remark;
};

/// What `text` names as file:line, read now, each with a few lines around it.
std::vector<source_excerpt> excerpts_of(const std::string& text);

}  // namespace cuda_emulator
