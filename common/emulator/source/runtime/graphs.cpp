// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about graphs and captures.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

#include "copies.hpp"
#include "device/errors.hpp"
#include "memory/shadow.hpp"
#include "run/graph_kernels.hpp"

namespace cuda_emulator {
namespace {

// Graphs that live; never destroyed. A node's handle stays valid for the graphs made from its own.
std::mutex& graphs_mutex = *new std::mutex;
std::set<const void*>& graphs = *new std::set<const void*>;
std::set<const CUgraphNode_st*>& nodes = *new std::set<const CUgraphNode_st*>;
std::set<std::unique_ptr<CUgraph_st>>& gone = *new std::set<std::unique_ptr<CUgraph_st>>;

bool lives(const void* graph) {
  const std::lock_guard lock(graphs_mutex);
  return graphs.contains(graph);
}

/// Null where that is no node.
graph_node* node_at(cudaGraphNode_t handle) {
  const std::lock_guard lock(graphs_mutex);
  if (!nodes.contains(handle)) return nullptr;
  graph_node& node = handle->graph->nodes[handle->number];
  return node.destroyed ? nullptr : &node;
}

cudaGraph_t keep(std::unique_ptr<CUgraph_st> graph) {
  const std::lock_guard lock(graphs_mutex);
  for (CUgraphNode_st& each : graph->handles) {
    each.graph = graph.get();
    nodes.insert(&each);
  }
  graphs.insert(graph.get());
  return graph.release();
}

cudaError_t invalid() { return remember(cudaErrorInvalidValue); }

/// The numbers of nodes of this graph; false where one is not of it, or comes twice.
bool numbers_of(const CUgraph_st* graph, const cudaGraphNode_t* handles, std::size_t count,
                std::vector<std::size_t>& result) {
  if (count != 0 && handles == nullptr) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (node_at(handles[i]) == nullptr || handles[i]->graph != graph) return false;
    if (std::find(result.begin(), result.end(), handles[i]->number) != result.end()) return false;
    result.push_back(handles[i]->number);
  }
  return true;
}

/// Adds what make(node) makes of it.
template <class Make>
cudaError_t add(cudaGraphNode_t* handle, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                Make&& make) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  graph_node node;
  if (handle == nullptr || !lives(graph) || !numbers_of(graph, after, count, node.after)) return invalid();
  node.op.called_at = caller_outside();
  std::vector<std::size_t> order = node.after;
  if (const cudaError_t error = make(node); error != cudaSuccess) return error;
  node.after = std::move(order);
  *handle = add_node(*graph, std::move(node));
  const std::lock_guard lock(graphs_mutex);
  nodes.insert(*handle);
  return cudaSuccess;
}

/// Gives a node of an executable graph other work: what make(node) makes of it.
template <class Make>
cudaError_t change(cudaGraphExec_t made, cudaGraphNode_t handle, cudaGraphNodeType type, Make&& make) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (!lives(made) || node_at(handle) == nullptr || handle->graph != made->made_from ||
      handle->number >= made->nodes.size())
    return invalid();
  graph_node& node = made->nodes[handle->number];
  if (node.type != type) return invalid();
  graph_node other = node;
  if (const cudaError_t error = make(other); error != cudaSuccess) return error;
  other.after = node.after;
  node = std::move(other);
  return cudaSuccess;
}

/// Elements of 1, 2 or 4 bytes in `height` rows.
cudaError_t make_memset(const char* function, graph_node& node, const cudaMemsetParams* parameters) {
  if (parameters == nullptr) return invalid();
  const cudaMemsetParams p = *parameters;
  const bool sized = p.elementSize == 1 || p.elementSize == 2 || p.elementSize == 4;
  if (!sized || p.width == 0 || p.height == 0) return invalid();
  const std::size_t row = p.width * p.elementSize, pitch = p.height > 1 ? p.pitch : row;
  if (pitch < row || !on_device(p.dst, pitch * (p.height - 1) + row)) return invalid();
  return enqueue({.function = function, .node = &node}, false, cudaGraphNodeTypeMemset, [=](work& mine) {
    for (std::size_t y = 0; y < p.height; ++y) {
      char* const begin = static_cast<char*>(p.dst) + y * pitch;
      mine.writes(begin, row);
      for (std::size_t i = 0; i < row; i += p.elementSize) std::memcpy(begin + i, &p.value, p.elementSize);
      mark_defined(begin, row);
    }
  });
}

cudaError_t make_host(const char* function, graph_node& node, const cudaHostNodeParams* parameters) {
  if (parameters == nullptr || parameters->fn == nullptr) return invalid();
  const cudaHostNodeParams p = *parameters;
  stream_call call{.function = function, .node = &node};
  call.uses.push_back(data_of(p.userData));
  return enqueue(call, false, cudaGraphNodeTypeHost, [=](work& mine) {
    const host_function inside(mine);
    p.fn(p.userData);
  });
}

template <class Handle>
cudaError_t give(const std::vector<Handle>& all, Handle* to, std::size_t* count) {
  if (count == nullptr) return invalid();
  if (to != nullptr)
    for (std::size_t i = 0; i < *count; ++i) to[i] = i < all.size() ? all[i] : nullptr;
  *count = to == nullptr ? all.size() : std::min(*count, all.size());
  return stuck();
}

/// What a graph must be to stand for another one: the same nodes of the same kinds, in the same order.
cudaGraphExecUpdateResult difference(const CUgraphExec_st& made, const CUgraph_st& graph,
                                     std::size_t& where) {
  if (made.nodes.size() != graph.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (where = 0; where < graph.nodes.size(); ++where) {
    const graph_node &a = made.nodes[where], &b = graph.nodes[where];
    if (a.type != b.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (a.after != b.after || a.destroyed != b.destroyed) return cudaGraphExecUpdateErrorTopologyChanged;
  }
  return cudaGraphExecUpdateSuccess;
}

}  // namespace
}  // namespace cuda_emulator

using namespace cuda_emulator;

// ---- Captures

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return invalid();
  return begin_capture(*found, mode);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (graph == nullptr) return invalid();
  *graph = nullptr;
  CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return remember(cudaErrorInvalidResourceHandle);
  std::unique_ptr<CUgraph_st> captured;
  if (const cudaError_t error = end_capture(*found, captured); error != cudaSuccess) return error;
  *graph = keep(std::move(captured));
  return stuck();
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  const CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (status == nullptr) return invalid();
  *status = found->capturing == nullptr ? cudaStreamCaptureStatusNone
            : found->capturing->invalid ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
  return stuck();
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
    return invalid();
  *mode = exchange_capture_mode(*mode);
  return stuck();
}

// ---- Graphs and their nodes

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  if (graph == nullptr || flags != 0) return invalid();
  *graph = keep(std::make_unique<CUgraph_st>());
  return stuck();
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const std::lock_guard lock(graphs_mutex);
  if (graphs.erase(graph) == 0) return invalid();
  for (graph_node& each : graph->nodes) each.body = nullptr, each.kernel.reset();
  gone.emplace(graph);  // handles of its nodes are asked for still
  return stuck();
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (clone == nullptr || !lives(graph)) return invalid();
  *clone = keep(std::make_unique<CUgraph_st>(*graph));
  return stuck();
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* to, std::size_t* count) {
  if (!lives(graph)) return invalid();
  std::vector<cudaGraphNode_t> all;
  for (CUgraphNode_st& each : graph->handles)
    if (!graph->nodes[each.number].destroyed) all.push_back(&each);
  return give(all, to, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* to, std::size_t* count) {
  if (!lives(graph)) return invalid();
  std::vector<cudaGraphNode_t> all;
  for (CUgraphNode_st& each : graph->handles)
    if (const graph_node& node = graph->nodes[each.number]; !node.destroyed && node.after.empty())
      all.push_back(&each);
  return give(all, to, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              std::size_t* count) {
  if (!lives(graph) || (from == nullptr) != (to == nullptr)) return invalid();
  std::vector<cudaGraphNode_t> first, second;
  for (CUgraphNode_st& each : graph->handles) {
    for (const std::size_t n : graph->nodes[each.number].after) {
      first.push_back(&graph->handles[n]);
      second.push_back(&each);
    }
  }
  std::size_t same = count != nullptr ? *count : 0;
  if (const cudaError_t error = give(first, from, count); error != cudaSuccess) return error;
  return to != nullptr ? give(second, to, &same) : stuck();
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  const graph_node* const node = node_at(handle);
  if (node == nullptr || type == nullptr) return invalid();
  *type = node->type;
  return stuck();
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, std::size_t count) {
  if (!lives(graph) || (count != 0 && (from == nullptr || to == nullptr))) return invalid();
  for (std::size_t i = 0; i < count; ++i) {
    graph_node* const second = node_at(to[i]);
    const bool both_here = node_at(from[i]) != nullptr && second != nullptr && from[i]->graph == graph &&
                           to[i]->graph == graph && from[i] != to[i];
    if (!both_here) return invalid();
    if (std::find(second->after.begin(), second->after.end(), from[i]->number) != second->after.end())
      return invalid();
    second->after.push_back(from[i]->number);
  }
  return stuck();
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  graph_node* const node = node_at(handle);
  if (node == nullptr) return invalid();
  *node = graph_node{.destroyed = true};
  for (graph_node& each : handle->graph->nodes) std::erase(each.after, handle->number);
  return stuck();
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* handle, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaKernelNodeParams* parameters) {
  if (parameters == nullptr) return invalid();
  return add(handle, graph, after, count, [&](graph_node& node) { return set_kernel(node, *parameters); });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* handle, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemcpy3DParms* parameters) {
  return add(handle, graph, after, count, [&](graph_node& node) {
    return copy_box({.function = "cudaGraphAddMemcpyNode", .node = &node}, parameters);
  });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* handle, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, void* to, const void* from, std::size_t size,
                                     cudaMemcpyKind kind) {
  return add(handle, graph, after, count, [&](graph_node& node) {
    return copy({.function = "cudaGraphAddMemcpyNode1D", .node = &node}, to, from, size, kind);
  });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* handle, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemsetParams* parameters) {
  return add(handle, graph, after, count,
             [&](graph_node& node) { return make_memset("cudaGraphAddMemsetNode", node, parameters); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* handle, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t count, const cudaHostNodeParams* parameters) {
  return add(handle, graph, after, count,
             [&](graph_node& node) { return make_host("cudaGraphAddHostNode", node, parameters); });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* handle, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  std::size_t count) {
  return add(handle, graph, after, count, [](graph_node&) { return cudaSuccess; });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, cudaKernelNodeParams* parameters) {
  const graph_node* const node = node_at(handle);
  if (node == nullptr || node->kernel == nullptr || parameters == nullptr) return invalid();
  const graph_kernel& kernel = *node->kernel;
  if (kernel.function == nullptr)
    return say_not_emulated(
        "cudaGraphKernelNodeGetParams() for a launch whose template arguments were deduced");
  *parameters = {const_cast<void*>(kernel.function),
                 kernel.shape.grid,
                 kernel.shape.block,
                 static_cast<unsigned int>(kernel.shape.dynamic_shared),
                 kernel.kept.addresses,
                 nullptr};
  return stuck();
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle, const cudaKernelNodeParams* parameters) {
  graph_node* const node = node_at(handle);
  if (node == nullptr || node->type != cudaGraphNodeTypeKernel || parameters == nullptr) return invalid();
  return set_kernel(*node, *parameters);
}

// ---- Executable graphs

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                          unsigned long long flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  constexpr unsigned long long harmless = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                          cudaGraphInstantiateFlagUpload |
                                          cudaGraphInstantiateFlagUseNodePriority;
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
    return say_not_emulated("a graph that kernels launch (cudaGraphInstantiateFlagDeviceLaunch)");
  if (made == nullptr || !lives(graph) || (flags & ~harmless) != 0) return invalid();
  auto executable = std::make_unique<CUgraphExec_st>();
  if (!instantiate(*graph, *executable)) return invalid();
  const std::lock_guard lock(graphs_mutex);
  graphs.insert(executable.get());
  *made = executable.release();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(made, graph, flags);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t stream) {
  if (!lives(graph)) return invalid();
  return find_stream(stream) != nullptr ? stuck() : remember(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  if (!lives(graph)) return invalid();
  CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (found->capturing != nullptr) {
    harm_captures(cudaErrorStreamCaptureUnsupported, found);
    return say_not_emulated("a graph within a graph (cudaGraphLaunch() into a stream that is captured)");
  }
  if (const cudaError_t error = check_default_stream(*found); error != cudaSuccess) return error;
  launch_graph(*graph, *found);
  return stuck();
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  {
    const std::lock_guard lock(graphs_mutex);
    if (graphs.erase(graph) == 0) return invalid();
  }
  give_back_timelines(*graph);
  delete graph;
  return stuck();
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t made, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (!lives(made) || !lives(graph) || result == nullptr) return invalid();
  std::size_t where = 0;
  *result = {difference(*made, *graph, where), nullptr, nullptr};
  if (result->result != cudaGraphExecUpdateSuccess) {
    if (where < graph->handles.size()) result->errorNode = &graph->handles[where];
    return remember(cudaErrorGraphExecUpdateFailure);
  }
  made->nodes = graph->nodes;
  return cudaSuccess;
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t handle,
                                             const cudaKernelNodeParams* parameters) {
  if (parameters == nullptr) return invalid();
  return change(graph, handle, cudaGraphNodeTypeKernel,
                [&](graph_node& node) { return set_kernel(node, *parameters); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t handle,
                                             const cudaMemcpy3DParms* parameters) {
  return change(graph, handle, cudaGraphNodeTypeMemcpy, [&](graph_node& node) {
    return copy_box({.function = "cudaGraphExecMemcpyNodeSetParams", .node = &node}, parameters);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t graph, cudaGraphNode_t handle, void* to,
                                               const void* from, std::size_t size, cudaMemcpyKind kind) {
  return change(graph, handle, cudaGraphNodeTypeMemcpy, [&](graph_node& node) {
    return copy({.function = "cudaGraphExecMemcpyNodeSetParams1D", .node = &node}, to, from, size, kind);
  });
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t handle,
                                             const cudaMemsetParams* parameters) {
  return change(graph, handle, cudaGraphNodeTypeMemset, [&](graph_node& node) {
    return make_memset("cudaGraphExecMemsetNodeSetParams", node, parameters);
  });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t handle,
                                           const cudaHostNodeParams* parameters) {
  return change(graph, handle, cudaGraphNodeTypeHost, [&](graph_node& node) {
    return make_host("cudaGraphExecHostNodeSetParams", node, parameters);
  });
}
