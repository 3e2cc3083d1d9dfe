// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the emulated device says of itself: the properties and attributes of one NVIDIA H200. Where it says
// less, that is because the emulated device does less.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "device/device_limits.hpp"
#include "device/devices.hpp"
#include "device/errors.hpp"
#include "memory/device_memory.hpp"

using namespace cuda_emulator;

namespace {

template <std::size_t size>
void set(int (&to)[size], const int (&from)[size]) {
  std::copy(std::begin(from), std::end(from), to);
}

void describe_textures(cudaDeviceProp& p) {
  p.textureAlignment = limits::texture_alignment;
  p.texturePitchAlignment = limits::texture_pitch_alignment;
  p.maxTexture1D = limits::texture_1d;
  p.maxTexture1DLinear = limits::texture_1d_linear;
  set(p.maxTexture2D, limits::texture_2d);
  set(p.maxTexture2DLinear, limits::texture_2d_linear);
  set(p.maxTexture3D, limits::texture_3d);
  set(p.maxTexture3DAlt, limits::texture_3d_alternate);
  // What follows is not emulated; programs print it.
  p.maxTexture1DMipmap = 32768;
  set(p.maxTexture2DMipmap, {32768, 32768});
  set(p.maxTexture2DGather, {32768, 32768});
  p.maxTextureCubemap = 32768;
  set(p.maxTexture1DLayered, {32768, 2048});
  set(p.maxTexture2DLayered, {32768, 32768, 2048});
  set(p.maxTextureCubemapLayered, {32768, 2046});
  p.maxSurface1D = 32768;
  set(p.maxSurface2D, {131072, 65536});
  set(p.maxSurface3D, {16384, 16384, 16384});
  set(p.maxSurface1DLayered, {32768, 2048});
  set(p.maxSurface2DLayered, {32768, 32768, 2048});
  p.maxSurfaceCubemap = 32768;
  set(p.maxSurfaceCubemapLayered, {32768, 2046});
  p.surfaceAlignment = 512;
}

void describe_memory(cudaDeviceProp& p) {
  p.totalGlobalMem = device_memory::instance().total_bytes();
  p.sharedMemPerBlock = limits::shared_per_block;
  p.sharedMemPerBlockOptin = limits::shared_per_block_optin;
  p.sharedMemPerMultiprocessor = limits::shared_per_multiprocessor;
  p.reservedSharedMemPerBlock = limits::reserved_shared_per_block;
  p.totalConstMem = limits::constant_bytes;
  p.memPitch = limits::most_pitch;
  p.memoryBusWidth = limits::memory_bus_bits;
  p.l2CacheSize = limits::l2_bytes;
  p.persistingL2CacheMaxSize = limits::l2_bytes / 8 * 5;
  p.accessPolicyMaxWindowSize = 128 << 20;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.ECCEnabled = 1;
  p.canMapHostMemory = p.unifiedAddressing = 1;
  p.hostRegisterSupported = p.hostRegisterReadOnlySupported = p.canUseHostPointerForRegisteredMem = 1;
  p.managedMemory = p.concurrentManagedAccess = 1;
  p.cooperativeLaunch = 1;
  p.memoryPoolsSupported = 1;
  // Kernels do not reach memory that the host has from malloc(): pageableMemoryAccess is 0.
}

}  // namespace

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return remember(cudaErrorInvalidValue);
  if (!is_device(device)) return remember(cudaErrorInvalidDevice);
  cudaDeviceProp p{};
  std::strcpy(p.name, "NVIDIA H200 (emulated)");
  std::memcpy(p.uuid.bytes, "emulated device", sizeof p.uuid.bytes);
  p.uuid.bytes[15] = static_cast<char>(device);
  p.pciDeviceID = device;
  p.major = limits::capability_major;
  p.minor = limits::capability_minor;
  p.multiProcessorCount = limits::multiprocessors;
  p.warpSize = 32;
  p.maxThreadsPerBlock = limits::threads_per_block;
  set(p.maxThreadsDim, {limits::block_x, limits::block_y, limits::block_z});
  set(p.maxGridSize, {limits::grid_x, limits::grid_y, limits::grid_z});
  p.maxThreadsPerMultiProcessor = limits::threads_per_multiprocessor;
  p.maxBlocksPerMultiProcessor = limits::blocks_per_multiprocessor;
  p.regsPerBlock = p.regsPerMultiprocessor = limits::registers;
  p.clockRate = 1980000;
  p.memoryClockRate = 3201000;
  p.computeMode = cudaComputeModeDefault;
  p.deviceOverlap = p.concurrentKernels = 1;
  p.asyncEngineCount = 3;
  p.streamPrioritiesSupported = p.computePreemptionSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  describe_memory(p);
  describe_textures(p);
  *properties = p;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  cudaDeviceProp p;
  if (const cudaError_t error = cudaGetDeviceProperties(&p, device); error != cudaSuccess) return error;
  const auto is = [value](auto v) {
    *value = static_cast<int>(v);
    return cudaSuccess;
  };
  switch (attribute) {
#define X(name, code, value) \
  case cudaDevAttr##name:    \
    return is(value);
#include "emulator/attributes.def"
#undef X
  }
  return remember(cudaErrorInvalidValue);
}

// All devices are alike, and so the first is as near as any to whatever is wanted.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  if (device == nullptr || properties == nullptr) return remember(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}
