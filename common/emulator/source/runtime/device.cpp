// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about the device.
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstring>

#include "device/device_limits.hpp"
#include "device/errors.hpp"
#include "emulator/control.hpp"
#include "libraries/cufft_plan.hpp"
#include "memory/arrays.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/textures.hpp"
#include "order/graph.hpp"
#include "tell/findings.hpp"

using namespace cuda_emulator;

namespace {

std::atomic<unsigned int> device_flags{cudaDeviceScheduleAuto};
std::atomic<cudaFuncCache> cache_config{cudaFuncCachePreferNone};

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
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  if (const cudaError_t error = check_safe_call(); error != cudaSuccess) return error;
  host_waits_for_all();
  throw_kept_finding();
  return wait_for_kernels();
}
cudaError_t cudaDeviceReset() {
  forget_textures();
  forget_arrays();
  forget_plans();
  forget_order();
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
  if (least != nullptr) *least = limits::least_stream_priority;
  if (greatest != nullptr) *greatest = limits::greatest_stream_priority;
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
