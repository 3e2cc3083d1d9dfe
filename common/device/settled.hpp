// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Calls that copy from or to the memory of their caller, who may free it where they throw.
#pragma once

#include <cuda_runtime.h>

#include <utility>

namespace tutorial {

/// The same call, which waits for the current device before it throws: what was enqueued so far uses the
/// memory of the caller.
template <class Call>
auto settled(Call call) {
  return [call = std::move(call)](auto... arguments) {
    try {
      call(arguments...);
    } catch (...) {
      cudaDeviceSynchronize();  // the caller learns what was thrown
      throw;
    }
  };
}

}  // namespace tutorial
