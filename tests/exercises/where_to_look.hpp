// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Where a learner should look first, and what a crash was, from what a run of the checks has left
/// (exercise_result.md) and from the answer's own file.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace tutorial {

using source_lines = std::vector<std::string>;  ///< The first is line 1.

struct recorded_finding {
  std::string text;
  std::multimap<std::string, std::string> facts;  ///< By name; of several of one name, in order.
  /// The first of this name; empty where there is none.
  std::string fact(const std::string& name) const;
};

struct recorded_note {
  std::string kind, place, text;
};

/// The records of exercise_result.md that this needs.
struct recorded_result {
  std::string sentence, crash_places;  ///< Of the first check that failed; where the program crashed.
  std::string launch_kernel, launch_place, launched_at;
  std::vector<recorded_finding> findings;
  std::vector<recorded_note> notes;
};
recorded_result read_result(std::istream& file);

/// An answer to an exercise, with all that is known of it.
struct checked_answer {
  std::string name;            ///< As the learner knows it: "chapters/.../reverse.cu".
  source_lines text;           ///< What the learner has written.
  source_lines solution;       ///< With its marks.
  source_lines header;         ///< The contract; may be empty.
  source_lines warnings;       ///< Of the compiler, about the answer.
  source_lines errors;         ///< What the program has written to standard error.
  recorded_result result{};
};

/// "chapters/.../reverse.cu:12, and line 9, which computes its index": what the findings name, else a TODO that
/// is not begun, else where a given line is gone, else what the sentence names, else the launch, where the
/// sentence is about that, else the kernel that came to the result, unless all that was written is elsewhere.
std::string where_to_look(const checked_answer& answer);

/// What the standard library refused before it ended the program: "x[m] is out of range: the index is 5, and x
/// has 5 elements, x[0] to x[4].", and the line. Empty where it did not.
std::string refused_in_words(const checked_answer& answer);

}  // namespace tutorial
