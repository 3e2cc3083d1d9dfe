// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Compiled once, and not as templates in each file of kernels: there every check is instrumented.
#include "findings.hpp"

#include <algorithm>

std::optional<cuda_emulator::finding> finding_of(const std::function<void()>& launch) {
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

void check_found(cuda_emulator::finding_kind kind, const std::vector<std::string>& words,
                 const std::function<void()>& faulty, const std::function<void()>& repaired) {
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

void check_found(cuda_emulator::finding_kind kind, std::initializer_list<std::string_view> words,
                 const std::function<void()>& faulty, const std::function<void()>& repaired) {
  check_found(kind, std::vector<std::string>(words.begin(), words.end()), faulty, repaired);
}

std::string at_line(const char* file, int line) {
  std::string name = file;
  name = name.substr(name.rfind('/') + 1);
  return name + ":" + std::to_string(line);
}
