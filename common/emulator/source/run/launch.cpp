// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// From `kernel<<<...>>>(...)` to an operation of a stream: decide, enqueue, run.
#include "child_launches.hpp"
#include "code/symbolize.hpp"
#include "device/devices.hpp"
#include "device/errors.hpp"
#include "device/failed_calls.hpp"
#include "emulator/runtime/runtime_templates.hpp"
#include "graph_kernels.hpp"
#include "launch_check.hpp"
#include "order/pending.hpp"
#include "run_kernel.hpp"
#include "tell/report.hpp"
#include "worker.hpp"

namespace cuda_emulator {

namespace {

work_label label_of(const launch_request& request, const kernel_record& kernel) {
  work_label label{.function = request.callee, .kernel = kernel.name};
  if (request.line != 0) label.launched_at = source_place{request.file, request.line}.text();
  return label;
}

launch_refusal enqueue_kernel(const launch_request& request, const kernel_record& kernel) {
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return {error};
  CUstream_st* const stream = find_stream(request.shape.stream);
  if (stream == nullptr) return {cudaErrorInvalidResourceHandle};
  if (stream->capturing != nullptr) {
    graph_node node = kernel_node(request, kernel);
    if (node.kernel->kept.closure != nullptr) return {add_captured(*stream, std::move(node))};
    harm_captures(cudaErrorStreamCaptureUnsupported, stream);
    return {say_not_emulated("the capture of a kernel with references as parameters")};
  }
  if (stream->device != current_device())
    return {cudaErrorInvalidResourceHandle, launch_refusal::told::to_program,
            "the stream is one of " + device_text(stream->device) + ", and " + device_text(current_device()) +
                " is current"};
  if (const cudaError_t error = check_default_stream(*stream); error != cudaSuccess) return {error};
  work mine(*stream, label_of(request, kernel));
  const work_body now = [&](work& of) { run_kernel(request, kernel, of); };
  graph_node kept;
  const bool may_wait = device_count() > 1 && mine.op() != nullptr;
  if (may_wait || !mine.at_once(settings().order == thread_order::forward)) {
    kept = kernel_node(request, kernel);
    if (kept.body != nullptr && kept.kernel->kept.closure == nullptr) run_until(mine.op()->start);
  }
  give(std::move(mine), {.may_wait = may_wait && kept.body != nullptr}, now, [&] { return kept.body; });
  return {};
}

/// The only exit of launches that do not begin.
void refuse(const launch_request& request, const kernel_record* kernel, const launch_refusal& refused) {
  using enum launch_refusal::told;
  if (refused.where != to_program) report_refused(request, kernel, refused.error);
  if (refused.where == in_report) return;
  note_failed_launch(request, refused.error, refused.why, refused.number);
  set_last(refused.error);
}

}  // namespace

void run_launch(const launch_request& request) {
  if (current_worker != nullptr) return launch_by_kernel(request);
  const kernel_record* kernel = nullptr;
  launch_refusal refused = decide(request, kernel);
  if (refused.error == cudaSuccess) refused = enqueue_kernel(request, *kernel);
  if (refused.error != cudaSuccess) refuse(request, kernel, refused);
}

cudaError_t launch_by_address(const char* callee, const configuration& shape, const void* kernel,
                              void** addresses) {
  const kernel_record* const record = kernel == nullptr ? nullptr : record_of(kernel);
  if (record == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  if (addresses == nullptr && *record->parameters != '\0') return remember(cudaErrorInvalidValue);
  const owned_launch kept = record->make != nullptr ? record->make(kernel, addresses) : owned_launch{};
  if (kept.closure == nullptr)
    return say_not_emulated(
        "a launch by the address of a kernel with references or parameters without names");
  run_launch({callee, "", 0, shape, kept.call, kept.closure, kept.arguments, kept.argument_count,
              record->make, kernel, addresses});
  kept.discard(kept.closure);
  return last_error();
}

}  // namespace cuda_emulator
