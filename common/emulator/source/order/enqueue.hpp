// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The way of a call of the runtime into a stream.
#pragma once

#include <functional>

#include "emulator/export.hpp"
#include "graph.hpp"
#include "pending.hpp"

namespace cuda_emulator {

/// A function of the runtime or of a library that gives work to a stream.
struct stream_call {
  const char* function;             ///< "cudaMemcpyAsync"
  cudaStream_t stream = nullptr;    ///< As the program gave it.
  bool asynchronous = false;        ///< Returns before the work is done, as far as the memory admits that.
  const char* verb = nullptr;       ///< See work_label.
  graph_node* node = nullptr;       ///< What gets the work, instead of the stream.
  std::shared_ptr<gate> until{};    ///< See pending.hpp.
  bool frees = false;               ///< See manner.
  bool allocates = false;           ///< See work_label.
  std::vector<use_of_host> uses{};  ///< Of memory that is the host's alone.
};

/// Does the work as an operation of the stream, or makes it a node of the graph that the stream is captured
/// into. An invalid handle where there is no such stream. Work that is kept for later is what `keep` makes;
/// without it, a copy of `body`.
EMULATOR_FOR_LIBRARIES cudaError_t enqueue(const stream_call& call, bool host_waits, cudaGraphNodeType type,
                                           work_body body, const std::function<work_body()>& keep = {});

}  // namespace cuda_emulator
