// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "errors.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <string_view>

#include "emulator/control.hpp"
#include "emulator/runtime/runtime_templates.hpp"
#include "failed_calls.hpp"

namespace cuda_emulator {
namespace {
thread_local cudaError_t last = cudaSuccess;
std::atomic<cudaError_t> pending{cudaSuccess}, sticky{cudaSuccess};
}  // namespace

cudaError_t set_last(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}

cudaError_t remember(cudaError_t error) {
  note_failed_call(error);
  return set_last(error);
}

cudaError_t remember(cudaError_t error, const std::string& why) {
  note_failed_call(error, why);
  return set_last(error);
}

void fail_later(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  pending.compare_exchange_strong(none, error);
}

cudaError_t failed() { return pending; }

cudaError_t wait_for_kernels() {
  if (const cudaError_t error = pending; error != cudaSuccess && sticky.exchange(error) != error)
    note_failed_call(error);
  return stuck();
}

// All calls fail from then on, and only the first of them is news.
cudaError_t stuck() { return set_last(sticky); }

cudaError_t last_error() { return last; }
void forget_last() { last = cudaSuccess; }

bool waited_for_failure() { return sticky != cudaSuccess; }

cudaError_t say_not_emulated(const char* what) {
  static auto& mutex = *new std::mutex;
  static auto& said = *new std::set<std::string_view>;
  const std::lock_guard lock(mutex);
  if (said.insert(what).second)
    std::fprintf(stderr, "emulated device: %s is not emulated (see common/emulator/README.md).\n", what);
  return remember(cudaErrorNotSupported);
}

void forget_errors() {
  pending = sticky = cudaSuccess;
  last = cudaSuccess;
}

}  // namespace cuda_emulator
