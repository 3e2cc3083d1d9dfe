// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The parts of the runtime that are templates: typed allocation and symbols. (What takes a kernel is in
// runtime_kernels.hpp.)
#pragma once

#include <cuda_runtime_api.h>

#include <type_traits>

#include "emulator/export.hpp"
#if __cplusplus >= 202002L  // Ordinary files may have an older standard, and do not launch kernels.
#include "runtime_kernels.hpp"
#endif

namespace cuda_emulator {
/// Also of a pointer to const: what it points to is written by nobody here.
template <class T>
void** untyped(T** pointer) {
  return reinterpret_cast<void**>(const_cast<typename std::remove_cv<T>::type**>(pointer));
}
}  // namespace cuda_emulator

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t size) {
  return cudaMalloc(cuda_emulator::untyped(pointer), size);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t size, cudaStream_t stream) {
  return cudaMallocAsync(cuda_emulator::untyped(pointer), size, stream);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(cuda_emulator::untyped(pointer), size, pool, stream);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(cuda_emulator::untyped(pointer), size, pool, stream);
}
// As CUDA 13 has them; in 12 they are called cudaMemPrefetchAsync_v2() and cudaMemAdvise_v2().
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t size, cudaMemLocation location,
                                        unsigned int flags, cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync_v2(pointer, size, location, flags, stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, std::size_t size, cudaMemoryAdvise advice,
                                 cudaMemLocation location) {
  return cudaMemAdvise_v2(pointer, size, advice, location);
}
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, std::size_t size = 0,
                                     unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), size, flags);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t size, unsigned int flags = 0) {
  return cudaHostAlloc(cuda_emulator::untyped(pointer), size, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t size, unsigned int flags) {
  return cudaHostAlloc(cuda_emulator::untyped(pointer), size, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer(cuda_emulator::untyped(device), host, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(cuda_emulator::untyped(pointer), size, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return cudaMallocPitch(cuda_emulator::untyped(pointer), pitch, width, height);
}

// A symbol is the variable itself: what is passed on is its address.
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t size, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(static_cast<const void*>(__builtin_addressof(symbol)), from, size, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t size, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, static_cast<const void*>(__builtin_addressof(symbol)), size, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t size, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return cudaMemcpyToSymbolAsync(static_cast<const void*>(__builtin_addressof(symbol)), from, size, offset,
                                 kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t size, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return cudaMemcpyFromSymbolAsync(to, static_cast<const void*>(__builtin_addressof(symbol)), size, offset,
                                   kind, stream);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, static_cast<const void*>(__builtin_addressof(symbol)));
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* size, const T& symbol) {
  return cudaGetSymbolSize(size, static_cast<const void*>(__builtin_addressof(symbol)));
}

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
