// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "enqueue.hpp"

#include "device/errors.hpp"

namespace cuda_emulator {
namespace {

graph_node node_of(const stream_call& call, cudaGraphNodeType type, std::function<void(work&)>&& body) {
  graph_node node{.type = type};
  node.op.what = std::string(call.function) + "()";
  node.op.called_at = caller_outside();
  node.body = std::move(body);
  for (const use_of_host& use : call.uses) node.uses.push_back(std::make_shared<ordinary_memory>(use));
  return node;
}

}  // namespace

cudaError_t enqueue(const stream_call& call, bool host_waits, cudaGraphNodeType type, work_body body,
                    const std::function<work_body()>& keep) {
  if (call.node != nullptr) {
    *call.node = node_of(call, type, std::move(body));
    return cudaSuccess;
  }
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  CUstream_st* const stream = find_stream(call.stream);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (stream->capturing != nullptr) {
    // A call that waits would wait for what does not run yet.
    if (!call.asynchronous) return harm_captures(cudaErrorStreamCaptureUnsupported, stream);
    return add_captured(*stream, node_of(call, type, std::move(body)));
  }
  if (const cudaError_t error = check_default_stream(*stream); error != cudaSuccess) return error;
  give(work(*stream, {.function = call.function,
                      .verb = call.verb,
                      .kept = call.until != nullptr,
                      .allocates = call.allocates}),
       {host_waits, call.frees, type == cudaGraphNodeTypeHost, call.until}, body,
       [&] { return keep ? keep() : std::move(body); });
  return cudaSuccess;
}

}  // namespace cuda_emulator
