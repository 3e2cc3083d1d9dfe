// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Found before Thrust's own header of this name: what thrust::device_vector allocates is memory of the
// emulated device, so that kernels may use it and what they do with it is checked.
#pragma once

#include <cuda_runtime_api.h>

#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>
#include <thrust/system_error.h>  // comes with every header of Thrust's CUDA back end, and programs catch it

#include <new>

THRUST_NAMESPACE_BEGIN
namespace system::cpp {
namespace detail {

class device_resource final : public thrust::mr::memory_resource<> {
 public:
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* pointer = nullptr;
    if (cudaMalloc(&pointer, bytes) != cudaSuccess) throw std::bad_alloc();
    return pointer;
  }
  void do_deallocate(void* pointer, std::size_t, std::size_t) override { cudaFree(pointer); }
};

class managed_resource final : public thrust::mr::memory_resource<> {
 public:
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* pointer = nullptr;
    if (cudaMallocManaged(&pointer, bytes) != cudaSuccess) throw std::bad_alloc();
    return pointer;
  }
  void do_deallocate(void* pointer, std::size_t, std::size_t) override { cudaFree(pointer); }
};

using native_resource = thrust::mr::fancy_pointer_resource<device_resource, thrust::cpp::pointer<void>>;
using universal_native_resource =
    thrust::mr::fancy_pointer_resource<managed_resource, thrust::cpp::universal_pointer<void>>;

}  // namespace detail

using memory_resource = detail::native_resource;
using universal_memory_resource = detail::universal_native_resource;
using universal_host_pinned_memory_resource = detail::universal_native_resource;

}  // namespace system::cpp
THRUST_NAMESPACE_END
