// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "graph_kernels.hpp"

#include "code/symbolize.hpp"
#include "device/errors.hpp"
#include "emulator/runtime/runtime_kernels.hpp"
#include "launch_check.hpp"
#include "run_kernel.hpp"

namespace cuda_emulator {
namespace {

/// The node runs the kernel whenever its graph is launched.
void fill(graph_node& node, const std::shared_ptr<const graph_kernel>& kernel) {
  node.type = cudaGraphNodeTypeKernel;
  node.kernel = kernel;
  node.op.what = std::string("kernel ") + kernel->record->name;
  node.body = [kernel](work& mine) {
    const owned_launch& kept = kernel->kept;
    if (failed() != cudaSuccess) return;
    run_kernel({kernel->callee, kernel->file, kernel->line, kernel->shape, kept.call, kept.closure,
                kept.arguments, kept.argument_count, nullptr, kernel->function, kept.addresses},
               *kernel->record, mine);
  };
}

}  // namespace

graph_kernel::graph_kernel(const launch_request& request, const kernel_record& record)
    : callee(request.callee),
      file(request.file),
      line(request.line),
      shape(request.shape),
      record(&record),
      function(request.function),
      kept(request.make(request.function, request.addresses)) {}

graph_kernel::graph_kernel(const cudaKernelNodeParams& p, const kernel_record& record)
    : callee(record.name),
      file(record.file),
      line(record.line),
      shape(p.gridDim, p.blockDim, p.sharedMemBytes),
      record(&record),
      function(p.func),
      kept(record.make(p.func, p.kernelParams)) {}

graph_kernel::~graph_kernel() {
  if (kept.closure != nullptr) kept.discard(kept.closure);
}

graph_node kernel_node(const launch_request& request, const kernel_record& kernel) {
  graph_node node;
  if (request.line != 0)
    node.op.launched_at = source_place{request.file, request.line}.text();
  else
    node.op.called_at = caller_outside();
  fill(node, std::make_shared<const graph_kernel>(request, kernel));
  return node;
}

cudaError_t set_kernel(graph_node& node, const cudaKernelNodeParams& parameters) {
  const kernel_record* const record = parameters.func == nullptr ? nullptr : record_of(parameters.func);
  if (record == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  const configuration shape(parameters.gridDim, parameters.blockDim, parameters.sharedMemBytes);
  if (const cudaError_t error = refusal(shape, *record); error != cudaSuccess) return remember(error);
  if (parameters.extra != nullptr) return say_not_emulated("a kernel node with its arguments in `extra`");
  if (parameters.kernelParams == nullptr && *record->parameters != '\0')
    return remember(cudaErrorInvalidValue);
  if (record->make == nullptr)
    return say_not_emulated("a kernel node of a kernel with parameters that have no names");
  const auto kernel = std::make_shared<const graph_kernel>(parameters, *record);
  if (kernel->kept.closure == nullptr)
    return say_not_emulated("a kernel node of a kernel with references as parameters");
  fill(node, kernel);
  return cudaSuccess;
}

}  // namespace cuda_emulator
