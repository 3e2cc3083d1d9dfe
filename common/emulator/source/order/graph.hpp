// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Graphs: nodes, each with what it does and what it comes after; streams that are captured into them.
#pragma once

#include <cuda_runtime_api.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "device/devices.hpp"
#include "emulator/export.hpp"
#include "ordinary_memory.hpp"
#include "pending.hpp"
#include "work.hpp"

namespace cuda_emulator {

struct graph_kernel;  // what a node that is a kernel launches: see run/graph_kernels.hpp

struct graph_node {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  int device = current_device();     ///< On which it is done.
  std::vector<std::size_t> after{};  ///< Numbers of nodes.
  operation op{};                    ///< Without clocks.
  std::function<void(work&)> body{};
  /// Where a launch needs something of its own: sets the body for this one, and gives its gate.
  std::function<std::shared_ptr<gate>(const vector_clock& start, work_body&)> prepare{};
  std::shared_ptr<const graph_kernel> kernel{};
  std::vector<std::shared_ptr<ordinary_memory>> uses{};
  bool destroyed = false;
};

}  // namespace cuda_emulator

struct CUgraphNode_st {
  CUgraph_st* graph;
  std::size_t number;
};

struct CUgraph_st {
  std::vector<cuda_emulator::graph_node> nodes;
  std::deque<CUgraphNode_st> handles;  ///< One for each node.
};

struct CUgraphExec_st {
  const CUgraph_st* made_from;
  std::vector<cuda_emulator::graph_node> nodes;
  std::vector<std::size_t> chain;        ///< Of each node: nodes of one chain come one after the other.
  std::vector<std::uint32_t> timelines;  ///< Of each chain.
  cuda_emulator::vector_clock finished;  ///< A launch begins after the one before.
};

namespace cuda_emulator {

/// Streams that are captured into one graph.
struct capture {
  std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();
  CUstream_st* origin = nullptr;
  std::map<CUstream_st*, call_stack> streams{};  ///< And the calls that have drawn them in.
  std::shared_ptr<const capture_begun> begun{};
  std::thread::id thread = std::this_thread::get_id();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  bool invalid = false;
};

cudaGraphNode_t add_node(CUgraph_st& graph, graph_node&& node);
/// As the next node of a stream that is captured.
EMULATOR_FOR_LIBRARIES cudaError_t add_captured(CUstream_st& stream, graph_node&& node);

/// What this thread captures; null where it does not.
std::shared_ptr<const capture_begun> captured_beside();

cudaError_t begin_capture(CUstream_st& stream, cudaStreamCaptureMode mode);
cudaError_t end_capture(CUstream_st& stream, std::unique_ptr<CUgraph_st>& graph);
/// The program must not do this while a stream is captured: the captures that it harms fail. What it is
/// refused with.
cudaError_t harm_captures(cudaError_t error, const CUstream_st* only = nullptr);
/// Work is given to the default stream: an error where streams that wait for it are captured.
EMULATOR_FOR_LIBRARIES cudaError_t check_default_stream(const CUstream_st& stream);
/// A call that could make captured streams wait: allocations and the like. An error while this thread, or in
/// its global mode any thread, captures.
cudaError_t check_safe_call();
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

/// Events in captures. cudaErrorNotReady where there is nothing special about the two.
cudaError_t record_captured(CUevent_st& event, CUstream_st& stream);
cudaError_t wait_captured(CUstream_st& stream, const CUevent_st& event);

/// False where its dependencies go round in a circle.
bool instantiate(const CUgraph_st& graph, CUgraphExec_st& made);
/// Each node is an operation of its own: EMULATOR_ORDER chooses among all that can run.
void launch_graph(CUgraphExec_st& graph, CUstream_st& stream);
void give_back_timelines(CUgraphExec_st& graph);

}  // namespace cuda_emulator
