// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernels as nodes of graphs: launches that own their arguments.
#pragma once

#include "emulator/launch.hpp"
#include "order/graph.hpp"

namespace cuda_emulator {

struct graph_kernel {
  const char *callee, *file;
  int line;
  configuration shape;
  const kernel_record* record;
  const void* function;  ///< Its address; null where that is not known.
  owned_launch kept;

  graph_kernel(const launch_request& request, const kernel_record& record);
  /// A kernel by its address and those of its arguments.
  graph_kernel(const cudaKernelNodeParams& parameters, const kernel_record& record);
  graph_kernel(const graph_kernel&) = delete;
  ~graph_kernel();
};

graph_node kernel_node(const launch_request& request, const kernel_record& kernel);
/// Makes `node` launch this. Remembers the error.
cudaError_t set_kernel(graph_node& node, const cudaKernelNodeParams& parameters);

}  // namespace cuda_emulator
