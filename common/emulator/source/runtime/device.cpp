// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about the device, streams and events.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>

#include "device/errors.hpp"
#include "emulator/control.hpp"
#include "emulator/launch_configuration.hpp"
#include "libraries/cufft_plan.hpp"
#include "memory/arrays.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/textures.hpp"
#include "tell/findings.hpp"

using namespace cuda_emulator;

struct CUstream_st {
  unsigned int flags;
  int priority;
  unsigned long long id;
};
struct CUevent_st {
  bool timed, recorded = false;
  std::chrono::steady_clock::time_point time{};
};

namespace {

std::atomic<unsigned int> device_flags{cudaDeviceScheduleAuto};
std::atomic<cudaFuncCache> cache_config{cudaFuncCachePreferNone};
std::atomic<unsigned long long> last_stream_id{2};  // after those of the two streams that are always there
constexpr int least_priority = 0, greatest_priority = -5;

// Streams and events that live. Never destroyed: static objects of programs may use streams.
std::mutex& mutex = *new std::mutex;
std::set<const void*>& known = *new std::set<const void*>;

template <class Handle>
bool forget(Handle handle) {
  const std::lock_guard lock(mutex);
  return known.erase(handle) == 1;
}
bool lives(const void* handle) {
  const std::lock_guard lock(mutex);
  return known.contains(handle);
}
bool is_stream(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread || lives(stream);
}
template <class T>
T* created(T* made) {
  const std::lock_guard lock(mutex);
  known.insert(made);
  return made;
}

/// What is wrong with a call about a stream or an event that is not there.
cudaError_t no_such() { return remember(cudaErrorInvalidResourceHandle); }

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return remember(cudaErrorInvalidValue);
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return remember(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return device == 0 ? stuck() : remember(cudaErrorInvalidDevice); }
cudaError_t cudaSetValidDevices(int* devices, int count) {
  if (count > 0 && devices == nullptr) return remember(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i)
    if (devices[i] != 0) return remember(cudaErrorInvalidDevice);
  return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return cudaSetDevice(device); }
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  constexpr unsigned int all = cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax;
  if ((flags & ~all) != 0) return remember(cudaErrorInvalidValue);
  device_flags = flags;
  return stuck();
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (flags == nullptr) return remember(cudaErrorInvalidValue);
  *flags = device_flags | cudaDeviceMapHost;
  return stuck();
}
cudaError_t cudaDeviceSynchronize() {
  throw_kept_finding();
  return wait_for_kernels();
}
cudaError_t cudaDeviceReset() {
  forget_textures();
  forget_arrays();
  forget_plans();
  forget_ranges();
  device_memory::instance().release_all();
  forget_errors();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t) {
  return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize
             ? stuck()
             : remember(cudaErrorUnsupportedLimit);
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  switch (limit) {
    case cudaLimitStackSize:
      *value = 1024;
      return stuck();
    case cudaLimitPrintfFifoSize:
      *value = 7 << 20;
      return stuck();
    case cudaLimitMallocHeapSize:
      *value = 8 << 20;
      return stuck();
    default:
      return remember(cudaErrorUnsupportedLimit);
  }
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  cache_config = config;
  return stuck();
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  *config = cache_config;
  return stuck();
}
// Banks have had four bytes since compute capability 5; asking for others does nothing.
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return stuck();
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return stuck(); }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = least_priority;
  if (greatest != nullptr) *greatest = greatest_priority;
  return stuck();
}

// There is one device, and no device is its own peer.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (can == nullptr) return remember(cudaErrorInvalidValue);
  if (device != 0 || peer != 0) return remember(cudaErrorInvalidDevice);
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int) {
  return remember(peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return remember(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  return remember(value == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  constexpr char id[] = "0000:00:00.0";
  if (text == nullptr || size < static_cast<int>(sizeof id)) return remember(cudaErrorInvalidValue);
  if (device != 0) return remember(cudaErrorInvalidDevice);
  std::memcpy(text, id, sizeof id);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (device == nullptr || text == nullptr) return remember(cudaErrorInvalidValue);
  if (std::strcmp(text, "0000:00:00.0") != 0) return remember(cudaErrorInvalidDevice);
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (stream == nullptr || flags > cudaStreamNonBlocking) return remember(cudaErrorInvalidValue);
  *stream = created(
      new CUstream_st{flags, std::clamp(priority, greatest_priority, least_priority), ++last_stream_id});
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, least_priority);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!forget(stream)) return no_such();
  delete stream;
  return stuck();
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return is_stream(stream) ? wait_for_kernels() : no_such();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  if (flags == cudaEventWaitExternal) return say_not_emulated("cudaEventWaitExternal, which is for graphs,");
  if (flags != cudaEventWaitDefault) return remember(cudaErrorInvalidValue);
  return is_stream(stream) && lives(event) ? stuck() : no_such();
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  if (!is_stream(stream)) return no_such();
  if (flags == nullptr) return remember(cudaErrorInvalidValue);
  *flags = lives(stream) ? stream->flags : cudaStreamDefault;
  return stuck();
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (!is_stream(stream)) return no_such();
  if (priority == nullptr) return remember(cudaErrorInvalidValue);
  *priority = lives(stream) ? stream->priority : least_priority;
  return stuck();
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value) {
  if (!is_stream(stream)) return no_such();
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
  return is_stream(stream) ? cudaGetDevice(device) : no_such();
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (!is_stream(stream)) return no_such();
  if (id == nullptr) return remember(cudaErrorInvalidValue);
  *id = lives(stream) ? stream->id : stream == cudaStreamPerThread ? 2 : 1;
  return stuck();
}
// All that the stream was given has been done, and so it is the function's turn.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (!is_stream(stream)) return no_such();
  if (function == nullptr) return remember(cudaErrorInvalidValue);
  function(data);
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (!is_stream(stream)) return no_such();
  if (callback == nullptr || flags != 0) return remember(cudaErrorInvalidValue);
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  constexpr unsigned int all = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (event == nullptr || (flags & ~all) != 0) return remember(cudaErrorInvalidValue);
  if ((flags & cudaEventInterprocess) != 0 && (flags & cudaEventDisableTiming) == 0)
    return remember(cudaErrorInvalidValue);
  if ((flags & cudaEventInterprocess) != 0) return say_not_emulated("an event for several processes");
  *event = created(new CUevent_st{.timed = (flags & cudaEventDisableTiming) == 0});
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (!forget(event)) return no_such();
  delete event;
  return stuck();
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (!lives(event) || !is_stream(stream)) return no_such();
  event->recorded = true;
  event->time = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (flags == cudaEventRecordExternal)
    return say_not_emulated("cudaEventRecordExternal, which is for graphs,");
  return flags == cudaEventRecordDefault ? cudaEventRecord(event, stream) : remember(cudaErrorInvalidValue);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return lives(event) ? wait_for_kernels() : no_such(); }
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (milliseconds == nullptr) return remember(cudaErrorInvalidValue);
  if (!lives(start) || !lives(end) || !start->timed || !end->timed || !start->recorded || !end->recorded)
    return remember(cudaErrorInvalidResourceHandle);
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudaSuccess;
}
