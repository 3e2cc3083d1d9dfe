// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about the device, streams and events.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>

#include "cufft_plan.hpp"
#include "device_limits.hpp"
#include "device_memory.hpp"
#include "errors.hpp"
#include "textures.hpp"

using namespace cuda_emulator;

struct CUstream_st {
  unsigned int flags;
};
struct CUevent_st {
  bool timed, recorded = false;
  std::chrono::steady_clock::time_point time{};
};

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return device == 0 ? stuck() : remember(cudaErrorInvalidDevice); }
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return cudaSetDevice(device); }
cudaError_t cudaSetDeviceFlags(unsigned int) { return stuck(); }
cudaError_t cudaDeviceSynchronize() { return wait_for_kernels(); }
cudaError_t cudaDeviceReset() {
  forget_textures();
  forget_arrays();
  forget_plans();
  device_memory::instance().release_all();
  forget_errors();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return stuck(); }
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
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
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return stuck(); }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return stuck();
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return remember(cudaErrorInvalidValue);
  if (device != 0) return remember(cudaErrorInvalidDevice);
  cudaDeviceProp p{};
  std::strcpy(p.name, "NVIDIA H200 (emulated)");
  p.totalGlobalMem = device_memory::instance().total_bytes();
  p.sharedMemPerBlock = limits::shared_per_block;
  p.regsPerBlock = limits::registers;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = limits::threads_per_block;
  p.maxThreadsDim[0] = limits::block_x;
  p.maxThreadsDim[1] = limits::block_y;
  p.maxThreadsDim[2] = limits::block_z;
  p.maxGridSize[0] = limits::grid_x;
  p.maxGridSize[1] = limits::grid_y;
  p.maxGridSize[2] = limits::grid_z;
  p.totalConstMem = limits::constant_bytes;
  p.major = limits::capability_major;
  p.minor = limits::capability_minor;
  p.textureAlignment = limits::texture_alignment;
  p.texturePitchAlignment = limits::texture_pitch_alignment;
  p.multiProcessorCount = limits::multiprocessors;
  p.canMapHostMemory = 1;
  p.maxTexture1D = limits::texture_1d;
  std::copy(std::begin(limits::texture_2d), std::end(limits::texture_2d), p.maxTexture2D);
  std::copy(std::begin(limits::texture_2d_linear), std::end(limits::texture_2d_linear), p.maxTexture2DLinear);
  for (int& extent : p.maxTexture3D) extent = 16384;
  p.surfaceAlignment = 512;
  p.concurrentKernels = 1;
  p.ECCEnabled = 1;
  p.asyncEngineCount = 3;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = limits::memory_bus_bits;
  p.l2CacheSize = limits::l2_bytes;
  p.persistingL2CacheMaxSize = limits::l2_bytes / 8 * 5;
  p.maxThreadsPerMultiProcessor = limits::threads_per_multiprocessor;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = limits::shared_per_multiprocessor;
  p.regsPerMultiprocessor = limits::registers;
  p.managedMemory = p.concurrentManagedAccess = p.computePreemptionSupported = 1;
  p.sharedMemPerBlockOptin = limits::shared_per_block_optin;
  p.maxBlocksPerMultiProcessor = limits::blocks_per_multiprocessor;
  p.reservedSharedMemPerBlock = limits::reserved_shared_per_block;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  p.clockRate = 1980000;
  p.memoryClockRate = 3201000;
  p.computeMode = cudaComputeModeDefault;
  p.deviceOverlap = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  *properties = p;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp p;
  if (const cudaError_t error = cudaGetDeviceProperties(&p, device); error != cudaSuccess) return error;
  const auto is = [value](auto v) {
    *value = static_cast<int>(v);
    return cudaSuccess;
  };
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return is(p.maxThreadsPerBlock);
    case cudaDevAttrMaxBlockDimX:
      return is(p.maxThreadsDim[0]);
    case cudaDevAttrMaxBlockDimY:
      return is(p.maxThreadsDim[1]);
    case cudaDevAttrMaxBlockDimZ:
      return is(p.maxThreadsDim[2]);
    case cudaDevAttrMaxGridDimX:
      return is(p.maxGridSize[0]);
    case cudaDevAttrMaxGridDimY:
      return is(p.maxGridSize[1]);
    case cudaDevAttrMaxGridDimZ:
      return is(p.maxGridSize[2]);
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return is(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return is(p.totalConstMem);
    case cudaDevAttrWarpSize:
      return is(p.warpSize);
    case cudaDevAttrMaxPitch:
      return is(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
      return is(p.regsPerBlock);
    case cudaDevAttrClockRate:
      return is(p.clockRate);
    case cudaDevAttrTextureAlignment:
      return is(p.textureAlignment);
    case cudaDevAttrGpuOverlap:
      return is(1);
    case cudaDevAttrMultiProcessorCount:
      return is(p.multiProcessorCount);
    case cudaDevAttrKernelExecTimeout:
      return is(0);
    case cudaDevAttrIntegrated:
      return is(p.integrated);
    case cudaDevAttrCanMapHostMemory:
      return is(p.canMapHostMemory);
    case cudaDevAttrComputeMode:
      return is(cudaComputeModeDefault);
    case cudaDevAttrConcurrentKernels:
      return is(p.concurrentKernels);
    case cudaDevAttrEccEnabled:
      return is(p.ECCEnabled);
    case cudaDevAttrPciBusId:
      return is(p.pciBusID);
    case cudaDevAttrPciDeviceId:
      return is(p.pciDeviceID);
    case cudaDevAttrTccDriver:
      return is(p.tccDriver);
    case cudaDevAttrMemoryClockRate:
      return is(p.memoryClockRate);
    case cudaDevAttrGlobalMemoryBusWidth:
      return is(p.memoryBusWidth);
    case cudaDevAttrL2CacheSize:
      return is(p.l2CacheSize);
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return is(p.maxThreadsPerMultiProcessor);
    case cudaDevAttrAsyncEngineCount:
      return is(p.asyncEngineCount);
    case cudaDevAttrUnifiedAddressing:
      return is(p.unifiedAddressing);
    case cudaDevAttrPciDomainId:
      return is(p.pciDomainID);
    case cudaDevAttrTexturePitchAlignment:
      return is(p.texturePitchAlignment);
    case cudaDevAttrComputeCapabilityMajor:
      return is(p.major);
    case cudaDevAttrComputeCapabilityMinor:
      return is(p.minor);
    case cudaDevAttrStreamPrioritiesSupported:
      return is(p.streamPrioritiesSupported);
    case cudaDevAttrGlobalL1CacheSupported:
      return is(p.globalL1CacheSupported);
    case cudaDevAttrLocalL1CacheSupported:
      return is(p.localL1CacheSupported);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return is(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return is(p.regsPerMultiprocessor);
    case cudaDevAttrManagedMemory:
      return is(p.managedMemory);
    case cudaDevAttrIsMultiGpuBoard:
      return is(p.isMultiGpuBoard);
    case cudaDevAttrMultiGpuBoardGroupID:
      return is(p.multiGpuBoardGroupID);
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return is(2);
    case cudaDevAttrPageableMemoryAccess:
      return is(p.pageableMemoryAccess);
    case cudaDevAttrConcurrentManagedAccess:
      return is(p.concurrentManagedAccess);
    case cudaDevAttrComputePreemptionSupported:
      return is(p.computePreemptionSupported);
    case cudaDevAttrCooperativeLaunch:
      return is(p.cooperativeLaunch);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return is(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return is(p.maxBlocksPerMultiProcessor);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return is(p.reservedSharedMemPerBlock);
    case cudaDevAttrMemoryPoolsSupported:
      return is(p.memoryPoolsSupported);
  }
  return remember(cudaErrorInvalidValue);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (stream == nullptr || flags > cudaStreamNonBlocking) return remember(cudaErrorInvalidValue);
  *stream = new CUstream_st{flags};
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
    return remember(cudaErrorInvalidResourceHandle);
  delete stream;
  return stuck();
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return wait_for_kernels(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return wait_for_kernels(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned int) {
  return event != nullptr ? stuck() : remember(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  function(data);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (event == nullptr) return remember(cudaErrorInvalidValue);
  *event = new CUevent_st{.timed = (flags & cudaEventDisableTiming) == 0};
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  delete event;
  return stuck();
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  event->recorded = true;
  event->time = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return event != nullptr ? wait_for_kernels() : remember(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (milliseconds == nullptr) return remember(cudaErrorInvalidValue);
  if (start == nullptr || end == nullptr || !start->timed || !end->timed || !start->recorded ||
      !end->recorded)
    return remember(cudaErrorInvalidResourceHandle);
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudaSuccess;
}
