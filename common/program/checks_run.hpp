// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once
// The checks of a program, of a chapter as of an exercise. doctest is compiled once, in checks_run.cpp.
#include <doctest/doctest.h>

#include <vector>

#include "common/show/console.hpp"

namespace tutorial {

/// What came of the checks. Where doctest was only asked something, as by -ltc, it passes with no test case.
struct checks_run {
  bool passed;
  unsigned cases, failed;
};

/// Runs the checks of this program with the options that `context` has. A name that no check has is a failure
/// here, said on standard error, and success for doctest.
/// `shown`, unless null, gets a step for each case.
checks_run run_checks(doctest::Context& context, progress* shown = nullptr);

/// How many cases these arguments of doctest's choose; the first one is the program's name.
unsigned count_checks(const std::vector<const char*>& arguments);

}  // namespace tutorial
