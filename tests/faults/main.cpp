// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Uses one mistake of a chapter, so that a tool can watch, or lets the chapter's checks judge it.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include "fault.hpp"

namespace {

constexpr const char* usage =
    "faults_NN --list          the names of this chapter's mistakes\n"
    "faults_NN NAME            uses it once and says whether the result is right\n"
    "faults_NN --check NAME    lets the chapter's checks judge it\n";

int with_fault(const std::string& name, bool check) {
  const std::vector<tutorial::fault> all = tutorial::faults();
  const auto found = std::ranges::find(all, name, &tutorial::fault::name);
  if (found == all.end()) {
    std::fprintf(stderr, "faults: there is no mistake '%s'; --list names all\n", name.c_str());
    return 2;
  }
  // An exception is an answer, too: a kernel that a tool has stopped shows at the next call.
  try {
    if (check) {
      const tutorial::refusal said = found->check();
      if (said.by.empty())
        std::puts("accepted");
      else
        std::printf("refused by %s: %s\n", said.by.c_str(), said.line.c_str());
    } else {
      const std::string wrong = found->use();
      std::printf("%s\n", wrong.empty() ? "right" : ("wrong: " + wrong).c_str());
    }
  } catch (const std::exception& error) {
    std::printf("%s: %s\n", check ? "refused by error" : "error", error.what());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (argc == 2 && first == "--list") {
    for (const tutorial::fault& each : tutorial::faults()) std::puts(each.name.c_str());
    return 0;
  }
  if (argc == 2 && !first.starts_with("-")) return with_fault(first, false);
  if (argc == 3 && first == "--check") return with_fault(argv[2], true);
  const bool help = argc == 2 && first == "--help";
  std::fputs(usage, help ? stdout : stderr);
  return help ? 0 : 2;
}
