// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How a graph is run.
#include "graph.hpp"

#include <algorithm>

#include "device/settings.hpp"
#include "order_state.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator {

cudaGraphNode_t add_node(CUgraph_st& graph, graph_node&& node) {
  graph.nodes.push_back(std::move(node));
  return &graph.handles.emplace_back(CUgraphNode_st{&graph, graph.nodes.size() - 1});
}

namespace {

/// The first of the graph's nodes that uses memory of the host which is gone ends the program.
void check_host_memory(const CUgraphExec_st& graph, const std::string& place) {
  if (!settings().checking) return;
  for (const graph_node& node : graph.nodes)
    for (const auto& use : node.uses)
      if (const std::string gone = use->why_gone(); !gone.empty())
        conclude(
            {{finding_kind::use_after_free,
              (place.empty() ? "somewhere" : place) +
                  ": error: a graph uses memory of the host that is gone\n  " + node.op.what + " at " +
                  node.op.place() + ", a node of the graph launched here, " + gone +
                  "\n  A node keeps the address, not the bytes. Usual cause: a local variable or a local "
                  "vector. Let it live as long\n  as the graph, or pass small values as arguments of a "
                  "kernel, which a node keeps."}});
}

/// The nodes in an order that their dependencies admit; not all of them where those go round in a circle.
std::vector<std::size_t> sequence(const std::vector<graph_node>& nodes) {
  std::vector<std::size_t> missing(nodes.size()), result, ready;
  std::vector<std::vector<std::size_t>> before(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    missing[n] = nodes[n].after.size();
    for (const std::size_t first : nodes[n].after) before[first].push_back(n);
    if (missing[n] == 0) ready.push_back(n);
  }
  while (!ready.empty()) {
    const std::size_t n = ready.front();
    ready.erase(ready.begin());
    result.push_back(n);
    for (const std::size_t then : before[n])
      if (--missing[then] == 0) ready.insert(std::lower_bound(ready.begin(), ready.end(), then), then);
  }
  return result;
}

}  // namespace

bool instantiate(const CUgraph_st& graph, CUgraphExec_st& made) {
  made.made_from = &graph;
  made.nodes = graph.nodes;
  const std::vector<std::size_t> all = sequence(made.nodes);
  if (all.size() != made.nodes.size()) return false;
  made.chain.assign(made.nodes.size(), 0);
  std::vector<bool> continued(made.nodes.size(), false);
  std::size_t chains = 0;
  for (const std::size_t n : all) {
    const auto& after = made.nodes[n].after;
    const auto last = std::find_if(after.begin(), after.end(), [&](std::size_t a) { return !continued[a]; });
    if (last != after.end()) continued[*last] = true;
    made.chain[n] = last != after.end() ? made.chain[*last] : chains++;
  }
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  for (std::size_t c = 0; c < chains; ++c) made.timelines.push_back(order.new_timeline());
  several_streams = true;
  return true;
}

void give_back_timelines(CUgraphExec_st& graph) {
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  if (!order.host.covers(graph.finished)) return;
  for (const std::uint32_t t : graph.timelines) order.free_timelines.push_back(t);
}

void launch_graph(CUgraphExec_st& graph, CUstream_st& stream) {
  order_state& order = the_order();
  const std::string place = line_of(caller_outside());
  check_host_memory(graph, place);
  vector_clock begin;
  {
    const std::lock_guard lock(order.mutex);
    const bool works = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                   [](const graph_node& node) { return node.body != nullptr; });
    begin = works || !stream.is_default() ? order.before(stream) : order.of_stream_alone(stream);
    begin.join(graph.finished);
  }
  std::vector<vector_clock> finished(graph.nodes.size());
  vector_clock end = begin;
  for (const std::size_t n : sequence(graph.nodes)) {
    graph_node& node = graph.nodes[n];
    vector_clock start = begin;
    for (const std::size_t first : node.after) start.join(finished[first]);
    finished[n] = start;
    if (node.body == nullptr) continue;
    operation op = node.op;
    op.graph_at = place.empty() ? "somewhere" : place;
    op.stream = stream.label;
    work mine(std::move(op), start, graph.timelines[graph.chain[n]], node.device);
    finished[n] = mine.finished();
    end.join(finished[n]);
    work_body body = node.body;
    const auto until = node.prepare ? node.prepare(start, body) : nullptr;
    give(std::move(mine), {.calls_host = node.type == cudaGraphNodeTypeHost, .until = until}, body,
         [&] { return body; });
  }
  const std::lock_guard lock(order.mutex);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n)
    for (const auto& use : graph.nodes[n].uses) use->used_until(finished[n], place);
  graph.finished = end;
  stream.clock.join(end);
}

}  // namespace cuda_emulator
