// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Cuts preprocessed C++ into tokens that remember where they stand.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cuda_emulator::translator {

/// Text that cannot be translated. what() is "file:line: message".
class source_error : public std::runtime_error {
 public:
  source_error(std::string_view file, int line, const std::string& message);
};

enum class token_kind { name, number, text, punctuation, end };

/// A piece of the source. White space, comments and directives are the gaps between tokens and are never
/// changed.
struct token {
  token_kind kind;
  std::string_view spelling;  ///< Points into the source, so the distance to its beginning is the position.
  std::string_view file;  ///< From the last line marker, with the quotes: ready to be written as a literal.
  int line;
};

/// The tokens of `source` in order, then one of kind end.
///
/// Keywords are names; string and character literals, with prefix and suffix, are text. Operators are as long
/// as in C++ with one exception: each < and > that can be a bracket is a token of its own, because only the
/// parser can tell `a >> b` from `vector<vector<int>>`. Both arguments must outlive the tokens; `file` has
/// quotes. Throws source_error for comments and literals without an end.
std::vector<token> tokenize(std::string_view source, std::string_view file);

}  // namespace cuda_emulator::translator
