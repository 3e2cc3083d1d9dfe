// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the runtime does with a kernel that it is given: attributes, occupancy, launches by a function call.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "emulator/export.hpp"
#include "emulator/launch.hpp"
#include "launch_configuration.hpp"

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
  if (kernel == nullptr) return nullptr;
  return identify(
      [](const void* closure) {
        auto function = *static_cast<void (*const*)(Parameters...)>(closure);
        function(all_zero<std::remove_cvref_t<Parameters>>()...);
      },
      &kernel);
}
/// `(const void*)kernel`: what its parameters are is not known any more, and the first thing that a kernel
/// does, to say who it is, does not look at them.
inline const kernel_record* record_of(const void* kernel) {
  return record_of(reinterpret_cast<void (*)()>(const_cast<void*>(kernel)));
}

EMULATOR_API cudaError_t set_function_attribute(const kernel_record* kernel, cudaFuncAttribute attribute,
                                                int value);
EMULATOR_API cudaError_t get_function_attributes(cudaFuncAttributes* attributes, const kernel_record* kernel);
EMULATOR_API cudaError_t blocks_per_multiprocessor(int* blocks, const kernel_record* kernel, int block_size,
                                                   std::size_t dynamic_shared);
/// `shared_of(context, block_size)` is the dynamic shared memory that a block of that size takes.
EMULATOR_API cudaError_t best_block_size(int* grid_size, int* block_size, const kernel_record* kernel,
                                         std::size_t (*shared_of)(const void* context, int block_size),
                                         const void* context, int limit);
EMULATOR_API cudaError_t shared_for_blocks(std::size_t* dynamic_shared, const kernel_record* kernel,
                                           int blocks, int block_size);
/// A cudaLaunchKernelEx() with attributes that ask for what is not there: said, and cudaErrorNotSupported.
/// Else cudaSuccess.
/// cudaPeekAtLastError(), asked by the runtime itself and not by the program.
EMULATOR_API cudaError_t last_error();
EMULATOR_API cudaError_t check_launch_attributes(const cudaLaunchConfig_t& configuration);
EMULATOR_API bool is_cooperative(const cudaLaunchConfig_t& configuration);

/// What stands for a kernel: its name, a pointer to it, or that pointer as (const void*).
template <class T>
concept kernel_like = std::is_pointer_v<T> &&
    (std::is_function_v<std::remove_pointer_t<T>> || std::is_void_v<std::remove_pointer_t<T>>);

}  // namespace cuda_emulator

template <cuda_emulator::kernel_like K>
cudaError_t cudaFuncSetAttribute(K kernel, cudaFuncAttribute attribute, int value) {
  return cuda_emulator::set_function_attribute(cuda_emulator::record_of(kernel), attribute, value);
}
template <cuda_emulator::kernel_like K>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, K kernel) {
  return cuda_emulator::get_function_attributes(attributes, cuda_emulator::record_of(kernel));
}
template <cuda_emulator::kernel_like K>
cudaError_t cudaFuncGetName(const char** name, K kernel) {
  const cuda_emulator::kernel_record* record = cuda_emulator::record_of(kernel);
  if (record == nullptr || name == nullptr) return cudaErrorInvalidValue;
  *name = record->name;
  return cudaSuccess;
}
// Hints about caches and banks: accepted, without effect.
template <cuda_emulator::kernel_like K>
cudaError_t cudaFuncSetCacheConfig(K, cudaFuncCache) {
  return cudaSuccess;
}
template <cuda_emulator::kernel_like K, class Banks>
cudaError_t cudaFuncSetSharedMemConfig(K, Banks) {
  return cudaSuccess;
}

// Occupancy is worked out from threads, blocks and shared memory: registers are not known here.
// Shared memory counts whole. A GPU divides it between blocks and its L1 cache: without the wish for all of
// it (cudaFuncAttributePreferredSharedMemoryCarveout) an H200 was seen to count one block less.
template <cuda_emulator::kernel_like K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, K kernel, int block_size,
                                                          std::size_t dynamic_shared) {
  return cuda_emulator::blocks_per_multiprocessor(blocks, cuda_emulator::record_of(kernel), block_size,
                                                  dynamic_shared);
}
template <cuda_emulator::kernel_like K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, K kernel, int block_size,
                                                                   std::size_t dynamic_shared, unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, dynamic_shared);
}
/// The block size with the most threads per multiprocessor; the grid that fills the device once. `shared_of`
/// is called with block sizes.
template <cuda_emulator::kernel_like K, class SharedOf>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size, K kernel,
                                                           SharedOf shared_of, int limit = 0) {
  return cuda_emulator::best_block_size(
      grid_size, block_size, cuda_emulator::record_of(kernel),
      [](const void* context, int size) {
        return static_cast<std::size_t>((*static_cast<SharedOf*>(const_cast<void*>(context)))(size));
      },
      static_cast<const void*>(&shared_of), limit);
}
template <cuda_emulator::kernel_like K, class SharedOf>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid_size, int* block_size, K kernel,
                                                                    SharedOf shared_of, int limit = 0,
                                                                    unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid_size, block_size, kernel, shared_of, limit);
}
template <cuda_emulator::kernel_like K>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, K kernel,
                                               std::size_t dynamic_shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid_size, block_size, kernel, [dynamic_shared](int) { return dynamic_shared; }, limit);
}
template <cuda_emulator::kernel_like K>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size, K kernel,
                                                        std::size_t dynamic_shared = 0, int limit = 0,
                                                        unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid_size, block_size, kernel, dynamic_shared, limit);
}
/// How much dynamic shared memory a block may take if so many blocks are to share a multiprocessor.
template <cuda_emulator::kernel_like K>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamic_shared, K kernel, int blocks,
                                                      int block_size) {
  return cuda_emulator::shared_for_blocks(dynamic_shared, cuda_emulator::record_of(kernel), blocks,
                                          block_size);
}

/// Launch by address: `arguments` points to one pointer per parameter.
template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                             std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  auto pass = [&]<std::size_t... I>(std::index_sequence<I...>) {
    cuda_emulator::launch("cudaLaunchKernel", "", 0, {grid, block, dynamic_shared, stream},
                          kernel)(*static_cast<std::remove_reference_t<P>*>(arguments[I])...);
  };
  pass(std::index_sequence_for<P...>{});
  return cuda_emulator::last_error();
}
template <class T>
requires std::is_void_v<std::remove_cv_t<T>> cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block,
                                                                          void** arguments,
                                                                          std::size_t dynamic_shared = 0,
                                                                          cudaStream_t stream = nullptr) {
  return cuda_emulator::launch_by_address("cudaLaunchKernel", {grid, block, dynamic_shared, stream}, kernel,
                                          arguments);
}
/// All blocks run at the same time, and may wait for each other by grid.sync().
template <cuda_emulator::kernel_like K>
cudaError_t cudaLaunchCooperativeKernel(K kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return cuda_emulator::launch_by_address("cudaLaunchCooperativeKernel",
                                          {grid, block, dynamic_shared, stream, true},
                                          reinterpret_cast<const void*>(kernel), arguments);
}
/// With attributes only as far as they ask for what is there.
template <class... P, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* configuration, void (*kernel)(P...),
                               Arguments&&... arguments) {
  if (const cudaError_t error = cuda_emulator::check_launch_attributes(*configuration); error != cudaSuccess)
    return error;
  cuda_emulator::launch("cudaLaunchKernelEx", "", 0,
                        {configuration->gridDim, configuration->blockDim, configuration->dynamicSmemBytes,
                         configuration->stream, cuda_emulator::is_cooperative(*configuration)},
                        kernel)(std::forward<Arguments>(arguments)...);
  return cuda_emulator::last_error();
}
template <class... P>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, void (*kernel)(P...),
                                void** arguments) {
  if (const cudaError_t error = cuda_emulator::check_launch_attributes(*configuration); error != cudaSuccess)
    return error;
  if (cuda_emulator::is_cooperative(*configuration))
    return cudaLaunchCooperativeKernel(kernel, configuration->gridDim, configuration->blockDim, arguments,
                                       configuration->dynamicSmemBytes, configuration->stream);
  return cudaLaunchKernel(kernel, configuration->gridDim, configuration->blockDim, arguments,
                          configuration->dynamicSmemBytes, configuration->stream);
}

// Names from before CUDA 4.
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
inline cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
