// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The main of every chapter: its checks by run_checks(), everything else by run_chapter().
#include <chrono>
#include <iostream>

#include "chapter.hpp"
#include "checks_run.hpp"
#include "common/files/numbers.hpp"
#include "common/show/console.hpp"
#include "common/verify/counted_check.hpp"

namespace {

int check_chapter(const std::vector<std::string>& arguments) {
  doctest::Context context;
  // doctest shows colors to pipes too unless told otherwise.
  context.setOption("no-colors", !tutorial::color_wanted(false));
  context.setOption("no-breaks", true);
  context.setOption("no-path-filenames", true);
  if (arguments.empty()) context.setOption("minimal", true);  // silent unless something fails
  std::vector<const char*> pointers = {"--check"};
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  context.applyCommandLine(int(pointers.size()), pointers.data());

  const auto begin = std::chrono::steady_clock::now();
  const tutorial::checks_run run = [&] {
    tutorial::progress shown("checks", tutorial::count_checks(pointers));
    return tutorial::run_checks(context, &shown);
  }();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (run.cases == 0) return run.passed ? 0 : 1;
  const std::string time = tutorial::fixed(seconds, 1) + " s";
  if (!run.passed) {
    std::cerr << "FAILED: " << run.failed << " of " << run.cases << (run.cases == 1 ? " check" : " checks")
              << ", in " << time << std::endl;
    return 1;
  }
  std::cout << tutorial::colored(
                   std::to_string(run.cases) + (run.cases == 1 ? " check" : " checks") + " passed",
                   tutorial::tone::good)
            << " in " << time;
  if (const int without = tutorial::checks_without_counts; without > 0)
    std::cout << " (" << without << (without == 1 ? " of them needs" : " of them need")
              << " counts, which this device does not have)";
  if (const int without = tutorial::checks_without_memory; without > 0)
    std::cout << " (" << without
              << (without == 1 ? " of them was left out: it needs" : " of them were left out: they need")
              << " gigabytes of a GPU's memory)";
  std::cout << std::endl;
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::span<const char* const> all(arguments, std::size_t(count));
  return tutorial::run_chapter(tutorial::this_chapter(), all.subspan(count > 0 ? 1 : 0), check_chapter);
}
