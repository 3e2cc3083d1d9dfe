// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Expecting what the emulated device finds.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "emulator/finding.hpp"
#include "emulator_test.hpp"

/// The finding that `launch` ends with, or nothing.
template <class Launch>
std::optional<cuda_emulator::finding> finding_of(Launch&& launch) {
  cuda_emulator::throw_findings(true);
  std::optional<cuda_emulator::finding> found;
  try {
    launch();
    cudaDeviceSynchronize();
  } catch (const cuda_emulator::finding& f) {
    found.emplace(f);
  }
  cuda_emulator::throw_findings(false);
  return found;
}

/// In every order: the faulty launch is found, as what it is and with all of `words` in the message; the
/// repaired twin is not.
template <class Faulty, class Repaired>
void check_found(cuda_emulator::finding_kind kind, const std::vector<std::string>& words, Faulty&& faulty,
                 Repaired&& repaired) {
  in_all_orders([&] {
    const auto found = finding_of(faulty);
    REQUIRE(found.has_value());
    const std::string message = found->what();
    CAPTURE(message);
    CHECK(found->kind() == kind);
    // What, where, and what to do about it.
    CHECK(std::count(message.begin(), message.end(), '\n') >= 2);
    CHECK(message.back() != '\n');
    for (const std::string& word : words) {
      CAPTURE(word);
      CHECK(message.find(word) != std::string::npos);
    }
    const auto nothing = finding_of(repaired);
    if (nothing) FAIL_CHECK("the repaired kernel was refused: " << std::string(nothing->what()));
  });
}

/// "file.cu:12", as messages show it.
inline std::string at_line(const char* file, int line) {
  std::string name = file;
  name = name.substr(name.rfind('/') + 1);
  return name + ":" + std::to_string(line);
}
