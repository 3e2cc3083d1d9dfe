// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "first_words.hpp"

#include <sstream>
#include <string>
#include <vector>

#include "00_meet_the_device/first_steps.hpp"
#include "common/verify/child_process.hpp"

namespace tutorial {
namespace {

std::string words(cudaError_t status) {
  return std::string(cudaGetErrorName(status)) + " (" + cudaGetErrorString(status) + ")";
}

}  // namespace

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

void show_errors(chapter_run& run) {
  run.say("A launch that is refused leaves the device as it was:");
  run.say("  2048 threads in a block: " + words(try_launch(1, 2048)));
  run.say("  the next launch:         " + words(try_launch(1, 32)));
  run.say("An error inside a kernel persists. In a process of its own, an assert() fails in a kernel:");
  std::istringstream lines(run_myself("--variant sticky_error").output);
  for (std::string line; std::getline(lines, line);)
    if (line.find(':') != std::string::npos) run.say("  | " + line);  // not the headline
  run.say();
}

void show_sticky_error(chapter_run& run) {
  run.say("right after the launch: " + words(launch_failing_assert()));
  run.say("after waiting for it:   " + words(cudaDeviceSynchronize()));
  void* memory = nullptr;
  run.say("any call after that:    " + words(cudaMalloc(&memory, 4)));
}

void show_printf(chapter_run& run) {
  run.say("A kernel can print:");
  greet(3);
  run.say();
}

}  // namespace tutorial
