// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "enqueue.hpp"

#include "device/errors.hpp"

namespace cuda_emulator {

cudaError_t enqueue(const stream_call& call, bool host_waits, std::function<void(work&)> body) {
  CUstream_st* const stream = find_stream(call.stream);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  work mine(*stream, {.function = call.function, .verb = call.verb});
  body(mine);
  if (host_waits) mine.host_waits();
  mine.conclude();
  return cudaSuccess;
}

}  // namespace cuda_emulator
