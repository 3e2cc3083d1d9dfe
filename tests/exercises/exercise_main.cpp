// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "common/verify/counted_check.hpp"

namespace {

int test_cases_started = 0;

/// Counts what doctest runs: a filter that matches nothing is success for doctest, and must not be for us.
struct counter : doctest::IReporter {
  explicit counter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override { ++test_cases_started; }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("counter", 1, counter);

}  // namespace

int main(int argc, char** argv) {
  doctest::Context context;
  context.setOption("no-intro", true);
  context.applyCommandLine(argc, argv);
  const int status = context.run();
  if (context.shouldExit()) return status;  // --list-test-cases and the like run nothing, rightly
  if (test_cases_started == 0) {
    std::fputs("No check was run: nothing is called like that (--list-test-cases shows the names).\n",
               stderr);
    return 1;
  }
  if (tutorial::checks_without_counts > 0)
    std::puts("Counts were not checked: this device does not count. The emulated one does.");
  return status;
}
