// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A source with a list of changes to be made to it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax.hpp"

namespace cuda_emulator::translator {

/// The words that CUDA adds to declarations. A host compiler knows none of them.
enum class cuda_word { none, kernel, launch_bounds, device, host, constant, managed, shared, unsupported };

/// The source never changes while it is read: changes are collected and made at the end.
class editor : public syntax {
 public:
  /// `file` has quotes. Throws source_error as syntax does.
  editor(std::string_view source, std::string_view file);

  /// The CUDA word at i, unless it has been dealt with: replaced or erased.
  cuda_word word(place i) const;
  bool is_changed(place i) const { return replaced_[i]; }

  /// Changes keep the newlines of what they replace. At the same place the first one made comes first.
  void replace(place i, std::string text);
  void erase(place begin, place end);
  void insert_after(place i, std::string text);

  /// `"file", LINE` of the token, as two arguments.
  std::string where(place i) const;

  /// Says something about the token at i. After an error the translation goes on, so that others are found
  /// too, and has no result in the end. A note belongs to what was said before it. Nothing is said of a
  /// warning about headers of the system, nor of its notes.
  void say(severity how, place i, const std::string& text);
  /// The same about another line of the token's file, which the preprocessor has left nothing of.
  void say(severity how, place i, int line, const std::string& text);
  /// Says an error after which nothing more can be found: throws source_error with all that was said.
  [[noreturn]] void fail(place i, const std::string& text) const;

  /// What was said, in the order of the source: one message on a line, the last one without a newline.
  std::string messages() const;
  /// The source with all changes made. Throws source_error if an error was said.
  std::string result() const;
  /// Where the token at i begins in result().
  std::size_t place_in_result(place i) const;

 private:
  struct change {
    std::size_t position, length;
    std::string text;
  };

  struct saying {
    place about;
    std::string text;
  };

  std::size_t position(place i) const;

  std::string_view source_;
  std::vector<saying> said_;
  bool failed_ = false, silent_ = false;
  std::vector<bool> replaced_;
  std::vector<change> changes_;
  // [k]: where the k-th change in the order of the source ends, and by how much all up to it make the result
  // longer. Made when it is first asked for.
  mutable std::vector<std::pair<std::size_t, std::ptrdiff_t>> moved_;
};

/// As a string literal.
std::string in_quotes(std::string_view text);
/// What a literal stands for whose only escapes are those of a line marker: a backslash and a character, or
/// (clang) a backslash and three octal digits.
std::string unquoted(std::string_view literal);

}  // namespace cuda_emulator::translator
