// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What chapters/exercise check shows of checks that have not all passed, and a student's page of
// chapters/grade.
#pragma once

#include <string>

#include "where_to_look.hpp"

namespace tutorial {

/// A run of an answer's checks.
struct checked_run {
  checked_answer answer;
  std::string exercise;       ///< "02 3"
  int status = 0;             ///< That the program ended with.
  std::string stopped;        ///< Why it was ended; empty: it was not.
  source_lines printed;       ///< What it wrote to standard output.
  std::string report;         ///< The name of its report; empty: there is none.
  std::string trace;          ///< The name of a trace of its launches; empty: there is none.
  std::string root;           ///< Of the repository: is left out of names.
  int width = 100'000;        ///< Letters in a line.
  bool all_is_shown = false;  ///< All that it wrote has been shown already.
  int hints = 0;              ///< That the learner has asked for.
};

/// One screen, without a line break at its end: what it printed, the sentence, the finding, what else failed,
/// where to look, the hint, the report. Where faults are to be found, no line
/// and no cause before the first hint.
std::string failed_check_screen(const checked_run& run);

}  // namespace tutorial
