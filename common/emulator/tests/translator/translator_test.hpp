// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What all tests of the translator share.
#pragma once

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "expected.hpp"
#include "translate.hpp"

namespace translator_test {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// translate(), and the promise that holds for every source: each line stays where it is.
inline std::string translated(const std::string& source, bool check_host_device = true) {
  const std::string result = cuda_emulator::translator::translate(
      source, "k.cu", cuda_emulator::translator::compilation::separate, nullptr, check_host_device);
  const std::vector<std::string> before = lines_of(source), after = lines_of(result);
  REQUIRE(before.size() == after.size());
  CHECK((source.empty() || source.back() == '\n') == (result.empty() || result.back() == '\n'));
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].starts_with("#")) CHECK(before[i] == after[i]);  // line markers and pragmas
  }
  return result;
}

/// Changes nothing in `source`.
inline bool untouched(const std::string& source) { return translated(source) == source; }

}  // namespace translator_test
