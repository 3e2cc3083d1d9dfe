// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Device memory that a program has not freed when it ends.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "call_stack.hpp"
#include "device_memory.hpp"
#include "errors.hpp"
#include "settings.hpp"

namespace cuda_emulator {
namespace {

constexpr std::size_t most_printed = 8;

void report_leaks(int status, void*) {
  if (status != 0 || !device_memory::ever_used() || !settings().checking) return;
  if (stuck() != cudaSuccess) return;  // after a kernel that failed nothing can be freed any more
  const auto left = device_memory::instance().left();
  if (left.empty()) return;
  std::fflush(nullptr);
  for (std::size_t i = 0; i < left.size() && i < most_printed; ++i) {
    const std::string line = line_of(left[i].made_at);
    std::fprintf(stderr, "%s: error: %zu bytes of device memory were never freed (allocation number %u)\n",
                 line.empty() ? "somewhere" : line.c_str(), left[i].size, left[i].number);
  }
  if (left.size() > most_printed) std::fprintf(stderr, "... and %zu more.\n", left.size() - most_printed);
  std::fprintf(stderr,
               "Usual cause: a cudaFree() that is missing, or not reached because of an early return.\n");
  std::_Exit(1);
}

// Registered before the program's own objects exist, and therefore called when they are gone.
__attribute__((constructor)) void watch_the_end() { on_exit(report_leaks, nullptr); }

}  // namespace
}  // namespace cuda_emulator
