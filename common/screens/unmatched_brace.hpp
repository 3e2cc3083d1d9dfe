// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where a file of C++ has a { without its }, or a } without its {. A compiler counts braces, so it names the
// last one that is left, often a namespace far away. Here the indentation tells which one it is.
#pragma once

#include <optional>
#include <string>

#include "screen_text.hpp"

namespace tutorial {

/// A brace without a partner, made by find_unmatched_brace().
struct unmatched_brace {
  int line = 0;
  std::string function;  ///< That it is in, or is the head of; may be empty.
  std::string sentence;  ///< "the { in line 18 has no }: by the indentation, it is missing before line 21"
};

/// Nothing where all have partners.
std::optional<unmatched_brace> find_unmatched_brace(const source_lines& lines);

}  // namespace tutorial
