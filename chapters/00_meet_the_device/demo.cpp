// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>
#include <vector>

#include "00_meet_the_device/show/device_map.hpp"
#include "00_meet_the_device/show/tables.hpp"
#include "common/program/chapter.hpp"
#include "common/verify/child_process.hpp"
#include "first_steps.hpp"

namespace tutorial {
namespace {

// [owners]
void show_owners(chapter_run& run) {
  const int elements = 10, threads = 4;
  const std::vector<owner> who = owners(elements, threads);
  std::string element_row, block_row, thread_row;
  for (int i = 0; i < elements; ++i) {
    const std::string gap = i > 0 && who[i].block != who[i - 1].block ? " | " : "  ";
    element_row += gap + std::to_string(i);
    block_row += gap + std::to_string(who[i].block);
    thread_row += gap + std::to_string(who[i].thread);
  }
  run.say("Whose element is it? i = blockIdx.x * blockDim.x + threadIdx.x, in blocks of 4 threads:");
  run.say("  element i  " + element_row + "\n  blockIdx.x " + block_row + "\n  threadIdx.x" + thread_row);
  run.say("  Threads 2 and 3 of block 2 own no element: they have nothing to do.\n");
}
// [owners]

std::string words(cudaError_t status) {
  return std::string(cudaGetErrorName(status)) + " (" + cudaGetErrorString(status) + ")";
}

void show_errors(chapter_run& run) {
  run.say("A launch that is refused leaves the device as it was:");
  run.say("  2048 threads in a block: " + words(try_launch(1, 2048)));
  run.say("  the next launch:         " + words(try_launch(1, 32)));
  run.say("An error while a kernel runs does not. In a process of its own, an assert() fails in a kernel:");
  std::istringstream lines(run_myself("--variant sticky_error").output);
  for (std::string line; std::getline(lines, line);)
    if (line.find(':') != std::string::npos) run.say("  | " + line);  // not the headline
  run.say();
}

/// Only on request, because it leaves this process without a usable device.
void show_sticky_error(chapter_run& run) {
  run.say("right after the launch: " + words(launch_failing_assert()));
  run.say("after waiting for it:   " + words(cudaDeviceSynchronize()));
  void* memory = nullptr;
  run.say("any call after that:    " + words(cudaMalloc(&memory, 4)));
}

void show(chapter_run& run) {
  if (run.options().variant == "sticky_error") return show_sticky_error(run);
  if (run.wants("owners")) show_owners(run);
  if (run.wants("printf")) {
    run.say("A kernel can print:");
    greet(3);
    run.say();
  }
  if (run.wants("errors")) show_errors(run);
  if (run.wants("copies")) show_copies(run);
  if (run.wants("limits")) show_limits(run);
  if (run.wants("map")) show_map(run, rates_of_ruler());
  if (run.wants("copies")) draw_copies(run);
}

}  // namespace

chapter this_chapter() {
  return {.number = "00",
          .name = "meet_the_device",
          .title = "Meet the device",
          .next = "01",
          .picture = own_picture::of_times,
          .variants = {{"owners", "which thread owns which element"},
                       {"printf", "a word from a kernel"},
                       {"errors", "a refused launch, and an error while a kernel runs"},
                       {"sticky_error", "the latter alone: it leaves the process without a device"},
                       {"copies", "the same copy, in ways that memory likes more and less"},
                       {"limits", "what this device can do at best"},
                       {"map", "registers, caches, memories: what each holds and how long a load takes"}},
          .demo = show};
}

}  // namespace tutorial
