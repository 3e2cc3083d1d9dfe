// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Found before Thrust's own file of this name: thrust::device_malloc() gives memory of the emulated device, so that
// kernels may use it.
#pragma once

#include <cuda_runtime_api.h>

#include <thrust/detail/config.h>
#include <thrust/device_malloc.h>

#include <cstddef>
#include <new>

THRUST_NAMESPACE_BEGIN

thrust::device_ptr<void> device_malloc(const std::size_t n) {
  void* pointer = nullptr;
  if (cudaMalloc(&pointer, n) != cudaSuccess) throw std::bad_alloc();
  return thrust::device_ptr<void>(pointer);
}

template <class T>
thrust::device_ptr<T> device_malloc(const std::size_t n) {
  return thrust::device_ptr<T>(static_cast<T*>(device_malloc(n * sizeof(T)).get()));
}

THRUST_NAMESPACE_END
