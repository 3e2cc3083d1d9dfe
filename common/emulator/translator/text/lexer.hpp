// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Cuts preprocessed C++ into tokens that remember where they stand.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cuda_emulator::translator {

enum class severity { note, warning, error };

/// "file:line: error: text", as compilers say it. `file` has quotes.
std::string message(std::string_view file, int line, severity how, std::string_view text);

/// Text that cannot be translated. what() is one or more messages, one on a line; the last has no newline.
class source_error : public std::runtime_error {
 public:
  explicit source_error(const std::string& messages) : std::runtime_error(messages) {}
  source_error(std::string_view file, int line, std::string_view text)
      : std::runtime_error(message(file, line, severity::error, text)) {}
};

enum class token_kind { name, number, text, punctuation, end };

/// A piece of the source. White space, comments and directives are the gaps between tokens and are never
/// changed.
struct token {
  token_kind kind;
  std::string_view spelling;  ///< Points into the source, so the distance to its beginning is the position.
  std::string_view file;  ///< From the last line marker, with the quotes: ready to be written as a literal.
  int line;
  bool of_system;  ///< From a header of the compiler, of the system, or in this emulator's include folder.
};

/// The tokens of `source` in order, then one of kind end.
///
/// Keywords are names; string and character literals, with prefix and suffix, are text. Operators are as long
/// as in C++ with one exception: each < and > that can be a bracket is a token of its own, because only the
/// parser can tell `a >> b` from `vector<vector<int>>`. Both arguments must outlive the tokens; `file` has
/// quotes. Throws source_error for comments and literals without an end.
std::vector<token> tokenize(std::string_view source, std::string_view file);

}  // namespace cuda_emulator::translator
