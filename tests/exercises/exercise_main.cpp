// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The main of every exercise: its checks, and doctest's own words about them.
#include <cstdio>

#include "common/program/checks_run.hpp"
#include "common/verify/counted_check.hpp"

int main(int argc, char** argv) {
  doctest::Context context;
  context.setOption("no-intro", true);
  context.applyCommandLine(argc, argv);
  const bool passed = tutorial::run_checks(context).passed;
  if (tutorial::checks_without_counts > 0)
    std::puts("Counts were not checked: this device does not count. The emulated one does.");
  return passed ? 0 : 1;
}
