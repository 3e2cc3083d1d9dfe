// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "libraries.hpp"

#include "code/call_stack.hpp"

namespace cuda_emulator {
namespace {

std::vector<const library*>& all_libraries() {
  static auto& all = *new std::vector<const library*>;
  return all;
}

}  // namespace

void add_library(const library& one) {
  add_own_image(&one);
  all_libraries().push_back(&one);
}

std::vector<left_by_library> left_by_libraries() {
  std::vector<left_by_library> all;
  for (const library* const each : all_libraries())
    if (each->left != nullptr)
      for (left_by_library& one : each->left()) all.push_back(std::move(one));
  return all;
}

void forget_in_libraries() {
  for (const library* const each : all_libraries())
    if (each->forget != nullptr) each->forget();
}

void tell_libraries_host_waits(const char* function) {
  for (const library* const each : all_libraries())
    if (each->host_waits != nullptr) each->host_waits(function);
}

}  // namespace cuda_emulator
