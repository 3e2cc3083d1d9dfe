// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Seven taps, as a parameter of a kernel.
struct seven_taps {
  float h[7];
};

/// Filters again and again, each time with another filter, and makes one executable graph only. Not movable.
class graph_filter {
 public:
  graph_filter() = default;
  ~graph_filter();
  graph_filter(const graph_filter&) = delete;
  graph_filter& operator=(const graph_filter&) = delete;

  /// y[n] = sum over k of h[k] x[n - k], n < x.size(); samples before x count as zero. y has as many elements
  /// as x. Enqueues one graph in the stream and does not wait. The lengths are those of the first call,
  /// always; the filter, x and y may be others.
  void operator()(device_span<const float> x, device_span<float> y, const seven_taps& taps,
                  cudaStream_t stream);

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  cudaGraphNode_t node_ = nullptr;
};

}  // namespace tutorial
