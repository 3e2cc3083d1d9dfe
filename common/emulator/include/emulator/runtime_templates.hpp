// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The parts of the runtime that are templates: typed allocation, symbols, and what takes a kernel.
#pragma once

#include <cuda_runtime_api.h>

#include <type_traits>

#include "export.hpp"
#include "launch.hpp"

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t size) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), size);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t size, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void**>(pointer), size, stream);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t size, unsigned int flags = 0) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t size, unsigned int flags) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
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

namespace cuda_emulator {

/// The record of the kernel that call(closure) calls, or null where that is no kernel.
EMULATOR_API const kernel_record* identify(void (*call)(const void* closure), const void* closure);

template <class T>
T& all_zero() {
  alignas(T) static unsigned char bytes[sizeof(T)] = {};
  return *reinterpret_cast<T*>(bytes);
}

/// The record of a kernel given by its address: it is called with arguments that are all zero bytes and
/// returns at once.
template <class... Parameters>
const kernel_record* record_of(void (*kernel)(Parameters...)) {
  return identify(
      [](const void* closure) {
        auto function = *static_cast<void (*const*)(Parameters...)>(closure);
        function(all_zero<std::remove_cvref_t<Parameters>>()...);
      },
      &kernel);
}

EMULATOR_API cudaError_t set_function_attribute(const kernel_record* kernel, cudaFuncAttribute attribute,
                                                int value);
EMULATOR_API cudaError_t get_function_attributes(cudaFuncAttributes* attributes, const kernel_record* kernel);
EMULATOR_API cudaError_t blocks_per_multiprocessor(int* blocks, const kernel_record* kernel, int block_size,
                                                   std::size_t dynamic_shared);
EMULATOR_API cudaError_t best_block_size(int* grid_size, int* block_size, const kernel_record* kernel,
                                         std::size_t dynamic_shared, int limit);

}  // namespace cuda_emulator

template <class... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
  return cuda_emulator::set_function_attribute(cuda_emulator::record_of(kernel), attribute, value);
}
template <class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
  return cuda_emulator::get_function_attributes(attributes, cuda_emulator::record_of(kernel));
}
template <class... P>
cudaError_t cudaFuncSetCacheConfig(void (*)(P...), cudaFuncCache) {
  return cudaSuccess;
}
template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...), int block_size,
                                                          std::size_t dynamic_shared) {
  return cuda_emulator::blocks_per_multiprocessor(blocks, cuda_emulator::record_of(kernel), block_size,
                                                  dynamic_shared);
}
template <class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, void (*kernel)(P...),
                                               std::size_t dynamic_shared = 0, int limit = 0) {
  return cuda_emulator::best_block_size(grid_size, block_size, cuda_emulator::record_of(kernel),
                                        dynamic_shared, limit);
}
/// Launch by address: `arguments` points to one pointer per parameter.
template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                             std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  auto pass = [&]<std::size_t... I>(std::index_sequence<I...>) {
    cuda_emulator::launch("cudaLaunchKernel", "", 0, {grid, block, dynamic_shared, stream}, kernel,
                          *static_cast<std::remove_cvref_t<P>*>(arguments[I])...);
  };
  pass(std::index_sequence_for<P...>{});
  return cudaPeekAtLastError();
}
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                        std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return cudaLaunchKernel(kernel, grid, block, arguments, dynamic_shared, stream);
}
