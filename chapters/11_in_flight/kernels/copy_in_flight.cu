// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Independent loads: all of a thread's are under way before it uses the first of them.
#include "copy_in_flight.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "common/device/ceil_div.hpp"
#include "common/device/shared_memory.hpp"
#include "occupancy.hpp"

namespace tutorial {
namespace {

// clang-format off
// [kernel]
/// y[i] = x[i] after some multiply-adds. In each turn a thread has Loads elements, blockDim.x apart.
template <int Loads>
__global__ void __launch_bounds__(copy_threads_per_block) copy_in_flight_kernel(
    const float* __restrict__ x, float* __restrict__ y, std::int64_t size,  // x[0, size), y[0, size)
    int multiply_adds) {
  const std::int64_t turn = std::int64_t{gridDim.x} * blockDim.x * Loads;
  const std::int64_t own = std::int64_t{blockIdx.x} * blockDim.x * Loads + threadIdx.x;
#pragma unroll 1
  for (std::int64_t i = own; i < size; i += turn) {
    if (i + (Loads - 1) * blockDim.x >= size) {  // after the last whole turn: one by one
      for (std::int64_t j = i; j < size; j += blockDim.x) {
        float v = x[j];
        for (int m = 0; m < multiply_adds; ++m) v = fmaf(v, 0.5f, 1.0f);
        y[j] = v;
      }
      return;
    }
    float v[Loads];
#pragma unroll
    for (int l = 0; l < Loads; ++l) v[l] = x[i + l * blockDim.x];  // no load needs another load's result
#pragma unroll 4
    for (int m = 0; m < multiply_adds; ++m)
#pragma unroll
      for (int l = 0; l < Loads; ++l) v[l] = fmaf(v[l], 0.5f, 1.0f);
#pragma unroll
    for (int l = 0; l < Loads; ++l) y[i + l * blockDim.x] = v[l];
  }
}
// [kernel]
// clang-format on

/// Calls f with the kernel of that shape.
template <class F>
auto with_kernel(const copy_shape& shape, F f) {
  if (shape.blocks < 1 || shape.blocks > 8)
    throw std::invalid_argument("copy_in_flight: 1 to 8 blocks on a multiprocessor");
  if (shape.multiply_adds < 0)
    throw std::invalid_argument("copy_in_flight: the number of multiply-adds is negative");
  switch (shape.loads) {
    case 1:
      return f(copy_in_flight_kernel<1>);
    case 2:
      return f(copy_in_flight_kernel<2>);
    case 4:
      return f(copy_in_flight_kernel<4>);
    case 8:
      return f(copy_in_flight_kernel<8>);
  }
  throw std::invalid_argument("copy_in_flight: 1, 2, 4 or 8 loads per thread");
}

/// Lets the kernel have all shared memory, and as little of L1 in every shape.
template <class Kernel>
void allow(Kernel* kernel) {
  allow_most_shared_memory(kernel);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared));
}

}  // namespace

// [wrapper]
void copy_in_flight(device_span<const float> x, device_span<float> y, const copy_shape& shape) {
  if (x.size() != y.size()) throw std::invalid_argument("copy_in_flight: lengths differ");
  with_kernel(shape, [&](auto kernel) {
    if (x.empty()) return;
    const std::size_t shared_bytes = shared_bytes_for(shape.blocks);
    allow(kernel);
    const auto needed = ceil_div(x.size(), std::size_t(copy_threads_per_block) * shape.loads);
    const auto resident = resident_blocks(kernel, copy_threads_per_block, shared_bytes);
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(needed, std::size_t(resident)));
    kernel<<<blocks, copy_threads_per_block, shared_bytes>>>(
        x.data(), y.data(), static_cast<std::int64_t>(x.size()), shape.multiply_adds);
    check(cudaGetLastError());
  });
}
// [wrapper]

kernel_facts copy_in_flight_facts(const copy_shape& shape) {
  return with_kernel(shape, [&](auto kernel) {
    const std::size_t shared_bytes = shared_bytes_for(shape.blocks);
    allow(kernel);
    return facts_of(kernel, copy_threads_per_block, static_cast<int>(shared_bytes), "copy_in_flight");
  });
}

int suggested_threads(const copy_shape& shape) {
  return with_kernel(shape, [](auto kernel) {
    int blocks = 0, threads = 0;  // blocks: on all multiprocessors
    check(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel));
    return threads;
  });
}

}  // namespace tutorial
