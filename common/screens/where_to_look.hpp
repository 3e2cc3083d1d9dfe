// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where a learner should look first, and what a crash was, from what a run of the checks has left and from
// the answer's own file.
#pragma once

#include <string>
#include <vector>

#include "exercise_record.hpp"
#include "screen_text.hpp"

namespace tutorial {

/// Of the compiler, about an answer.
struct compiler_warning {
  std::string text;         ///< "chapters/.../reverse.cu:9:12: ..."
  bool ends_an_if = false;  ///< An if that ends at its semicolon.
};

/// An answer to an exercise, with all that is known of it.
struct checked_answer {
  std::string name;       ///< As the learner knows it: "chapters/.../reverse.cu".
  source_lines text;      ///< What the learner has written.
  source_lines solution;  ///< With its marks.
  source_lines header;    ///< The contract; may be empty.
  std::vector<compiler_warning> warnings;
  source_lines errors;  ///< What the program has written to standard error.
  exercise_record record{};
};

/// What the learner gets, from a solution with its marks.
source_lines starter_of(const source_lines& solution);

/// "chapters/.../reverse.cu:12, and line 9, which computes its index": what the findings name, else a TODO
/// that is not begun, else where a given line is gone, else what the sentence names, else the launch, where
/// the sentence is about that, else the kernel that came to the result, unless all that was written is
/// elsewhere.
std::string where_to_look(const checked_answer& answer);

/// What the standard library refused before it ended the program: "x[m] is out of range: the index is 5, and
/// x has 5 elements, x[0] to x[4].", and the line. Empty where it did not.
std::string refused_in_words(const checked_answer& answer);

}  // namespace tutorial
