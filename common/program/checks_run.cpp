// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT
#include "checks_run.hpp"

#include <iostream>

namespace {

// doctest calls it a success when a filter matches nothing; a listener learns how many test cases ran. It is
// called before doctest prints.
struct tally : doctest::IReporter {
  static inline doctest::TestRunStats stats = {};
  static inline bool ran = false;
  static inline unsigned counted = 0;
  static inline tutorial::progress* shown = nullptr;

  explicit tally(const doctest::ContextOptions&) {}
  void test_run_end(const doctest::TestRunStats& result) override {
    stats = result;
    ran = true;
  }
  void report_query(const doctest::QueryData& query) override {
    if (query.run_stats != nullptr) counted = query.run_stats->numTestCasesPassingFilters;
  }
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData& one) override {
    if (shown != nullptr) shown->step(one.m_name);
  }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override { make_room(); }
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& one) override {
    if (one.m_failed) make_room();
  }
  void log_message(const doctest::MessageData&) override { make_room(); }
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  static void make_room() {
    if (shown != nullptr) shown->hide();
  }
};
REGISTER_LISTENER("tally", 1, tally);

}  // namespace

unsigned tutorial::count_checks(const std::vector<const char*>& arguments) {
  std::vector<const char*> all = arguments;
  all.push_back("--count");  // setOption() does not know it
  doctest::Context context(int(all.size()), all.data());
  context.addFilter("reporters", "none");
  tally::counted = 0;
  context.run();
  return tally::counted;
}

tutorial::checks_run tutorial::run_checks(doctest::Context& context, progress* shown) {
  tally::shown = shown;
  const bool passed = context.run() == 0;
  tally::shown = nullptr;
  std::cout << std::flush;
  // -ltc and the like: a question, not a run
  if (!tally::ran) return {.passed = passed, .cases = 0, .failed = 0};
  const unsigned cases = tally::stats.numTestCasesPassingFilters, failed = tally::stats.numTestCasesFailed;
  if (cases == 0)
    std::cerr << "FAILED: no check ran: no name matches; use -ltc instead to list them" << std::endl;
  return {.passed = passed && cases > 0 && failed == 0, .cases = cases, .failed = failed};
}
