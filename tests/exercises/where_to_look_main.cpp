// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// where_to_look ROOT ANSWER SOLUTION KEPT: what chapters/exercise shows of a run whose result, standard error and
// warnings are KEPT.result, KEPT.err and KEPT.warnings. The first line says where to look in ANSWER; what follows
// is what the standard library refused, if it did.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include "where_to_look.hpp"

namespace {

tutorial::source_lines lines_of(const std::string& file) {
  tutorial::source_lines result;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    result.push_back(line);
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("where_to_look ROOT ANSWER SOLUTION KEPT\n", stderr);
    return 2;
  }
  const std::string root = argv[1] + std::string("/"), answer = argv[2], solution = argv[3], kept = argv[4];
  tutorial::checked_answer all;
  all.name = answer.starts_with(root) ? answer.substr(root.size()) : answer;
  all.text = lines_of(answer);
  all.solution = lines_of(solution);
  all.header = lines_of(answer.substr(0, answer.rfind('.')) + ".hpp");
  all.warnings = lines_of(kept + ".warnings");
  all.errors = lines_of(kept + ".err");
  std::ifstream result(kept + ".result");
  all.result = tutorial::read_result(result);
  std::cout << where_to_look(all) << '\n' << refused_in_words(all);
  return 0;
}
