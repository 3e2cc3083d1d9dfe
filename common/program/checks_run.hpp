// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The checks of a program, of a chapter as of an exercise. doctest is compiled once, in checks_run.cpp.
#include <doctest/doctest.h>

namespace tutorial {

/// What came of the checks. Where doctest was only asked something, as by -ltc, it passes with no test case.
struct checks_run {
  bool passed;
  unsigned cases, failed;
};

/// Runs the checks of this program with the options that `context` has. A name that no check has is a failure
/// here, said on standard error, and success for doctest.
checks_run run_checks(doctest::Context& context);

}  // namespace tutorial
