// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Copies from global to shared memory that go on while the threads do: by the lanes of a warp, which load,
// and by the copy engine, which does not belong to any lane.
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <string>

#include "common/device/check.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

constexpr int threads = 128, blocks = 4;

/// y[i] = x[i] by way of shared memory, where each thread reads what another one has copied: the elements of
/// a block come back in reverse order.
template <class T>
__global__ void copy_async_kernel(const T* __restrict__ x, T* __restrict__ y) {
  __shared__ T tile[threads];
  const int t = threadIdx.x, begin = blockIdx.x * threads;
  __pipeline_memcpy_async(tile + t, x + begin + t, sizeof(T));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();  // what all threads have copied is there
  y[begin + threads - 1 - t] = tile[threads - 1 - t];
}

/// The same, and one thread asks for all elements of the block.
template <class T>
__global__ void copy_bulk_kernel(const T* __restrict__ x, T* __restrict__ y) {
  using arrival = cuda::barrier<cuda::thread_scope_block>;
  __shared__ __align__(16) T tile[threads];
  __shared__ __align__(8) unsigned char arrived_bytes[sizeof(arrival)];
  arrival& arrived = *reinterpret_cast<arrival*>(arrived_bytes);
  const int t = threadIdx.x, begin = blockIdx.x * threads;
  if (t == 0) init(&arrived, 1);
  __syncthreads();  // the barrier is there before a thread waits
  if (t == 0) {
    cuda::memcpy_async(tile, x + begin, cuda::aligned_size_t<16>(sizeof tile), arrived);
    (void)arrived.arrive();
  }
  arrived.wait_parity(false);
  y[begin + threads - 1 - t] = tile[threads - 1 - t];
}

template <class T>
count_entry async_entry(const std::string& name, const std::string& kernel_name,
                        void (*kernel)(const T*, T*)) {
  return {name, kernel_name, [=] {
            const auto x = small_values<T, float>(threads * blocks);
            const device_buffer<T> d_x(x);
            device_buffer<T> d_y(unwritten<T>(x.size()));
            kernel<<<blocks, threads>>>(d_x.data(), d_y.data());
            check(cudaGetLastError());
            return difference(d_y, x);
          }};
}

}  // namespace

std::vector<count_entry> async_entries() {
  return {
      async_entry<float>("floats by asynchronous copies", "copy_async_kernel", copy_async_kernel<float>),
      async_entry<float4>("float4 by asynchronous copies", "copy_async_kernel", copy_async_kernel<float4>),
      async_entry<float>("floats by bulk copies", "copy_bulk_kernel", copy_bulk_kernel<float>)};
}

}  // namespace tutorial
