// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// As much of the grammar of C++ as the translator needs: brackets, template arguments, the outline of a
// declaration.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lexer.hpp"

namespace cuda_emulator::translator {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A place in the token sequence.
using place = std::size_t;
inline constexpr place nowhere = static_cast<place>(-1);

/// What the beginning of a declaration, up to its body or semicolon, says about it.
struct outline {
  place name = nowhere;        ///< The name before the parameters of a function.
  place parameters = nowhere;  ///< Their opening parenthesis.
  bool has_namespace = false, has_enum = false, has_class = false, has_operator = false;
  bool has_initializer = false;          ///< An = outside of all brackets.
  bool has_member_initializers = false;  ///< The colon of a constructor.
};

/// Tokens with their bracket structure.
class syntax {
 public:
  /// Throws source_error for brackets that do not match.
  syntax(std::string_view source, std::string_view file);

  place size() const { return tokens_.size() - 1; }  // without the end token
  const token& operator[](place i) const { return tokens_[i]; }
  bool is(place i, std::string_view spelling) const { return tokens_[i].spelling == spelling; }
  /// A name that is no keyword.
  bool is_name(place i) const;
  /// Two tokens with nothing between them.
  bool adjacent(place i) const { return tokens_[i].spelling.end() == tokens_[i + 1].spelling.begin(); }

  /// The other bracket of a pair of (), [] or {}.
  place partner(place i) const { return partners_[i]; }
  /// For an opening bracket the place behind its partner, otherwise i + 1.
  place after_group(place i) const {
    return partners_[i] != nowhere && partners_[i] > i ? partners_[i] + 1 : i + 1;
  }
  /// Can the < at i begin template arguments? Not a shift, and not behind a number or a parenthesis.
  bool is_angle(place i) const;
  /// The place behind the template arguments that begin with the < at i; nowhere if it is less-than.
  place after_angles(place i) const;
  /// The < of the template arguments that end with the > at i; nowhere if it is greater-than.
  place angles_begin(place i) const;
  /// Behind attributes, alignas(...), decltype(...) and the like that begin at i; i itself if there are none.
  place after_specifier(place i) const;

  /// The place behind what begins at i and belongs together: a specifier, a pair of brackets, a name with its
  /// template arguments, template with its parameters, or one token.
  place after_item(place i) const;

  outline outline_of(place begin, place end) const;
  /// Whether a declaration without a body is of a function.
  bool is_function(const outline& seen) const;

  /// Whether the brace behind such an outline begins the body of a function.
  bool opens_body(const outline& seen, place brace) const;
  /// Whether it initializes what is named before it: S() : a{1} {}
  bool follows_name(place brace) const { return is_name(brace - 1) || is(brace - 1, ">"); }

  /// Where the statement begins in which i stands; `open` is the bracket around it.
  place statement_begin(place i, place open) const;

  /// The brace that closes the block around i; size() if there is none.
  place block_end(place i) const { return block_ends_[i]; }

  /// What has_working_constructor() has found for each name: it goes through the whole source.
  std::unordered_map<std::string_view, bool>& known_constructors() const { return known_constructors_; }

  /// The tokens [begin, end) on one line, without comments; a space where there was a gap. A raw string of
  /// several lines becomes an ordinary one with the same characters.
  std::string text(place begin, place end) const;

 private:
  bool begins_statement(place i) const;
  bool opens_requirements(place brace) const;
  place before(place i) const;

  std::vector<token> tokens_;
  std::vector<place> partners_;
  std::vector<place> block_ends_;
  // What after_angles() has found for each <: it is asked again and again, of nested ones from each level.
  static constexpr place unknown = nowhere - 1;
  mutable std::vector<place> after_angles_;
  mutable std::unordered_map<std::string_view, bool> known_constructors_;
};

}  // namespace cuda_emulator::translator
