// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Device memory and arrays that a program has not freed, plans and texture objects that it has not destroyed
// when it ends.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "call_stack.hpp"
#include "cufft_plan.hpp"
#include "device_memory.hpp"
#include "errors.hpp"
#include "settings.hpp"
#include "textures.hpp"

namespace cuda_emulator {
namespace {

constexpr std::size_t most_printed = 8;

std::string place(const call_stack& stack) {
  const std::string line = line_of(stack);
  return line.empty() ? "somewhere" : line;
}

std::string never_freed(const allocation& a) {
  const std::string array = array_at(a.begin);
  if (!array.empty()) return array + " was never freed (cudaFreeArray() is missing)";
  return std::to_string(a.size) + " bytes of device memory were never freed (allocation number " +
         std::to_string(a.number) + ")";
}

void report_leaks(int status, void*) {
  if (status != 0 || !settings().checking) return;
  const auto plans = living_plans();
  if (!device_memory::ever_used() && plans.empty()) return;
  if (stuck() != cudaSuccess) return;  // after a kernel that failed nothing can be freed any more
  auto left = device_memory::instance().left();
  std::erase_if(left, [&](const allocation& a) {  // a plan's own work area goes with the plan
    return std::any_of(plans.begin(), plans.end(),
                       [&](const auto& plan) { return plan->owns_work_area && plan->work_area == a.begin; });
  });
  const auto textures = textures_left();
  if (left.empty() && plans.empty() && textures.empty()) return;
  std::fflush(nullptr);
  for (std::size_t i = 0; i < left.size() && i < most_printed; ++i)
    std::fprintf(stderr, "%s: error: %s\n", place(left[i].made_at).c_str(), never_freed(left[i]).c_str());
  if (left.size() > most_printed) std::fprintf(stderr, "... and %zu more.\n", left.size() - most_printed);
  if (!left.empty())
    std::fprintf(stderr,
                 "Usual cause: a cudaFree() that is missing, or not reached because of an early return.\n");
  for (std::size_t i = 0; i < textures.size() && i < most_printed; ++i)
    std::fprintf(stderr, "%s: error: %s was never destroyed (cudaDestroyTextureObject() is missing)\n",
                 place(textures[i].made_at).c_str(), textures[i].what.c_str());
  if (textures.size() > most_printed)
    std::fprintf(stderr, "... and %zu more.\n", textures.size() - most_printed);
  for (std::size_t i = 0; i < plans.size() && i < most_printed; ++i)
    std::fprintf(stderr, "%s: error: a cuFFT plan was never destroyed (%s)\n",
                 place(plans[i]->made_at).c_str(), plans[i]->text().c_str());
  if (plans.size() > most_printed) std::fprintf(stderr, "... and %zu more.\n", plans.size() - most_printed);
  if (!plans.empty())
    std::fprintf(
        stderr,
        "Usual cause: a cufftDestroy() that is missing, or not reached because of an early return.\n");
  std::_Exit(1);
}

// Registered before the program's own objects exist, and therefore called when they are gone.
__attribute__((constructor)) void watch_the_end() { on_exit(report_leaks, nullptr); }

}  // namespace
}  // namespace cuda_emulator
