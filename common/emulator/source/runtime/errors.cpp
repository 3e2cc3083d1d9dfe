// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "errors.hpp"

#include <atomic>

#include "emulator/runtime_templates.hpp"

#include "tell/failed_calls.hpp"

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

bool waited_for_failure() { return sticky != cudaSuccess; }

void forget_errors() {
  pending = sticky = cudaSuccess;
  last = cudaSuccess;
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  asked_for_last_error();
  return last;
}

const char* cudaGetErrorName(cudaError_t error) {
  asked_about(error);
  switch (error) {
#define X(name, code, text) \
  case name:                \
    return #name;
#include "emulator/errors.def"
#undef X
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  asked_about(error);
  return error_text(error);
}

const char* cuda_emulator::error_text(cudaError_t error) {
  switch (error) {
#define X(name, code, text) \
  case name:                \
    return text;
#include "emulator/errors.def"
#undef X
  }
  return "unrecognized error code";
}
