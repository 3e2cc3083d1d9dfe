// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The one pool that cudaMallocAsync() takes memory from. What it says of itself is true; what programs ask it
// to keep or to reuse changes how long things take on a GPU, and nothing here.
#include <cuda_runtime_api.h>

#include <mutex>

#include "copies.hpp"
#include "device/errors.hpp"
#include "memory/arrays.hpp"
#include "memory/device_memory.hpp"

struct CUmemPoolHandle_st {
  int reuse[3] = {1, 1, 1};
  cuuint64_t threshold = 0;
};

namespace {

using namespace cuda_emulator;

std::mutex mutex;
CUmemPoolHandle_st the_pool;

cuuint64_t used() {
  cuuint64_t bytes = 0;
  for (const allocation& each : device_memory::instance().left())
    if (each.flags == from_pool) bytes += each.size;
  return bytes;
}

}  // namespace

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return remember(cudaErrorInvalidValue);
  if (device != 0) return remember(cudaErrorInvalidDevice);
  *pool = &the_pool;
  return stuck();
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (pool != &the_pool || value == nullptr) return remember(cudaErrorInvalidValue);
  const std::lock_guard lock(mutex);
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
  if (pool != &the_pool || value == nullptr) return remember(cudaErrorInvalidValue);
  const std::lock_guard lock(mutex);
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
      *static_cast<cuuint64_t*>(value) = used();
      return stuck();
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return say_not_emulated("the most that a pool of memory had");
  }
  return remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return pool == &the_pool ? stuck() : remember(cudaErrorInvalidValue);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  if (pool != &the_pool) return remember(cudaErrorInvalidValue);
  return allocate_async("cudaMallocFromPoolAsync", pointer, size, stream);
}
