// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "failed_check.hpp"

#include <string.h>

#include <algorithm>
#include <regex>

namespace tutorial {
namespace {

using std::string;

constexpr int screen_lines = 25;

/// What a signal means to somebody who does not know its name.
string signal_in_words(const string& name) {
  if (name == "SIGSEGV" || name == "SIGBUS") return "it used memory that is not its own";
  if (name == "SIGFPE") return "an impossible division, by zero most often";
  if (name == "SIGILL") return "an instruction that does not exist, or a trap";
  if (name == "SIGABRT") return "it gave up";
  return "a signal ended it";
}

string several(std::size_t count, const string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

class screen {
 public:
  explicit screen(const checked_run& run) : run_(run), record_(run.answer.record) {
    given_ = record_.given.empty() ? "" : "\n  with " + record_.given;
    file_ = run_.answer.name.substr(run_.answer.name.rfind('/') + 1);
    failed_ = record_.note("failed_call");
    if (failed_ != nullptr && failed_->place.find(file_ + ":") == string::npos) failed_ = nullptr;
    const std::regex faults("// SOLUTION:.*( fault|right\\?)");
    for (const string& line : run_.answer.solution)
      only_symptoms_ |= run_.hints == 0 && !run_.all_is_shown && std::regex_search(line, faults);
  }

  string text() const {
    // Each part has its share of the screen, and what is said last has no less of it than it needs.
    const string last = end();  // not broken into lines: a command is to be copied
    const string sentence = lines(failed_call() + this->sentence(), 6), others = lines(this->others(), 2),
                 extra = this->extra();
    int left = screen_lines - 3 - count_lines(sentence) - count_lines(others) - rows_of(last, run_.width) -
               count_lines(extra);
    const bool prints = !run_.printed.empty();
    string found = symptoms_of(finding());
    if (!found.empty()) found = lines(found, prints ? left - 4 : left);
    left -= count_lines(found);
    string result;
    if (prints && !run_.all_is_shown) {
      string printed;
      for (const string& line : run_.printed) printed += "  | " + line + "\n";
      result = "It printed:\n" + lines(printed, std::min(left - 1, 6)) + "\n";
    }
    result += "\n" + sentence + "\n";
    for (const string& part : {found, extra})
      if (!part.empty()) result += part + "\n";
    return result + others + "\n\n" + last;
  }

 private:
  string verbose() const { return "chapters/exercise check " + run_.exercise + " --verbose"; }
  string lines(const string& text, int most) const { return first_lines(text, most, run_.width, verbose()); }
  bool is_found() const { return !record_.findings.empty(); }
  bool has_crashed() const { return !record_.crashed.empty() || run_.status > 128; }
  /// Of what is said, where faults are to be found: what happened, but neither the line nor the cause.
  string symptoms_of(string text) const {
    if (!only_symptoms_) return text;
    text = std::regex_replace(
        text, std::regex(R"(,? ?(declared |allocated )?(at )?[^ (\n]*)" + file_ + ":[0-9]+(: )?"), "");
    for (const char* const cause : {"Usual cause: ", "\n  line "}) text = text.substr(0, text.find(cause));
    return text.substr(0, text.find_last_not_of(" \n") + 1);
  }

  /// The first call that failed, before the checks' own words: what came after it is no wonder.
  string failed_call() const {
    if (failed_ == nullptr || is_found() || has_crashed() || !run_.stopped.empty()) return "";
    const string place = only_symptoms_ ? "" : "at " + failed_->place + ", ", here = " failed here:";
    string text = failed_->text;
    if (const std::size_t at = text.find(here); at != text.npos) text.replace(at, here.size(), " failed:");
    return "Before anything else: " + place + symptoms_of(text) + "\n";
  }

  string this_case() const {
    return record_.case_name + (record_.given.empty() ? "" : ", with " + record_.given);
  }

  /// What failed.
  string sentence() const {
    const string status = std::to_string(run_.status);
    if (record_.cases == 0) {
      if (!run_.stopped.empty()) return "The program did not end.";
      if (run_.status > 128) return "The program crashed before its first check.";
      return "The program ended with status " + status + " before its first check.";
    }
    if (!record_.sentence.empty()) {
      string indented, said = record_.sentence;
      // How the values look is no lead where what should have computed them has not run.
      if (failed_ != nullptr) said = said.substr(0, said.find(" All values are "));
      for (const char c : said) indented += c == '\n' ? "\n  " : string(1, c);
      return "This check failed: " + record_.sentence_case + "\n  " + indented;
    }
    const string which = record_.case_name + given_;
    if (is_found()) return "The emulated device ended this check: " + which;
    if (!run_.stopped.empty()) return "This check did not end: " + which;
    if (!record_.crashed.empty()) return "The program crashed in this check: " + which;
    return "The program ended with status " + status + " in the middle of this check: " + which;
  }

  /// What the device or the system says about it.
  string finding() const {
    if (is_found()) return of_device();
    if (!run_.stopped.empty()) return of_stop();
    if (has_crashed()) return of_crash();
    // Of calls that failed and nobody asked about, or why the program ended.
    source_lines notes;
    for (const string& line : run_.answer.errors)
      if (line.find(": note: ") != line.npos && notes.size() < 3 &&
          (record_.all_ran || line.find(" failed") != line.npos) &&  // it ended early: it had no time to free
          (failed_ == nullptr || line.find(failed_->text) == line.npos))
        notes.push_back(line);
    if (!notes.empty() || record_.all_ran) return text_of_lines(notes);
    const string said = said_in_the_end();
    return record_.cases == 0 ? said
                              : "Nothing crashed: a call such as exit() ends a program like this." + said;
  }

  string of_device() const {
    string text;
    if (!record_.sentence.empty()) text = "Then the emulated device ended this check: " + this_case() + "\n";
    text += record_.findings.front().text;
    // A call that failed, and may be why.
    if (failed_ != nullptr) text += "\nBefore that, at " + failed_->place + ": " + failed_->text;
    return text;
  }

  string of_stop() const {
    string text = "It was ended, because " + run_.stopped + ".";
    // Too early for a note about the kernel, it is known which it was.
    if (const recorded_note* const note = record_.note("long_kernel"); note != nullptr)
      text += "\n" + note->text.substr(0, note->text.find('\n'));
    else if (const recorded_note* const middle = record_.note("interrupted"); middle != nullptr)
      text += "\nIt was in the middle of " + middle->text + ".";
    return record_.sentence.empty() ? text
                                    : "After that, this check did not end: " + this_case() + "\n" + text;
  }

  string of_crash() const {
    string text = refused_in_words(run_.answer);
    if (text.empty()) {
      const char* const name = sigabbrev_np(run_.status - 128);
      const string signal = !record_.crashed.empty() ? record_.crashed
                            : name == nullptr        ? ""
                                                     : "SIG" + string(name);
      text = signal + ": " + signal_in_words(signal) + "." + said_in_the_end();
    }
    return record_.sentence.empty()
               ? text
               : "After that, the program crashed in this check: " + this_case() + "\n" + text;
  }

  /// The last lines that the program wrote to standard error, each behind a line end.
  string said_in_the_end() const {
    source_lines said;
    for (const string& line : run_.answer.errors)
      if (line.find_first_not_of(' ') != line.npos && line.find(": note: ") == line.npos &&
          !line.starts_with("Usual cause: "))
        said.push_back("\n  " + without(line, run_.root + "/"));
    string text;
    for (std::size_t i = said.size() < 4 ? 0 : said.size() - 4; i < said.size(); ++i) text += said[i];
    return text;
  }

  /// More findings; and what the compiler has seen, which may be why.
  string extra() const {
    const std::size_t more = is_found() ? record_.findings.size() - 1 : 0;
    string text;
    if (more > 0 && !run_.all_is_shown) text = "... and " + several(more, "more finding");
    if (!text.empty() && !only_symptoms_)  // the device names the lines
      text += "; " + verbose() + " shows all";
    if (run_.answer.warnings.empty() || (is_found() && only_symptoms_)) return text;
    return (text.empty() ? "" : text + "\n") +
           lines("The compiler warns: " + run_.answer.warnings.front().text, 3);
  }

  string others() const {
    const std::size_t failed = record_.failed_cases.size();
    if (record_.cases == 0) return "No check was made.";
    const string cases = std::to_string(record_.cases);
    if (!record_.all_ran)
      return failed == 0 ? "This was check " + std::to_string(record_.ended_cases + 1) + " of " + cases + "."
                         : "Of " + cases + " checks, " +
                               std::to_string(record_.ended_cases - static_cast<int>(failed)) + " passed, " +
                               std::to_string(failed) + " failed, and 1 was not finished.";
    if (failed < 2) return "1 of " + cases + " checks failed.";
    string text = std::to_string(failed) + " of " + cases + " checks failed. " +
                  (failed == 2 ? "This one, too: " : "These, too: ");
    for (std::size_t i = 1; i < failed; ++i) text += (i == 1 ? "" : "; ") + record_.failed_cases[i];
    return text;
  }

  /// What is always there: where to look, the hint, the report.
  string end() const {
    const string& name = run_.answer.name;
    string text;
    if (starter_of(run_.answer.solution) == run_.answer.text)
      text = "(" + name.substr(name.rfind('/') + 1) +
             " is still the file that you started with. If you have changed it, save it first.)\n";
    text += "Where to look: " +
            (only_symptoms_ ? name + " (from the first hint on, you also see the line)"
                            : where_to_look(run_.answer)) +
            "\nA hint: chapters/exercise hint " + run_.exercise;
    const bool timeline = record_.note("timeline") != nullptr;
    const recorded_launch& launch = record_.launch;
    if (run_.report.empty() ||
        !(timeline || record_.note("refusals") != nullptr || !launch.number.empty() || is_found()))
      return text;
    // The report begins with a finding's launch, wherever it came.
    string number = is_found() ? record_.findings.back().launch : "";
    if (number.empty() || number == "0") number = launch.number;
    text += string("\nA report of this run") + (timeline ? ", with its timeline: " : ": ") + run_.report +
            (number.empty() || number == "0" ? "" : " (launch " + number + ")");
    if (!launch.view.empty() && !run_.trace.empty())
      text += "\nWhat was counted, as a picture: chapters/draw " + run_.trace + " --launch " + launch.number +
              " --view " + launch.view + (launch.options.empty() ? "" : " " + launch.options);
    return text;
  }

  const checked_run& run_;
  const exercise_record& record_;
  string given_, file_;
  const recorded_note* failed_ = nullptr;  // a call of the answer's that failed, and nobody asked
  bool only_symptoms_ = false;
};

}  // namespace

string failed_check_screen(const checked_run& run) { return screen(run).text(); }

}  // namespace tutorial
