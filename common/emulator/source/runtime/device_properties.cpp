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
#define ATTRIBUTE(name, expression) \
  case cudaDevAttr##name:           \
    return is(expression);
    ATTRIBUTE(MaxThreadsPerBlock, p.maxThreadsPerBlock)
    ATTRIBUTE(MaxBlockDimX, p.maxThreadsDim[0])
    ATTRIBUTE(MaxBlockDimY, p.maxThreadsDim[1])
    ATTRIBUTE(MaxBlockDimZ, p.maxThreadsDim[2])
    ATTRIBUTE(MaxGridDimX, p.maxGridSize[0])
    ATTRIBUTE(MaxGridDimY, p.maxGridSize[1])
    ATTRIBUTE(MaxGridDimZ, p.maxGridSize[2])
    ATTRIBUTE(MaxSharedMemoryPerBlock, p.sharedMemPerBlock)
    ATTRIBUTE(TotalConstantMemory, p.totalConstMem)
    ATTRIBUTE(WarpSize, p.warpSize)
    ATTRIBUTE(MaxPitch, p.memPitch)
    ATTRIBUTE(MaxRegistersPerBlock, p.regsPerBlock)
    ATTRIBUTE(ClockRate, p.clockRate)
    ATTRIBUTE(TextureAlignment, p.textureAlignment)
    ATTRIBUTE(GpuOverlap, p.deviceOverlap)
    ATTRIBUTE(MultiProcessorCount, p.multiProcessorCount)
    ATTRIBUTE(KernelExecTimeout, p.kernelExecTimeoutEnabled)
    ATTRIBUTE(Integrated, p.integrated)
    ATTRIBUTE(CanMapHostMemory, p.canMapHostMemory)
    ATTRIBUTE(ComputeMode, p.computeMode)
    ATTRIBUTE(MaxTexture1DWidth, p.maxTexture1D)
    ATTRIBUTE(MaxTexture2DWidth, p.maxTexture2D[0])
    ATTRIBUTE(MaxTexture2DHeight, p.maxTexture2D[1])
    ATTRIBUTE(MaxTexture3DWidth, p.maxTexture3D[0])
    ATTRIBUTE(MaxTexture3DHeight, p.maxTexture3D[1])
    ATTRIBUTE(MaxTexture3DDepth, p.maxTexture3D[2])
    ATTRIBUTE(MaxTexture2DLayeredWidth, p.maxTexture2DLayered[0])
    ATTRIBUTE(MaxTexture2DLayeredHeight, p.maxTexture2DLayered[1])
    ATTRIBUTE(MaxTexture2DLayeredLayers, p.maxTexture2DLayered[2])
    ATTRIBUTE(SurfaceAlignment, p.surfaceAlignment)
    ATTRIBUTE(ConcurrentKernels, p.concurrentKernels)
    ATTRIBUTE(EccEnabled, p.ECCEnabled)
    ATTRIBUTE(PciBusId, p.pciBusID)
    ATTRIBUTE(PciDeviceId, p.pciDeviceID)
    ATTRIBUTE(TccDriver, p.tccDriver)
    ATTRIBUTE(MemoryClockRate, p.memoryClockRate)
    ATTRIBUTE(GlobalMemoryBusWidth, p.memoryBusWidth)
    ATTRIBUTE(L2CacheSize, p.l2CacheSize)
    ATTRIBUTE(MaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor)
    ATTRIBUTE(AsyncEngineCount, p.asyncEngineCount)
    ATTRIBUTE(UnifiedAddressing, p.unifiedAddressing)
    ATTRIBUTE(MaxTexture1DLayeredWidth, p.maxTexture1DLayered[0])
    ATTRIBUTE(MaxTexture1DLayeredLayers, p.maxTexture1DLayered[1])
    ATTRIBUTE(MaxTexture2DGatherWidth, p.maxTexture2DGather[0])
    ATTRIBUTE(MaxTexture2DGatherHeight, p.maxTexture2DGather[1])
    ATTRIBUTE(MaxTexture3DWidthAlt, p.maxTexture3DAlt[0])
    ATTRIBUTE(MaxTexture3DHeightAlt, p.maxTexture3DAlt[1])
    ATTRIBUTE(MaxTexture3DDepthAlt, p.maxTexture3DAlt[2])
    ATTRIBUTE(PciDomainId, p.pciDomainID)
    ATTRIBUTE(TexturePitchAlignment, p.texturePitchAlignment)
    ATTRIBUTE(MaxTextureCubemapWidth, p.maxTextureCubemap)
    ATTRIBUTE(MaxTextureCubemapLayeredWidth, p.maxTextureCubemapLayered[0])
    ATTRIBUTE(MaxTextureCubemapLayeredLayers, p.maxTextureCubemapLayered[1])
    ATTRIBUTE(MaxSurface1DWidth, p.maxSurface1D)
    ATTRIBUTE(MaxSurface2DWidth, p.maxSurface2D[0])
    ATTRIBUTE(MaxSurface2DHeight, p.maxSurface2D[1])
    ATTRIBUTE(MaxSurface3DWidth, p.maxSurface3D[0])
    ATTRIBUTE(MaxSurface3DHeight, p.maxSurface3D[1])
    ATTRIBUTE(MaxSurface3DDepth, p.maxSurface3D[2])
    ATTRIBUTE(MaxSurface1DLayeredWidth, p.maxSurface1DLayered[0])
    ATTRIBUTE(MaxSurface1DLayeredLayers, p.maxSurface1DLayered[1])
    ATTRIBUTE(MaxSurface2DLayeredWidth, p.maxSurface2DLayered[0])
    ATTRIBUTE(MaxSurface2DLayeredHeight, p.maxSurface2DLayered[1])
    ATTRIBUTE(MaxSurface2DLayeredLayers, p.maxSurface2DLayered[2])
    ATTRIBUTE(MaxSurfaceCubemapWidth, p.maxSurfaceCubemap)
    ATTRIBUTE(MaxSurfaceCubemapLayeredWidth, p.maxSurfaceCubemapLayered[0])
    ATTRIBUTE(MaxSurfaceCubemapLayeredLayers, p.maxSurfaceCubemapLayered[1])
    ATTRIBUTE(MaxTexture1DLinearWidth, p.maxTexture1DLinear)
    ATTRIBUTE(MaxTexture2DLinearWidth, p.maxTexture2DLinear[0])
    ATTRIBUTE(MaxTexture2DLinearHeight, p.maxTexture2DLinear[1])
    ATTRIBUTE(MaxTexture2DLinearPitch, p.maxTexture2DLinear[2])
    ATTRIBUTE(MaxTexture2DMipmappedWidth, p.maxTexture2DMipmap[0])
    ATTRIBUTE(MaxTexture2DMipmappedHeight, p.maxTexture2DMipmap[1])
    ATTRIBUTE(ComputeCapabilityMajor, p.major)
    ATTRIBUTE(ComputeCapabilityMinor, p.minor)
    ATTRIBUTE(MaxTexture1DMipmappedWidth, p.maxTexture1DMipmap)
    ATTRIBUTE(StreamPrioritiesSupported, p.streamPrioritiesSupported)
    ATTRIBUTE(GlobalL1CacheSupported, p.globalL1CacheSupported)
    ATTRIBUTE(LocalL1CacheSupported, p.localL1CacheSupported)
    ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor)
    ATTRIBUTE(MaxRegistersPerMultiprocessor, p.regsPerMultiprocessor)
    ATTRIBUTE(ManagedMemory, p.managedMemory)
    ATTRIBUTE(IsMultiGpuBoard, p.isMultiGpuBoard)
    ATTRIBUTE(MultiGpuBoardGroupID, p.multiGpuBoardGroupID)
    ATTRIBUTE(HostNativeAtomicSupported, p.hostNativeAtomicSupported)
    ATTRIBUTE(SingleToDoublePrecisionPerfRatio, p.singleToDoublePrecisionPerfRatio)
    ATTRIBUTE(PageableMemoryAccess, p.pageableMemoryAccess)
    ATTRIBUTE(ConcurrentManagedAccess, p.concurrentManagedAccess)
    ATTRIBUTE(ComputePreemptionSupported, p.computePreemptionSupported)
    ATTRIBUTE(CanUseHostPointerForRegisteredMem, p.canUseHostPointerForRegisteredMem)
    ATTRIBUTE(CooperativeLaunch, p.cooperativeLaunch)
    ATTRIBUTE(CooperativeMultiDeviceLaunch, p.cooperativeMultiDeviceLaunch)
    ATTRIBUTE(MaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin)
    ATTRIBUTE(CanFlushRemoteWrites, 0)
    ATTRIBUTE(HostRegisterSupported, p.hostRegisterSupported)
    ATTRIBUTE(PageableMemoryAccessUsesHostPageTables, p.pageableMemoryAccessUsesHostPageTables)
    ATTRIBUTE(DirectManagedMemAccessFromHost, p.directManagedMemAccessFromHost)
    ATTRIBUTE(MaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor)
    ATTRIBUTE(MaxPersistingL2CacheSize, p.persistingL2CacheMaxSize)
    ATTRIBUTE(MaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize)
    ATTRIBUTE(ReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock)
    ATTRIBUTE(SparseCudaArraySupported, p.sparseCudaArraySupported)
    ATTRIBUTE(HostRegisterReadOnlySupported, p.hostRegisterReadOnlySupported)
    ATTRIBUTE(TimelineSemaphoreInteropSupported, p.timelineSemaphoreInteropSupported)
    ATTRIBUTE(MemoryPoolsSupported, p.memoryPoolsSupported)
    ATTRIBUTE(GPUDirectRDMASupported, p.gpuDirectRDMASupported)
    ATTRIBUTE(GPUDirectRDMAFlushWritesOptions, p.gpuDirectRDMAFlushWritesOptions)
    ATTRIBUTE(GPUDirectRDMAWritesOrdering, p.gpuDirectRDMAWritesOrdering)
    ATTRIBUTE(MemoryPoolSupportedHandleTypes, p.memoryPoolSupportedHandleTypes)
    ATTRIBUTE(ClusterLaunch, p.clusterLaunch)
    ATTRIBUTE(DeferredMappingCudaArraySupported, p.deferredMappingCudaArraySupported)
    ATTRIBUTE(IpcEventSupport, p.ipcEventSupported)
    ATTRIBUTE(MemSyncDomainCount, 1)
#undef ATTRIBUTE
  }
  return remember(cudaErrorInvalidValue);
}

// All devices are alike, and so the first is as near as any to whatever is wanted.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  if (device == nullptr || properties == nullptr) return remember(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}
