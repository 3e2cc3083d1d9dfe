// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The main of every exercise: its checks, and doctest's own words about them. Where EXERCISE_RESULT names a
// file, what came of them is written there (exercise_result.md), and doctest is silent without --verbose.
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "common/device/thread_work.hpp"
#include "common/program/checks_run.hpp"
#include "common/verify/counted_check.hpp"
#include "exercise_result.hpp"
#include "seal.hpp"

int main(int argc, char** argv) {
  bool verbose = false;
  std::vector<char*> arguments;
  for (int i = 0; i < argc; ++i)
    if (i > 0 && std::string_view(argv[i]) == "--verbose")
      verbose = true;
    else
      arguments.push_back(argv[i]);
  const int count = static_cast<int>(arguments.size());

  doctest::Context context;
  context.setOption("no-intro", true);
  context.applyCommandLine(count, arguments.data());
  if (const char* file = std::getenv("EXERCISE_RESULT"); file != nullptr && *file != '\0') {
    tutorial::record_result(file, tutorial::count_cases(count, arguments.data()));
    if (!verbose) context.addFilter("reporters", "none");
  }
  bool passed = false;
  const auto run = [&] { passed = tutorial::run_checks(context).passed; };
  if (tutorial::seal::wanted())
    tutorial::seal_result(tutorial::count_kernel_work(run));
  else
    run();
  if (tutorial::checks_without_counts > 0)
    std::puts("Counts were not checked: this device does not count. The emulated one does.");
  if (tutorial::checks_without_devices > 0)
    std::puts(
        "Several devices were not checked: this machine has one. The emulated device has four: "
        "--preset emulated.");
  return passed ? 0 : 1;
}
