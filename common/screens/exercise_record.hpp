// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a run of an exercise's checks has left (tests/exercises/exercise_result.md), read again.
#pragma once

#include <istream>
#include <map>
#include <string>
#include <vector>

namespace tutorial {

/// A finding of the emulated device: its text, and its facts by name.
struct recorded_finding {
  std::string text;
  std::multimap<std::string, std::string> facts;  ///< By name; of several of one name, in order.
  std::string launch{};                           ///< Its number in the report; "0": none.
  /// The first of this name; empty where there is none.
  std::string fact(const std::string& name) const;
};

struct recorded_note {
  std::string kind, place, text;
};

/// Of the launch that shows the first failure. Empty where there is none.
struct recorded_launch {
  std::string number, kernel, place, view, options, at;  ///< The kernel's place, and that of the launch.
};

/// What the standard library refused before it ended the program.
struct recorded_refusal {
  std::string index, container, element, size;  ///< Of an index out of range; the element may be empty.
  std::string function, condition;              ///< Of what else.
};

/// Empty, 0 or false is what is not known.
struct exercise_record {
  int cases = 0, ended_cases = 0;         ///< How many were to run, and how many ended.
  std::string case_name, given;           ///< Of the case that ran last, and what the answer was given last.
  std::vector<std::string> failed_cases;  ///< In order.
  std::string sentence, sentence_case;    ///< Of the first check that failed.
  std::string leads_to;                   ///< What that sentence is about (case_at_work::leads_to()).
  recorded_launch launch;
  std::vector<recorded_finding> findings;
  std::vector<recorded_note> notes;
  recorded_refusal refusal;
  std::string crashed, crash_places;  ///< The signal; file:line of the functions, the innermost first.
  bool all_ran = false;               ///< Every case ended by itself.

  /// The first of this kind; null where there is none.
  const recorded_note* note(const std::string& kind) const;
};

/// Lines that are not understood are left out: programs of others may have written them.
exercise_record read_record(std::istream& file);

}  // namespace tutorial
