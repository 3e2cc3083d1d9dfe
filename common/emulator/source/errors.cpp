// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "errors.hpp"

#include <atomic>

namespace cuda_emulator {
namespace {
thread_local cudaError_t last = cudaSuccess;
std::atomic<cudaError_t> pending{cudaSuccess}, sticky{cudaSuccess};
}  // namespace

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}

void fail_later(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  pending.compare_exchange_strong(none, error);
}

cudaError_t failed() { return pending; }

cudaError_t wait_for_kernels() {
  if (const cudaError_t error = pending; error != cudaSuccess) sticky = error;
  return stuck();
}

cudaError_t stuck() { return remember(sticky); }

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

cudaError_t cudaPeekAtLastError() { return last; }

const char* cudaGetErrorName(cudaError_t error) {
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
  switch (error) {
#define X(name, code, text) \
  case name:                \
    return text;
#include "emulator/errors.def"
#undef X
  }
  return "unrecognized error code";
}
