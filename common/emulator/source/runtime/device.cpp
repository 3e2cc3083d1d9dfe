// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about the device.
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "device/device_limits.hpp"
#include "device/devices.hpp"
#include "device/errors.hpp"
#include "device/libraries.hpp"
#include "device/peer_access.hpp"
#include "device/settings.hpp"
#include "emulator/control.hpp"
#include "memory/arrays.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/surfaces.hpp"
#include "memory/textures.hpp"
#include "order/graph.hpp"
#include "tell/findings.hpp"

using namespace cuda_emulator;

namespace {

std::atomic<unsigned int> device_flags{cudaDeviceScheduleAuto};
std::atomic<cudaFuncCache> cache_config{cudaFuncCachePreferNone};

// By device and peer, where access was enabled last. Never destroyed: used until the very end.
std::mutex& enabled_mutex = *new std::mutex;
std::map<std::pair<int, int>, call_stack>& enabled = *new std::map<std::pair<int, int>, call_stack>;

cudaError_t no_device(int device) {
  const int count = device_count();
  if (device < 0 || count > 1)
    return remember(cudaErrorInvalidDevice,
                    "there is no device " + std::to_string(device) + " among " + std::to_string(count));
  return remember(cudaErrorInvalidDevice,
                  "there is one device, number 0 (EMULATOR_DEVICES=N in the environment gives N of them)");
}

}  // namespace

std::vector<enabled_access> cuda_emulator::accesses_left() {
  std::vector<enabled_access> left;
  const std::lock_guard lock(enabled_mutex);
  for (const auto& [pair, made_at] : enabled)
    if (reaches(pair.first, pair.second)) left.push_back({pair.first, pair.second, made_at});
  return left;
}

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return remember(cudaErrorInvalidValue);
  *count = device_count();
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return remember(cudaErrorInvalidValue);
  *device = current_device();
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (!is_device(device)) return no_device(device);
  set_current_device(device);
  return stuck();
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  if (count > 0 && devices == nullptr) return remember(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i)
    if (!is_device(devices[i])) return no_device(devices[i]);
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
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  if (const cudaError_t error = check_safe_call(); error != cudaSuccess) return error;
  tell_libraries_host_waits("cudaDeviceSynchronize");
  host_waits_for_device(current_device());
  throw_kept_finding();
  return wait_for_kernels();
}
cudaError_t cudaDeviceReset() {
  forget_textures();
  forget_surfaces();
  forget_arrays();
  forget_in_libraries();
  forget_order(current_device());
  if (device_count() == 1) forget_ranges();
  device_memory::instance().release_all();
  for (int peer = 0; peer < device_count(); ++peer) set_reaches(current_device(), peer, false);
  forget_errors();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  if (limit == cudaLimitMallocHeapSize && !device_memory::instance().limit_heap(value))
    return remember(cudaErrorInvalidValue, "a kernel has used the heap already, and its size stays");
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
      *value = device_memory::instance().heap_limit();
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
  if (least != nullptr) *least = limits::least_stream_priority;
  if (greatest != nullptr) *greatest = limits::greatest_stream_priority;
  return stuck();
}

// Every device reaches every other one, and none is its own peer.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (can == nullptr) return remember(cudaErrorInvalidValue);
  if (!is_device(device)) return no_device(device);
  if (!is_device(peer)) return no_device(peer);
  *can = device != peer;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  if (!is_device(peer)) return no_device(peer);
  if (flags != 0) return remember(cudaErrorInvalidValue);
  if (peer == current_device()) return remember(cudaErrorPeerAccessUnsupported);
  if (reaches(current_device(), peer)) return remember(cudaErrorPeerAccessAlreadyEnabled);
  {
    const std::lock_guard lock(enabled_mutex);
    enabled[{current_device(), peer}] = caller_outside();
  }
  set_reaches(current_device(), peer, true);
  return stuck();
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  if (!is_device(peer)) return no_device(peer);
  if (peer == current_device() || !reaches(current_device(), peer))
    return remember(cudaErrorPeerAccessNotEnabled);
  set_reaches(current_device(), peer, false);
  return stuck();
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  if (!is_device(device) || !is_device(peer) || device == peer) return remember(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevP2PAttrPerformanceRank:
      *value = 0;
      return stuck();
    case cudaDevP2PAttrNativeAtomicSupported:
      *value = settings().peer_atomics;
      return stuck();
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrCudaArrayAccessSupported:
      *value = 1;
      return stuck();
  }
  return remember(cudaErrorInvalidValue);
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  char id[] = "0000:00:00.0";
  if (text == nullptr || size < static_cast<int>(sizeof id)) return remember(cudaErrorInvalidValue);
  if (!is_device(device)) return no_device(device);
  id[6] = "0123456789abcdef"[device];
  std::memcpy(text, id, sizeof id);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (device == nullptr || text == nullptr) return remember(cudaErrorInvalidValue);
  for (int each = 0; each < device_count(); ++each) {
    char id[16];
    cudaDeviceGetPCIBusId(id, sizeof id, each);
    if (std::strcmp(text, id) != 0) continue;
    *device = each;
    return cudaSuccess;
  }
  return remember(cudaErrorInvalidDevice);
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
