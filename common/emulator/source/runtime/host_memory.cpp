// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about memory that host and device share: pinned, registered and managed.
#include <cuda_runtime_api.h>

#include "copies.hpp"
#include "device/devices.hpp"
#include "device/errors.hpp"
#include "memory/arrays.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/variables.hpp"

namespace cuda_emulator {
namespace {

constexpr unsigned int pinned_flags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned int register_flags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;

/// Pinned memory, with its flags; nothing where the address is not in any.
struct pinned {
  unsigned int flags;
};
std::optional<pinned> pinned_at(const void* address) {
  const auto found = device_memory::instance().find(address);
  if (found && found->kind == allocation_kind::host) return pinned{found->flags};
  if (const auto range = registered_at(address)) return pinned{range->flags};
  return std::nullopt;
}

/// The size of what begins there, if it is an allocation or a variable of managed memory; else 0.
std::size_t managed_size(const void* begin) {
  const auto found = device_memory::instance().find(begin);
  if (found && found->kind == allocation_kind::managed && found->begin == begin) return found->size;
  const variable_record* variable = find_variable(begin);
  const bool is_variable =
      variable != nullptr && variable->space == memory_space::managed && variable->begin == begin;
  return is_variable ? variable->size : 0;
}

/// Are all these bytes managed ones?
bool managed(const void* pointer, std::size_t size) {
  const auto* begin = static_cast<const char*>(pointer);
  if (const auto found = device_memory::instance().find(begin))
    return found->kind == allocation_kind::managed &&
           size <= static_cast<std::size_t>(found->begin + found->size - begin);
  const variable_record* variable = find_variable(begin);
  return variable != nullptr && variable->space == memory_space::managed &&
         size <= static_cast<std::size_t>(variable->begin + variable->size - begin);
}

bool is_place(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice
             ? is_device(location.id)
             : location.type == cudaMemLocationTypeHost || location.type == cudaMemLocationTypeHostNuma ||
                   location.type == cudaMemLocationTypeHostNumaCurrent;
}

cudaMemLocation location_of(int device) {
  return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device};
}

}  // namespace
}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned int flags) {
  if ((flags & ~pinned_flags) != 0) return remember(cudaErrorInvalidValue);
  return allocate(pointer, size, allocation_kind::host, flags);
}
cudaError_t cudaMallocHost(void** pointer, std::size_t size) { return cudaHostAlloc(pointer, size, 0); }
cudaError_t cudaFreeHost(void* pointer) { return release(pointer, allocation_kind::host); }

// The address is the same on both sides, as it is on every system where addresses are unified. What is
// refused makes the pointer null, as on an H200.
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  if (device == nullptr) return remember(cudaErrorInvalidValue);
  *device = nullptr;
  if (flags != 0 || !pinned_at(host)) return remember(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}

// Everything is mapped, whether it was asked for or not.
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  const auto found = pinned_at(host);
  if (flags == nullptr || !(found || managed(host, 1))) return remember(cudaErrorInvalidValue);
  *flags = (found ? found->flags : 0) | cudaHostAllocMapped;
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void* pointer, std::size_t size, unsigned int flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (pointer == nullptr || size == 0) return remember(cudaErrorInvalidValue);
  if ((flags & cudaHostRegisterIoMemory) != 0) return say_not_emulated("cudaHostRegisterIoMemory");
  if ((flags & ~register_flags) != 0) return remember(cudaErrorInvalidValue);
  if (device_memory::instance().contains(static_cast<const char*>(pointer)))
    return remember(cudaErrorInvalidValue);
  const bool added = add_range({static_cast<const char*>(pointer), size, flags, caller_outside()});
  if (added) note_memory_of_both();
  return added ? cudaSuccess : remember(cudaErrorHostMemoryAlreadyRegistered);
}
cudaError_t cudaHostUnregister(void* pointer) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (pointer == nullptr) return remember(cudaErrorInvalidValue);
  if (const auto range = registered_at(pointer); range && range->begin == pointer)
    host_frees("cudaHostUnregister", range->begin, range->size);
  if (remove_range(pointer)) return cudaSuccess;
  // Not the beginning of what is registered, or pinned from the first: that is another mistake.
  return remember(pinned_at(pointer) ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t size, unsigned int flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return remember(cudaErrorInvalidValue);
  return allocate(pointer, size, allocation_kind::managed);
}

// Where pages of managed memory lie changes how long things take, and nothing else.
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, std::size_t size, cudaMemLocation location,
                                    unsigned int flags, cudaStream_t) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (flags != 0 || size == 0 || !managed(pointer, size)) return remember(cudaErrorInvalidValue);
  return is_place(location) ? cudaSuccess : remember(cudaErrorInvalidDevice);
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t size, int device, cudaStream_t stream) {
  return cudaMemPrefetchAsync_v2(pointer, size, location_of(device), 0, stream);
}

cudaError_t cudaMemAdvise_v2(const void* pointer, std::size_t size, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy || size == 0 ||
      !managed(pointer, size))
    return remember(cudaErrorInvalidValue);
  const bool looks_at_place = advice != cudaMemAdviseSetReadMostly &&
                              advice != cudaMemAdviseUnsetReadMostly &&
                              advice != cudaMemAdviseUnsetPreferredLocation;
  return !looks_at_place || is_place(location) ? cudaSuccess : remember(cudaErrorInvalidDevice);
}
cudaError_t cudaMemAdvise(const void* pointer, std::size_t size, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise_v2(pointer, size, advice, location_of(device));
}

// All of an allocation, or nothing of it: a size of 0 stands for all.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, std::size_t size, unsigned int flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
    return remember(cudaErrorInvalidValue);
  const std::size_t all = managed_size(pointer);
  return all != 0 && (size == 0 || size == all) ? cudaSuccess : remember(cudaErrorInvalidValue);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (attributes == nullptr) return remember(cudaErrorInvalidValue);
  auto* p = const_cast<void*>(pointer);
  *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p};
  if (const auto found = device_memory::instance().find(pointer)) {
    const int device = device_memory::instance().device_of(pointer);
    switch (found->kind) {
      case allocation_kind::device:
      case allocation_kind::heap:
        *attributes = {cudaMemoryTypeDevice, device, p, nullptr};
        break;
      case allocation_kind::host:
        *attributes = {cudaMemoryTypeHost, device, p, p};
        break;
      case allocation_kind::managed:
        *attributes = {cudaMemoryTypeManaged, device, p, p};
        break;
    }
  } else if (const variable_record* variable = find_variable(pointer)) {
    if (variable->space == memory_space::managed)
      *attributes = {cudaMemoryTypeManaged, current_device(), p, p};
    else
      *attributes = {cudaMemoryTypeDevice, current_device(), p, nullptr};
  } else if (registered_at(pointer)) {
    *attributes = {cudaMemoryTypeHost, current_device(), p, p};
  }
  return cudaSuccess;
}
