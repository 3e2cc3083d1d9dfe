// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The main of every chapter: its checks by run_checks(), everything else by run_chapter().
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>

#include "chapter.hpp"
#include "checks_run.hpp"
#include "common/files/numbers.hpp"
#include "common/show/console.hpp"
#include "common/verify/counted_check.hpp"
#include "plain_sentence.hpp"

namespace {

/// What failed, on one screen: of the first cases a sentence each, of the others their number.
class failures_on_a_screen : public doctest::IReporter {
 public:
  explicit failures_on_a_screen(const doctest::ContextOptions&) {}
  static constexpr int most_shown = 3;

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {
    if (failed_ > most_shown)
      std::cout << "These are the first " << most_shown << " of " << failed_
                << " checks that failed. To see all of them in the "
                << "test framework's own words: chapters/run " << tutorial::this_chapter().number
                << " --check -r=console" << std::endl;
  }
  void test_case_start(const doctest::TestCaseData& one) override {
    name_ = one.m_name;
    told_ = false;
  }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException& exception) override {
    tell(std::string(exception.is_crash ? "The program crashed: " : "It ended with an error: ") +
         exception.error_string.c_str());
  }
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& data) override {
    if (data.m_failed)
      tell(tutorial::plain_sentence(data) + "\n(" + std::filesystem::proximate(data.m_file).string() + ":" +
           std::to_string(data.m_line) + ")");
  }
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  void tell(std::string sentence) {
    if (std::exchange(told_, true) || ++failed_ > most_shown) return;
    for (std::size_t at = 0; (at = sentence.find('\n', at)) != sentence.npos; at += 3)
      sentence.insert(at + 1, "  ");
    std::cout << "This check failed: " << name_ << "\n  " << sentence << "\n" << std::endl;
  }

  std::string name_;
  bool told_ = false;
  int failed_ = 0;
};
REGISTER_REPORTER("screen", 1, failures_on_a_screen);

int check_chapter(const std::vector<std::string>& arguments) {
  doctest::Context context;
  // doctest shows colors to pipes too unless told otherwise.
  context.setOption("no-colors", !tutorial::color_wanted(false));
  context.setOption("no-breaks", true);
  context.setOption("no-path-filenames", true);
  if (arguments.empty()) context.addFilter("reporters", "screen");  // silent unless something fails
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
