// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The main of every chapter: its checks by doctest, everything else by run_chapter().
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "chapter.hpp"
#include "common/files/numbers.hpp"
#include "common/show/console.hpp"
#include "common/verify/counted_check.hpp"

namespace {

// doctest calls it a success when a filter matches nothing; a listener learns how many test cases ran.
struct tally : doctest::IReporter {
  static inline doctest::TestRunStats stats = {};
  static inline bool ran = false;

  explicit tally(const doctest::ContextOptions&) {}
  void test_run_end(const doctest::TestRunStats& result) override {
    stats = result;
    ran = true;
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("tally", 1, tally);

int run_checks(const std::vector<std::string>& arguments) {
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
  tutorial::progress progress("checks");
  const int status = context.run();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!tally::ran) return status;  // -ltc and the like: a question, not a run
  const unsigned cases = tally::stats.numTestCasesPassingFilters, failed = tally::stats.numTestCasesFailed;
  std::cout << std::flush;
  if (cases == 0) {
    std::cerr << "FAILED: no check ran: no name matches; -ltc after --check lists them" << std::endl;
    return 1;
  }
  const std::string time = tutorial::fixed(seconds, 1) + " s";
  if (status != 0 || failed != 0) {
    std::cerr << "FAILED: " << failed << " of " << cases << " checks, in " << time << std::endl;
    return 1;
  }
  std::cout << tutorial::colored(std::to_string(cases) + (cases == 1 ? " check" : " checks") + " passed",
                                 tutorial::tone::good)
            << " in " << time;
  if (const int without = tutorial::checks_without_counts; without > 0)
    std::cout << " (" << without << " of them need counts, which this device does not have)";
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
  return tutorial::run_chapter(tutorial::this_chapter(), all.subspan(count > 0 ? 1 : 0), run_checks);
}
