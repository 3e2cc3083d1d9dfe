// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a learner sees of what has failed. Names begin at the repository's folder, ROOT, or with /.
//   learner_screen check ROOT EXERCISE ANSWER SOLUTION KEPT REPORT STATUS WIDTH VERBOSE HINTS [STOPPED]
//       of a run of the checks whose record, output, errors, warnings and trace are KEPT.result, .out ...,
//       after so many hints
//   learner_screen build ROOT LOG WIDTH VERBOSE SHOWS_ALL [ANSWER [SOLUTION]]
//       of a build that has failed
//   learner_screen warnings ROOT LOG ANSWER
//       what the compiler warned of, as KEPT.warnings has it: the words, a tab, and `if` for an if that ends
//       at its semicolon
//   learner_screen brace FILE
//       line, function and sentence, between tabs, where a brace has no partner
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler_words.hpp"
#include "failed_check.hpp"
#include "unmatched_brace.hpp"

namespace {

using std::string;
using namespace tutorial;

string name_in(const string& root, const string& file) {
  return file.starts_with(root + "/") ? file.substr(root.size() + 1) : file;
}

string name_if_there(const string& root, const string& file) {
  struct stat facts {};
  return stat(file.c_str(), &facts) == 0 && facts.st_size > 0 ? name_in(root, file) : "";
}

exercise_record record_in(const string& file) {
  std::ifstream stream(file);
  return read_record(stream);
}

void say_check(const std::vector<string>& words) {
  checked_run run;
  run.root = words.at(1);
  run.exercise = words.at(2);
  const string &answer = words.at(3), &kept = words.at(5);
  run.answer = {name_in(run.root, answer),
                lines_of_file(answer),
                lines_of_file(words.at(4)),
                lines_of_file(answer.substr(0, answer.rfind('.')) + ".hpp"),
                {},
                lines_of_file(kept + ".err"),
                record_in(kept + ".result")};
  for (const string& line : lines_of_file(kept + ".warnings"))
    run.answer.warnings.push_back({line.substr(0, line.find('\t')), line.ends_with("\tif")});
  for (const string& line : lines_of_file(kept + ".out")) run.printed.push_back(without(line, "\r"));
  run.report = name_if_there(run.root, words.at(6));
  run.trace = name_if_there(run.root, kept + ".trace");
  run.status = std::atoi(words.at(7).c_str());
  run.width = std::atoi(words.at(8).c_str());
  run.all_is_shown = words.at(9) != "0";
  run.hints = std::atoi(words.at(10).c_str());
  run.stopped = words.size() > 11 ? words[11] : "";
  std::cout << failed_check_screen(run) << '\n';
}

void say_build(const std::vector<string>& words) {
  failed_build build;
  build.root = words.at(1);
  build.log = words.at(2);
  build.width = std::atoi(words.at(3).c_str());
  build.all_is_wanted = words.at(4) != "0";
  build.shows_all = words.at(5);
  if (words.size() > 6) build.file = name_in(build.root, words[6]);
  if (words.size() > 7) build.solution = lines_of_file(words[7]);
  std::cout << failed_build_screen(build) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<string> words(argv + 1, argv + argc);
  try {
    const string& what = words.at(0);
    if (what == "check") {
      say_check(words);
    } else if (what == "build") {
      say_build(words);
    } else if (what == "warnings") {
      for (const compiler_warning& each :
           warnings_about(lines_of_file(words.at(2)), words.at(1), name_in(words.at(1), words.at(3))))
        std::cout << each.text << '\t' << (each.ends_an_if ? "if" : "") << '\n';
    } else if (what == "brace") {
      if (const auto brace = find_unmatched_brace(lines_of_file(words.at(1))))
        std::cout << brace->line << '\t' << brace->function << '\t' << brace->sentence << '\n';
    } else {
      throw std::out_of_range("");
    }
  } catch (const std::out_of_range&) {
    std::fputs("learner_screen is for chapters/run, chapters/exercise and chapters/grade\n", stderr);
    return 2;
  }
  return 0;
}
