// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about streams and events.
#include "order/streams.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>

#include "device/device_limits.hpp"
#include "device/errors.hpp"
#include "device/failed_calls.hpp"
#include "device/libraries.hpp"
#include "emulator/runtime/launch_configuration.hpp"
#include "order/enqueue.hpp"
#include "run/worker.hpp"

using namespace cuda_emulator;

namespace {

/// What is wrong with a call about a stream or an event that is not there.
cudaError_t no_such() { return remember(cudaErrorInvalidResourceHandle); }

}  // namespace

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (stream == nullptr || flags > cudaStreamNonBlocking) return remember(cudaErrorInvalidValue);
  *stream = create_stream(
      flags, std::clamp(priority, limits::greatest_stream_priority, limits::least_stream_priority));
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  if (current_worker != nullptr) {  // what kernels launch runs in order, whatever the stream
    *stream = nullptr;
    return cudaSuccess;
  }
  return cudaStreamCreateWithPriority(stream, flags, limits::least_stream_priority);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (current_worker != nullptr) return cudaSuccess;
  return destroy_stream(stream) ? stuck() : no_such();
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  const CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return no_such();
  if (found->capturing != nullptr) return harm_captures(cudaErrorStreamCaptureUnsupported, found);
  if (const cudaError_t error = check_default_stream(*found); error != cudaSuccess) return error;
  tell_libraries_host_waits("cudaStreamSynchronize");
  host_waits_for(*found);
  return wait_for_kernels();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return no_such();
  if (found->capturing != nullptr) return harm_captures(cudaErrorStreamCaptureUnsupported, found);
  if (const cudaError_t error = check_default_stream(*found); error != cudaSuccess) return error;
  return host_asks_for(*found) ? wait_for_kernels() : remember(cudaErrorNotReady);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  if (flags == cudaEventWaitExternal) return say_not_emulated("cudaEventWaitExternal, which is for graphs,");
  if (flags != cudaEventWaitDefault) return remember(cudaErrorInvalidValue);
  CUstream_st* const found = find_stream(stream);
  if (found == nullptr || !lives(event)) return no_such();
  if (const cudaError_t error = check_default_stream(*found); error != cudaSuccess) return error;
  if (const cudaError_t error = wait_captured(*found, *event); error != cudaErrorNotReady) return error;
  wait_for_event(*found, *event);
  return stuck();
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  const CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return no_such();
  if (flags == nullptr) return remember(cudaErrorInvalidValue);
  *flags = found->flags;
  return stuck();
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  const CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return no_such();
  if (priority == nullptr) return remember(cudaErrorInvalidValue);
  *priority = found->priority;
  return stuck();
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value) {
  if (find_stream(stream) == nullptr) return no_such();
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  if (id == cudaLaunchAttributeAccessPolicyWindow) {
    const cudaAccessPolicyWindow& window = value->accessPolicyWindow;
    int most = 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxAccessPolicyWindowSize, 0);
    const bool valid = window.num_bytes <= static_cast<std::size_t>(most) && window.hitRatio >= 0 &&
                       window.hitRatio <= 1 && window.missProp != cudaAccessPropertyPersisting;
    return valid ? stuck() : remember(cudaErrorInvalidValue);
  }
  if (id == cudaLaunchAttributeSynchronizationPolicy) return stuck();
  std::fprintf(stderr, "cudaStreamSetAttribute(): attribute %d is not emulated.\n", static_cast<int>(id));
  return remember(cudaErrorNotSupported);
}
cudaError_t cudaCtxResetPersistingL2Cache() { return stuck(); }
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  const CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return no_such();
  if (device == nullptr) return remember(cudaErrorInvalidValue);
  *device = found->device;
  return stuck();
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  const CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return no_such();
  if (id == nullptr) return remember(cudaErrorInvalidValue);
  *id = found->id;
  return stuck();
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (function == nullptr) return remember(cudaErrorInvalidValue);
  stream_call call{"cudaLaunchHostFunc", stream, true};
  call.uses.push_back(data_of(data));
  return enqueue(call, false, cudaGraphNodeTypeHost, [=](work& mine) {
    const host_function inside(mine);
    function(data);
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (callback == nullptr || flags != 0) return remember(cudaErrorInvalidValue);
  if (const CUstream_st* const found = find_stream(stream); found != nullptr && found->capturing != nullptr)
    return harm_captures(cudaErrorStreamCaptureUnsupported, found);
  return enqueue({"cudaStreamAddCallback", stream, true}, false, cudaGraphNodeTypeHost, [=](work& mine) {
    const host_function inside(mine);
    callback(stream, cudaSuccess, data);
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  constexpr unsigned int all = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (event == nullptr || (flags & ~all) != 0) return remember(cudaErrorInvalidValue);
  if ((flags & cudaEventInterprocess) != 0 && (flags & cudaEventDisableTiming) == 0)
    return remember(cudaErrorInvalidValue);
  if ((flags & cudaEventInterprocess) != 0) return say_not_emulated("an event for several processes");
  *event = create_event((flags & cudaEventDisableTiming) == 0);
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy_event(event) ? stuck() : no_such(); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  CUstream_st* const found = find_stream(stream);
  if (!lives(event) || found == nullptr) return no_such();
  if (event->device != found->device)
    return remember(cudaErrorInvalidResourceHandle, "the event is one of " + device_text(event->device) +
                                                        ", and the stream is one of " +
                                                        device_text(found->device));
  if (const cudaError_t error = check_default_stream(*found); error != cudaSuccess) return error;
  if (const cudaError_t error = record_captured(*event, *found); error != cudaErrorNotReady) return error;
  record_event(*event, *found);
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (flags == cudaEventRecordExternal)
    return say_not_emulated("cudaEventRecordExternal, which is for graphs,");
  return flags == cudaEventRecordDefault ? cudaEventRecord(event, stream) : remember(cudaErrorInvalidValue);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  if (!lives(event)) return no_such();
  if (event->captured != nullptr) return remember(cudaErrorCapturedEvent);
  tell_libraries_host_waits("cudaEventSynchronize");
  host_waits_for(*event);
  return wait_for_kernels();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  if (!lives(event)) return no_such();
  if (event->captured != nullptr) return remember(cudaErrorCapturedEvent);
  return host_asks_for(*event) ? wait_for_kernels() : remember(cudaErrorNotReady);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (milliseconds == nullptr) return remember(cudaErrorInvalidValue);
  if (!lives(start) || !lives(end) || !start->timed || !end->timed || !start->recorded || !end->recorded)
    return remember(cudaErrorInvalidResourceHandle);
  if (start->device != end->device)
    return remember(cudaErrorInvalidResourceHandle, "one event is of " + device_text(start->device) +
                                                        ", the other one of " + device_text(end->device));
  const bool begun = host_asks_for(*start), ended = host_asks_for(*end);
  if (!begun || !ended)
    return remember(cudaErrorNotReady, std::string("nothing has waited for the ") +
                                           (begun ? "second" : "first") +
                                           " event: cudaEventSynchronize() comes before this call");
  forget_failures(cudaErrorNotReady);  // the program has asked until it was there
  *milliseconds = std::chrono::duration<float, std::milli>(*end->time - *start->time).count();
  return cudaSuccess;
}
