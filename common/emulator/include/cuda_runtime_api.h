// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions. Work on the emulated device is done before a call returns; what a GPU would
// report late (a kernel that failed) is nevertheless reported late, by the next call that waits.
#pragma once

#include "driver_functions.h"
#include "driver_types.h"
#include "emulator/export.hpp"
#include "emulator/runtime/graphs.hpp"
#include "host_defines.h"
#include "vector_types.h"

// What a launch that is refused is called has changed with CUDA 13; this is the runtime before it.
#define CUDART_VERSION 12080

EMULATOR_C_BEGIN
// Errors
EMULATOR_API cudaError_t cudaGetLastError();
EMULATOR_API cudaError_t cudaPeekAtLastError();
EMULATOR_API const char* cudaGetErrorName(cudaError_t error);
EMULATOR_API const char* cudaGetErrorString(cudaError_t error);

// The device
EMULATOR_API cudaError_t cudaGetDeviceCount(int* count);
EMULATOR_API cudaError_t cudaGetDevice(int* device);
EMULATOR_API cudaError_t cudaSetDevice(int device);
EMULATOR_API cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
EMULATOR_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
EMULATOR_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
EMULATOR_API cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties);
EMULATOR_API cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
EMULATOR_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
EMULATOR_API cudaError_t cudaDeviceDisablePeerAccess(int peer);
EMULATOR_API cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                                   int peer);
EMULATOR_API cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device);
EMULATOR_API cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text);
EMULATOR_API cudaError_t cudaSetValidDevices(int* devices, int count);
EMULATOR_API cudaError_t cudaGetDeviceFlags(unsigned int* flags);
EMULATOR_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
EMULATOR_API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
EMULATOR_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
EMULATOR_API cudaError_t cudaDeviceSynchronize();
EMULATOR_API cudaError_t cudaDeviceReset();
EMULATOR_API cudaError_t cudaSetDeviceFlags(unsigned int flags);
EMULATOR_API cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
EMULATOR_API cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
EMULATOR_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
EMULATOR_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
EMULATOR_API cudaError_t cudaDriverGetVersion(int* version);
EMULATOR_API cudaError_t cudaRuntimeGetVersion(int* version);
/// Of the driver's functions only cuTensorMapEncodeTiled() is found.
EMULATOR_API cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                                 cudaDriverEntryPointQueryResult* result EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaGetDriverEntryPointByVersion(
    const char* name, void** function, unsigned int version, unsigned long long flags,
    cudaDriverEntryPointQueryResult* result EMULATOR_OR(0));
// Their names before CUDA 4.
EMULATOR_API cudaError_t cudaThreadSynchronize();
EMULATOR_API cudaError_t cudaThreadExit();
EMULATOR_API cudaError_t cudaProfilerStart();
EMULATOR_API cudaError_t cudaProfilerStop();

// Memory
EMULATOR_API cudaError_t cudaMalloc(void** pointer, size_t size);
EMULATOR_API cudaError_t cudaFree(void* pointer);
EMULATOR_API cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream);
EMULATOR_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
EMULATOR_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
EMULATOR_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
EMULATOR_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
EMULATOR_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
EMULATOR_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t least);
EMULATOR_API cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                                 cudaStream_t stream);
EMULATOR_API cudaError_t cudaMallocHost(void** pointer, size_t size);
EMULATOR_API cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags);
EMULATOR_API cudaError_t cudaFreeHost(void* pointer);
EMULATOR_API cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
EMULATOR_API cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
EMULATOR_API cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags);
EMULATOR_API cudaError_t cudaHostUnregister(void* pointer);
EMULATOR_API cudaError_t cudaMallocManaged(void** pointer, size_t size,
                                           unsigned int flags EMULATOR_OR(cudaMemAttachGlobal));
EMULATOR_API cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, int device,
                                              cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t size, cudaMemLocation location,
                                                 unsigned int flags, cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemAdvise(const void* pointer, size_t size, cudaMemoryAdvise advice, int device);
EMULATOR_API cudaError_t cudaMemAdvise_v2(const void* pointer, size_t size, cudaMemoryAdvise advice,
                                          cudaMemLocation location);
EMULATOR_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer,
                                                  size_t size EMULATOR_OR(0),
                                                  unsigned int flags EMULATOR_OR(cudaMemAttachSingle));
EMULATOR_API cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
EMULATOR_API cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind);
EMULATOR_API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind,
                                         cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                      size_t width, size_t height, cudaMemcpyKind kind);
EMULATOR_API cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                           size_t width, size_t height, cudaMemcpyKind kind,
                                           cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemset(void* pointer, int value, size_t size);
EMULATOR_API cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size,
                                         cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
EMULATOR_API cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width,
                                           size_t height, cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
EMULATOR_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* box);
EMULATOR_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent);
EMULATOR_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                                           cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                        size_t size);
EMULATOR_API cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                             size_t size, cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* box);
EMULATOR_API cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* box,
                                               cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
EMULATOR_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
EMULATOR_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size,
                                            size_t offset EMULATOR_OR(0),
                                            cudaMemcpyKind kind EMULATOR_OR(cudaMemcpyHostToDevice));
EMULATOR_API cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size,
                                              size_t offset EMULATOR_OR(0),
                                              cudaMemcpyKind kind EMULATOR_OR(cudaMemcpyDeviceToHost));
EMULATOR_API cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size,
                                                 size_t offset, cudaMemcpyKind kind,
                                                 cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset,
                                                   cudaMemcpyKind kind, cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol);
EMULATOR_API cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol);

// Arrays. Offsets and widths of copies are in bytes, heights in rows.
EMULATOR_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                         cudaChannelFormatKind kind);
EMULATOR_API cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                                         size_t width, size_t height EMULATOR_OR(0),
                                         unsigned int flags EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                                           cudaExtent extent, unsigned int flags EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaFreeArray(cudaArray_t array);
EMULATOR_API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent,
                                          unsigned int* flags, cudaArray_t array);
EMULATOR_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);
EMULATOR_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t to_x, size_t to_y, const void* from,
                                             size_t from_pitch, size_t width, size_t height,
                                             cudaMemcpyKind kind);
EMULATOR_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t to_x, size_t to_y, const void* from,
                                                  size_t from_pitch, size_t width, size_t height,
                                                  cudaMemcpyKind kind, cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from,
                                               size_t from_x, size_t from_y, size_t width, size_t height,
                                               cudaMemcpyKind kind);
EMULATOR_API cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from,
                                                    size_t from_x, size_t from_y, size_t width, size_t height,
                                                    cudaMemcpyKind kind, cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                                  cudaArray_const_t from, size_t from_x, size_t from_y,
                                                  size_t width, size_t height,
                                                  cudaMemcpyKind kind EMULATOR_OR(cudaMemcpyDeviceToDevice));
// Row after row, as many bytes as wanted; CUDA calls these deprecated.
EMULATOR_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t to_x, size_t to_y, const void* from,
                                           size_t size, cudaMemcpyKind kind);
EMULATOR_API cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t from_x, size_t from_y,
                                             size_t size, cudaMemcpyKind kind);

// Surfaces
EMULATOR_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                                 const cudaResourceDesc* resource);
EMULATOR_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
EMULATOR_API cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                                          cudaSurfaceObject_t surface);

// Textures
EMULATOR_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture,
                                                 const cudaResourceDesc* resource,
                                                 const cudaTextureDesc* description,
                                                 const cudaResourceViewDesc* view);
EMULATOR_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
EMULATOR_API cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                                          cudaTextureObject_t texture);
EMULATOR_API cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                                         cudaTextureObject_t texture);

// Streams and events
EMULATOR_API cudaError_t cudaStreamCreate(cudaStream_t* stream);
EMULATOR_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
EMULATOR_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
EMULATOR_API cudaError_t cudaStreamDestroy(cudaStream_t stream);
EMULATOR_API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
EMULATOR_API cudaError_t cudaStreamQuery(cudaStream_t stream);
EMULATOR_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                             unsigned int flags EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
EMULATOR_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
EMULATOR_API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
EMULATOR_API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
EMULATOR_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                               unsigned int flags);
typedef void (*cudaHostFn_t)(void* data);
EMULATOR_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
EMULATOR_API cudaError_t cudaEventCreate(cudaEvent_t* event);
EMULATOR_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
EMULATOR_API cudaError_t cudaEventDestroy(cudaEvent_t event);
EMULATOR_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream EMULATOR_OR(0));
EMULATOR_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags);
EMULATOR_API cudaError_t cudaEventSynchronize(cudaEvent_t event);
EMULATOR_API cudaError_t cudaEventQuery(cudaEvent_t event);
EMULATOR_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
EMULATOR_C_END

#ifdef __cplusplus
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
namespace cuda_emulator {
/// From now on, stream 0 is a stream of each thread (--default-stream per-thread); true.
EMULATOR_API bool use_per_thread_default();
inline const bool has_per_thread_default = use_per_thread_default();
}  // namespace cuda_emulator
#endif

#include "emulator/runtime/runtime_refused.hpp"
#endif
