// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "findings.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

namespace cuda_emulator {
namespace {
std::mutex mutex;
std::vector<finding> collected;
bool throwing = false;
}  // namespace

finding::finding(finding_kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}
finding::~finding() = default;
const char* finding::what() const noexcept { return text_.c_str(); }

void throw_findings(bool yes) { throwing = yes; }

void add_finding(finding_kind kind, std::string text) {
  const std::lock_guard lock(mutex);
  collected.emplace_back(kind, std::move(text));
}

void conclude_findings() {
  std::vector<finding> all;
  {
    const std::lock_guard lock(mutex);
    all.swap(collected);
  }
  if (all.empty()) return;
  if (throwing) throw all.front();
  std::fflush(stdout);
  for (const finding& f : all) std::fprintf(stderr, "%s\n", f.what());
  std::exit(1);
}

}  // namespace cuda_emulator
