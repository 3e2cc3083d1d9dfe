// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a run of an exercise's checks leaves behind for those who show it: chapters/exercise, chapters/grade.
// exercise_result.md describes the file.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "common/device/thread_work.hpp"
#include "common/program/checks_run.hpp"

namespace tutorial {

/// From now on, writes each event of the checks to `file`, at once: it is whole up to the moment at which
/// the program ends, however it does. Ends the program with status 2 where the file cannot be written.
/// `cases` is the number of test cases that are going to run.
void record_result(const std::string& file, unsigned cases);

/// Writes one more record: its kind, and its words.
void record(std::initializer_list<std::string> fields);

/// Ends the record with what the kernels of the run did, and with its seal (seal.hpp).
void seal_result(const std::vector<kernel_work>& kernels);

/// How many test cases of this program pass the filters that these arguments have.
unsigned count_cases(int argc, char** argv);

}  // namespace tutorial
