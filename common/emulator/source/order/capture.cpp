// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What streams are given while they are captured becomes nodes of a graph.
#include <algorithm>
#include <utility>

#include "code/source_text.hpp"
#include "device/errors.hpp"
#include "graph.hpp"
#include "order_state.hpp"

namespace cuda_emulator {
namespace {

// Captures that have begun and not ended. Never destroyed.
std::mutex& capture_mutex = *new std::mutex;
std::set<std::shared_ptr<capture>>& captures = *new std::set<std::shared_ptr<capture>>;
thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

void add_all(std::vector<std::size_t>& to, const std::vector<std::size_t>& from) {
  for (const std::size_t n : from)
    if (std::find(to.begin(), to.end(), n) == to.end()) to.push_back(n);
}

/// Are all of `wanted` among `last` and what comes before those?
bool comes_before(const CUgraph_st& graph, const std::vector<std::size_t>& wanted,
                  const std::vector<std::size_t>& last) {
  std::vector<bool> seen(graph.nodes.size(), false);
  std::vector<std::size_t> open = last;
  while (!open.empty()) {
    const std::size_t n = open.back();
    open.pop_back();
    if (seen[n]) continue;
    seen[n] = true;
    for (const std::size_t first : graph.nodes[n].after) open.push_back(first);
  }
  return std::all_of(wanted.begin(), wanted.end(), [&](std::size_t n) { return seen[n]; });
}

}  // namespace

cudaError_t add_captured(CUstream_st& stream, graph_node&& node) {
  const std::lock_guard lock(capture_mutex);
  capture& into = *stream.capturing;
  if (into.invalid) return remember(cudaErrorStreamCaptureInvalidated);
  node.after = stream.captured_last;
  node.device = stream.device;
  add_node(*into.graph, std::move(node));
  stream.captured_last = {into.graph->nodes.size() - 1};
  return cudaSuccess;
}

std::shared_ptr<const capture_begun> captured_beside() {
  const std::lock_guard lock(capture_mutex);
  for (const auto& each : captures)
    if (each->thread == std::this_thread::get_id() && !each->invalid) return each->begun;
  return nullptr;
}

cudaError_t begin_capture(CUstream_st& stream, cudaStreamCaptureMode mode) {
  if (stream.is_default()) return remember(cudaErrorStreamCaptureUnsupported);
  const std::lock_guard lock(capture_mutex);
  if (stream.capturing != nullptr) return remember(cudaErrorIllegalState);
  stream.capturing = std::make_shared<capture>();
  stream.capturing->origin = &stream;
  stream.capturing->mode = mode;
  stream.capturing->begun =
      std::make_shared<const capture_begun>(capture_begun{stream.label, caller_outside()});
  stream.capturing->streams[&stream] = stream.capturing->begun->at;
  stream.captured_last.clear();
  captures.insert(stream.capturing);
  return cudaSuccess;
}

cudaError_t end_capture(CUstream_st& stream, std::unique_ptr<CUgraph_st>& graph) {
  const std::lock_guard lock(capture_mutex);
  const std::shared_ptr<capture> ended = stream.capturing;
  if (ended == nullptr) return remember(cudaErrorIllegalState);
  if (ended->origin != &stream) return remember(cudaErrorStreamCaptureUnmatched);
  if (ended->mode != cudaStreamCaptureModeRelaxed && ended->thread != std::this_thread::get_id())
    return remember(cudaErrorStreamCaptureWrongThread);
  const auto unjoined = std::find_if(ended->streams.begin(), ended->streams.end(), [&](const auto& each) {
    return !comes_before(*ended->graph, each.first->captured_last, stream.captured_last);
  });
  for (const auto& [each, drawn_in] : ended->streams) each->capturing.reset();
  captures.erase(ended);
  if (ended->invalid) return remember(cudaErrorStreamCaptureInvalidated);
  if (unjoined != ended->streams.end()) {
    const auto& [other, drawn_in] = *unjoined;
    const std::string at = line_of(drawn_in), name = stream_argument(at, "cudaStreamWaitEvent", false);
    return remember(cudaErrorStreamCaptureUnjoined,
                    other->label->text(name) + " belongs to the capture since the cudaStreamWaitEvent()" +
                        (at.empty() ? "" : " at " + at) + ", and the capture ends in " +
                        stream.label->argument() +
                        " without waiting for it. Missing: cudaEventRecord(event, " +
                        (name.empty() ? other->label->argument() : name) + ") and cudaStreamWaitEvent(" +
                        stream.label->argument() + ", event)");
  }
  graph = std::move(ended->graph);
  return cudaSuccess;
}

cudaError_t harm_captures(cudaError_t error, const CUstream_st* only) {
  const std::lock_guard lock(capture_mutex);
  for (const auto& each : captures)
    if (only == nullptr || only->capturing == each) each->invalid = true;
  return remember(error);
}

cudaError_t check_default_stream(const CUstream_st& stream) {
  if (!stream.is_default()) return cudaSuccess;
  const std::lock_guard lock(capture_mutex);
  for (const auto& each : captures) {
    if (std::none_of(each->streams.begin(), each->streams.end(),
                     [](const auto& s) { return s.first->is_blocking(); }))
      continue;
    each->invalid = true;
    return remember(cudaErrorStreamCaptureImplicit);
  }
  return cudaSuccess;
}

cudaError_t check_safe_call() {
  const std::lock_guard lock(capture_mutex);
  if (mode_of_thread == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  for (const auto& each : captures) {
    const bool of_this_thread = each->thread == std::this_thread::get_id();
    const bool concerned = of_this_thread ? each->mode != cudaStreamCaptureModeRelaxed
                                          : each->mode == cudaStreamCaptureModeGlobal &&
                                                mode_of_thread == cudaStreamCaptureModeGlobal;
    if (!concerned) continue;
    each->invalid = true;
    return remember(cudaErrorStreamCaptureUnsupported);
  }
  return cudaSuccess;
}

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode) {
  return std::exchange(mode_of_thread, mode);
}

cudaError_t record_captured(CUevent_st& event, CUstream_st& stream) {
  const std::lock_guard lock(capture_mutex);
  event.captured.reset();
  if (stream.capturing == nullptr) return cudaErrorNotReady;
  if (stream.capturing->invalid) return remember(cudaErrorStreamCaptureInvalidated);
  event.captured = stream.capturing;
  event.nodes = stream.captured_last;
  return cudaSuccess;
}

cudaError_t wait_captured(CUstream_st& stream, const CUevent_st& event) {
  const std::lock_guard lock(capture_mutex);
  const bool of_capture = event.captured != nullptr && captures.contains(event.captured);
  if (!of_capture && stream.capturing == nullptr)
    return event.captured == nullptr ? cudaErrorNotReady : remember(cudaErrorCapturedEvent);
  if (!of_capture) {  // the graph would depend on what is not in it
    if (event.captured == nullptr && !event.recorded) return cudaSuccess;
    stream.capturing->invalid = true;
    return remember(cudaErrorStreamCaptureIsolation);
  }
  if (stream.is_default()) return remember(cudaErrorStreamCaptureImplicit);
  if (stream.capturing == nullptr) {
    stream.capturing = event.captured;
    stream.captured_last = event.nodes;
    event.captured->streams[&stream] = caller_outside();
  } else if (stream.capturing != event.captured) {
    stream.capturing->invalid = event.captured->invalid = true;
    return remember(cudaErrorStreamCaptureMerge);
  } else {
    add_all(stream.captured_last, event.nodes);
  }
  return event.captured->invalid ? remember(cudaErrorStreamCaptureInvalidated) : cudaSuccess;
}

}  // namespace cuda_emulator
