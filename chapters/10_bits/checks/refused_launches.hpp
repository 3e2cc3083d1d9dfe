// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// For what is left behind by a launch that does not take place.
#pragma once

#include <cuda_runtime.h>

#include "common/device/check.hpp"

namespace tutorial {

/// While it exists, every launch in the default stream is refused: it would wait for a stream that records a
/// graph.
class refused_launches {
 public:
  /// From here on. Throws cuda_error.
  refused_launches() {
    check(cudaStreamCreate(&recorded_));
    check(cudaStreamBeginCapture(recorded_, cudaStreamCaptureModeRelaxed));
  }
  ~refused_launches() {
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(recorded_, &graph);  // fails: it has become invalid
    (void)cudaGetLastError();
    if (graph != nullptr) cudaGraphDestroy(graph);
    cudaStreamDestroy(recorded_);
  }
  refused_launches(const refused_launches&) = delete;
  refused_launches& operator=(const refused_launches&) = delete;

 private:
  cudaStream_t recorded_ = nullptr;
};

}  // namespace tutorial
