// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The pool of each device that cudaMallocAsync() takes memory from. What it says of itself is true; what
// programs ask it to keep or to reuse changes how long things take on a GPU, and nothing here.
#include <cuda_runtime_api.h>

#include <mutex>

#include "copies.hpp"
#include "device/devices.hpp"
#include "device/errors.hpp"
#include "memory/arrays.hpp"
#include "memory/device_memory.hpp"

struct CUmemPoolHandle_st {
  int reuse[3] = {1, 1, 1};
  cuuint64_t threshold = 0;
};

namespace {

using namespace cuda_emulator;

std::mutex pools_mutex;
CUmemPoolHandle_st pools[most_devices];  // one of each device

bool is_pool(cudaMemPool_t pool) { return pool >= pools && pool < pools + device_count(); }

cuuint64_t used(cudaMemPool_t pool) {
  cuuint64_t bytes = 0;
  for (const allocation& each : device_memory::instance().left())
    if (each.flags == from_pool && device_memory::instance().device_of(each.begin) == pool - pools)
      bytes += each.size;
  return bytes;
}

}  // namespace

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return remember(cudaErrorInvalidValue);
  if (!is_device(device)) return remember(cudaErrorInvalidDevice);
  *pool = &pools[device];
  return stuck();
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (!is_pool(pool) || value == nullptr) return remember(cudaErrorInvalidValue);
  const std::lock_guard lock(pools_mutex);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *static_cast<const int*>(value);
      return stuck();
    case cudaMemPoolAttrReleaseThreshold:
      pool->threshold = *static_cast<const cuuint64_t*>(value);
      return stuck();
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return say_not_emulated("the most that a pool of memory had");
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      break;
  }
  return remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (!is_pool(pool) || value == nullptr) return remember(cudaErrorInvalidValue);
  const std::lock_guard lock(pools_mutex);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int*>(value) = pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
      return stuck();
    case cudaMemPoolAttrReleaseThreshold:
      *static_cast<cuuint64_t*>(value) = pool->threshold;
      return stuck();
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      *static_cast<cuuint64_t*>(value) = used(pool);
      return stuck();
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return say_not_emulated("the most that a pool of memory had");
  }
  return remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return is_pool(pool) ? stuck() : remember(cudaErrorInvalidValue);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  if (!is_pool(pool)) return remember(cudaErrorInvalidValue);
  const with_device of_pool(static_cast<int>(pool - pools));
  return allocate_async("cudaMallocFromPoolAsync", pointer, size, stream);
}
