// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "exercise_result.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/device.hpp"
#include "common/program/plain_sentence.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/counted_check.hpp"
#include "seal.hpp"

namespace tutorial {
namespace {

int result_file = -1;  // the file; -1: nobody wants one

/// A field: no tab and no line break in it.
std::string field(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (c == '\\')
      result += "\\\\";
    else if (static_cast<unsigned char>(c) >= 32 && c != 127)
      result += c;
  }
  return result;
}

/// One line, in one piece, so that no end of the program leaves half of it.
void write_line(std::initializer_list<std::string> fields) {
  if (result_file < 0) return;
  std::string line;
  for (const std::string& each : fields) line += (line.empty() ? "" : "\t") + field(each);
  line += '\n';
  static std::recursive_mutex one_by_one;  // in the order of the seal; a crash may come in the middle
  const std::lock_guard lock(one_by_one);
  seal::add(line);
  [[maybe_unused]] const auto written = write(result_file, line.data(), line.size());
}

/// What was given last; forgotten when a check has passed or failed on its result.
std::string last_given;
std::uint64_t given_from = 0;  // the launch that came next then
bool collected = false;        // the check has noted what was wrong, and with what, before it failed

std::vector<std::string> numbers_in(std::string_view text) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') continue;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", i), text.size());
    numbers.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return numbers;
}

/// `sentence` behind what was given, unless it says that already, in its words `known_words`.
std::string with_given(const std::string& sentence, const std::string& known_words) {
  const std::vector<std::string> of_given = numbers_in(last_given), known = numbers_in(known_words);
  const bool says_it = std::all_of(of_given.begin(), of_given.end(), [&](const std::string& number) {
    return std::find(known.begin(), known.end(), number) != known.end();
  });
  return last_given.empty() || collected || says_it ? sentence : last_given + ": " + sentence;
}

/// What is given now, in the checks' own words.
std::string given_now() {
  const std::string of_check = case_at_work::given();
  return of_check.empty() ? captures(said_now()) : of_check;
}

/// Which of chapters/draw's views shows what a check of counts is about; "" where it is about none.
std::string view_of(const std::string& expression) {
  constexpr std::pair<const char*, const char*> views[] = {
      {"shared", "banks"},   {"wavefront", "banks"}, {"constant", "constant"}, {"fetch", "texels"},
      {"sector", "sectors"}, {"request", "sectors"}, {"loads", "sectors"},     {"stores", "sectors"},
      {"loaded", "sectors"}, {"stored", "sectors"},  {"_bytes", "sectors"},    {"threads", "threads"},
      {"barrier", "threads"}};
  if (expression.ends_with("\"\"")) return "";  // what is compared is a text that says what is wrong
  for (const auto& [word, view] : views)
    if (expression.find(word) != expression.npos) return view;
  return "";
}

/// The first failure of the run is the one to be mended first: the report begins with its launches.
class first_failure {
 public:
  /// Of the launches [first, next).
  void show(std::uint64_t first, std::uint64_t next, const std::string& sentence, const std::string& view) {
    if (result_file < 0 || shown_) return;
    shown_ = true;
    const char* trace = std::getenv("EXERCISE_TRACE");
    launches_ = show_launches(first, next - 1, sentence, view.empty() ? "threads" : view,
                              trace == nullptr ? "" : trace);
  }
  /// The check that says so.
  void say(const std::string& sentence, const std::string& view) {
    if (said_ || !shown_) return;
    said_ = true;
    show_launches(1, 0, sentence, view, "");
    if (launches_.empty()) return;
    // The answer's own kernel, if it is known which; of those the last that has the view.
    const char* answer = std::getenv("EXERCISE_ANSWER");
    const auto worth = [&](const shown_launch& each) {
      return 2 * (answer != nullptr && each.place.find(answer) != each.place.npos) + !each.view.empty();
    };
    const shown_launch& best =
        *std::max_element(launches_.rbegin(), launches_.rend(),
                          [&](const shown_launch& a, const shown_launch& b) { return worth(a) < worth(b); });
    write_line({"launch", std::to_string(best.number), best.kernel, best.place, view.empty() ? "" : best.view,
                best.options, best.launched_at});
  }

 private:
  bool shown_ = false, said_ = false;
  std::vector<shown_launch> launches_;
} first;

void show_failure(std::uint64_t begin, std::uint64_t next, const std::string& sentence,
                  const std::string& view) {
  first.show(begin, next, sentence, view);
  first.say(sentence, view);
}

class recorder : public doctest::IReporter {
 public:
  explicit recorder(const doctest::ContextOptions&) {}

  static inline unsigned counted = 0;

  void report_query(const doctest::QueryData& data) override {
    if (data.run_stats != nullptr) counted = data.run_stats->numTestCasesPassingFilters;
  }
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData& data) override {
    ++number_;
    forget_errors();  // those of the case before are not this one's
    mark_ = before_mark_ = next_launch();
    keep_launches();
    begin_timeline();
    last_given.clear();
    begin_ = std::chrono::steady_clock::now();
    write_line({"case", std::to_string(number_), data.m_name});
  }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin_;
    char seconds[40];
    std::snprintf(seconds, sizeof seconds, "%.2f", time.count());
    if (!crashed_)
      write_line({"end", std::to_string(number_), stats.failure_flags == 0 ? "passed" : "failed", seconds});
  }
  void test_case_exception(const doctest::TestCaseException& exception) override {
    const std::string what = exception.error_string.c_str();
    if (exception.is_crash) {
      alarm(20);  // what follows may wait for a lock that the crash has left
      crashed_ = true;
      const std::string given = given_now();
      const std::string signal = what.substr(0, what.find(' '));
      write_line({"crashed", std::to_string(number_), signal, given});
      if (result_file >= 0 && signal != "SIGINT" && signal != "SIGTERM")
        write_line({"places", places_on_the_way()});
      if (result_file < 0 && !given.empty() && !what.starts_with("SIGINT") && !what.starts_with("SIGTERM"))
        std::fprintf(stderr, "This happened with %s.\n", given.c_str());
      return;
    }
    std::vector<std::string> said;
    for (int i = 0; i < get_num_stringified_contexts(); ++i)
      said.emplace_back(get_stringified_contexts()[i].c_str());
    std::string text = captures(said);
    for (const std::string& each : said)
      if (!is_capture(each)) text += (text.empty() ? "" : ": ") + each;
    const std::string sentence =
        with_given((text.empty() ? "" : text + ": ") + "it ended with an error: " + what, text);
    write_line({"failed", std::to_string(number_), "", "0", sentence});
    show_failure(mark_, next_launch(), sentence, "");
  }
  void subcase_start(const doctest::SubcaseSignature& which) override {
    write_line({"given", last_given = which.m_name.c_str()});
  }
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& data) override {
    // What this check is about has been launched since the one before it; several may be about the same.
    if (const std::uint64_t next = next_launch(); next != mark_) before_mark_ = std::exchange(mark_, next);
    if (data.m_failed) log_failure(data);
    last_given.clear();
    case_at_work::leads_to().clear();
    collected = false;
  }
  void log_failure(const doctest::AssertData& data) {
    const std::string expression = data.m_expr;
    const std::string text = plain_sentence(data);
    std::string sentence = with_given(text, text);
    if (const char* answer = std::getenv("EXERCISE_ANSWER"); answer != nullptr)
      if (const std::string wrote = short_write(answer); !wrote.empty())
        sentence +=
            "\n" + wrote + ". Does that size count elements? It has to count bytes: elements times sizeof().";
    write_line({"failed", std::to_string(number_), data.m_file, std::to_string(data.m_line), sentence,
                case_at_work::leads_to()});
    show_failure(before_mark_, mark_, sentence, view_of(expression));
  }
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    if (crashed_) return;
    if (checks_without_counts > 0) write_line({"uncounted", std::to_string(checks_without_counts)});
    write_line({"done", std::to_string(stats.numTestCasesPassingFilters),
                std::to_string(stats.numTestCasesPassingFilters - stats.numTestCasesFailed),
                std::to_string(stats.numTestCasesFailed)});
  }

 private:
  unsigned number_ = 0;
  std::uint64_t mark_ = 0, before_mark_ = 0;  // the launches that came next at the last checks
  std::chrono::steady_clock::time_point begin_;
  bool crashed_ = false;
};
REGISTER_LISTENER("recorder", 1, recorder);

}  // namespace

void record_result(const std::string& file, unsigned cases) {
  result_file = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (result_file < 0) {
    std::fprintf(stderr, "The result of the exercise cannot be written: %s: %s\n", file.c_str(),
                 std::strerror(errno));
    std::exit(2);
  }
  write_line({"exercise-result", "1"});
  write_line({"cases", std::to_string(cases)});
  case_at_work::listeners().given = [] {
    if (case_at_work::given().empty()) return;
    last_given = case_at_work::given();
    given_from = next_launch();
    begin_timeline();
    write_line({"given", last_given});
  };
  case_at_work::listeners().wrong = [] {
    collected = true;
    first.show(given_from, next_launch(), case_at_work::given(), "");
  };
  hear_findings([](const device_finding& found) {
    write_line({"finding", std::to_string(found.launch), found.text});
    for (const auto& [name, value] : found.facts) write_line({"fact", name, value});
  });
  hear_notes([](const char* kind, const char* place, const char* text) {
    write_line({"note", kind, place, text});
  });
}

void record(std::initializer_list<std::string> fields) { write_line(fields); }

void seal_result(const std::vector<kernel_work>& kernels) {
  for (const kernel_work& each : kernels)
    write_line({"kernel", each.kernel, std::to_string(each.launches), std::to_string(each.alone),
                std::to_string(each.shared)});
  write_line({"seal", seal::end()});
}

unsigned count_cases(int argc, char** argv) {
  std::vector<const char*> arguments(argv, argv + argc);
  arguments.push_back("--count");  // setOption() does not know it
  doctest::Context context(static_cast<int>(arguments.size()), arguments.data());
  context.addFilter("reporters", "none");
  context.run();
  return recorder::counted;
}

}  // namespace tutorial
