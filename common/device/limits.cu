// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The ruler: kernels that do nothing but copy, nothing but multiply and add, or nothing at all.
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "ceil_div.hpp"
#include "check.hpp"
#include "device.hpp"
#include "device_attribute.hpp"
#include "device_memory.hpp"
#include "limits.hpp"
#include "pinned_buffer.hpp"

namespace tutorial {
namespace {

constexpr int block_size = 256;

__global__ void fill_kernel(float4* data, std::size_t count) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float value =
      float(unsigned(i) * 2654435761u) * 0x1p-32f;  // bits that vary: memory of one value may be faster
  data[i] = make_float4(value, 1 - value, 0.5f * value, 2 - value);
}

// One 16-byte vector per thread: more per thread, or streaming hints, copy no faster.
__global__ void __launch_bounds__(block_size) copy_kernel(const float4* from, float4* to, std::size_t count) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

// `Chains` independent accumulators hide the latency of each other. x and y are the same for all threads and
// are read from constant memory, where parameters live: one register operand per instruction, so that the
// register file is not what limits the rate.
template <class T, int Chains>
__global__ void __launch_bounds__(block_size) fma_kernel(T* out, T x, T y, int rounds) {
  T sum[Chains];
#pragma unroll
  for (int c = 0; c < Chains; ++c) sum[c] = T(threadIdx.x + c);
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < 8; ++step) {
#pragma unroll
      for (int c = 0; c < Chains; ++c) sum[c] = sum[c] * x + y;
    }
  }
  T total = 0;
#pragma unroll
  for (int c = 0; c < Chains; ++c) total += sum[c];
  if (total == T(123456789)) out[0] = total;  // practically never; but the compiler cannot leave the work out
}

// Products of small matrices, 16x8x8 of tf32 and 16x8x16 of double (8x8x4 before compute capability 9.0),
// added to sums in the warp's registers. All factors are the same number, so no lane has to know its own.
__device__ void multiply_matrices(float (&sum)[4], float x) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  const unsigned bits = __float_as_uint(x);
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, "
      "{%4,%4}, {%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(bits));
#endif
}
__device__ void multiply_matrices(double (&sum)[4], double x) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%4,%4,%4,%4,%4,%4,%4}, "
      "{%4,%4,%4,%4}, {%0,%1,%2,%3};"
      : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
      : "d"(x));
#elif __CUDA_ARCH__ >= 800
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%2}, {%0,%1};"
               : "+d"(sum[0]), "+d"(sum[1])
               : "d"(x));
#endif
}

constexpr int tensor_chains = 8;  // independent sums of a warp

template <class T>
__global__ void __launch_bounds__(block_size) tensor_kernel(T* out, T x, int rounds) {
  T sum[tensor_chains][4];
#pragma unroll
  for (int c = 0; c < tensor_chains; ++c)
    for (int e = 0; e < 4; ++e) sum[c][e] = T(c + e);
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int c = 0; c < tensor_chains; ++c) multiply_matrices(sum[c], x);
  }
  T total = 0;
#pragma unroll
  for (int c = 0; c < tensor_chains; ++c)
    for (int e = 0; e < 4; ++e) total += sum[c][e];
  if (total == T(-1)) out[0] = total;  // never; but the compiler cannot leave the work out
}

__global__ void empty_kernel() {}

unsigned blocks_for(std::size_t elements) { return unsigned(ceil_div(elements, block_size)); }

}  // namespace

copy_limit_result copy_limit(std::size_t bytes) {
  const std::size_t vectors = std::max<std::size_t>(1, ceil_div(bytes, sizeof(float4)));
  const std::size_t moved = vectors * sizeof(float4);
  const int sets = buffer_sets(2 * moved);
  std::vector<device_buffer<float4>> from, to;
  for (int s = 0; s < sets; ++s) {
    from.emplace_back(vectors);
    to.emplace_back(vectors);
    fill_kernel<<<blocks_for(vectors), block_size>>>(from.back().data(), vectors);
    check(cudaGetLastError());
  }
  const timing by_kernel = measure([&](int i) {
    copy_kernel<<<blocks_for(vectors), block_size>>>(from[i % sets].data(), to[i % sets].data(), vectors);
  });
  const timing by_call = measure([&](int i) {
    check(cudaMemcpyAsync(to[i % sets].data(), from[i % sets].data(), moved, cudaMemcpyDeviceToDevice));
  });
  copy_limit_result result;
  result.by = by_kernel.median_ms <= by_call.median_ms ? "kernel" : "cudaMemcpyAsync";
  result.time = by_kernel.median_ms <= by_call.median_ms ? by_kernel : by_call;
  result.bytes_per_second = 2.0 * double(moved) / (result.time.median_ms * 1e-3);
  return result;
}

template <class T>
double fma_limit() {
  const device_facts device = current_device();
  constexpr int chains = sizeof(T) == 8 ? 8 : 16;
  const int blocks = device.emulated ? 1 : 8 * device.multiprocessors;
  const int rounds = device.emulated ? 1 : sizeof(T) == 8 || std::is_integral_v<T> ? 2048 : 4096;
  using W = wrapping<T>;  // the sums of integers wrap, which only unsigned ones may
  device_buffer<W> out(1);
  // Multipliers that keep the sums finite. For integers any odd ones do.
  const W x = std::is_integral_v<T> ? W(3) : W(1.0000001), y = std::is_integral_v<T> ? W(7) : W(1e-7);
  const timing time =
      measure([&](int) { fma_kernel<W, chains><<<blocks, block_size>>>(out.data(), x, y, rounds); },
              {.group_ms = 10});
  return 2.0 * 8 * chains * rounds * double(block_size) * blocks / (time.median_ms * 1e-3);
}

template double fma_limit<std::int32_t>();
template double fma_limit<float>();
template double fma_limit<double>();

template <class T>
double tensor_limit() {
  const device_facts device = current_device();
  const int major = device_attribute(cudaDevAttrComputeCapabilityMajor);
  if (major < 8) return 0;
  const int blocks = device.emulated ? 1 : 8 * device.multiprocessors;
  const int rounds = device.emulated ? 1 : 2048;
  device_buffer<T> out(1);
  const timing time =
      measure([&](int) { tensor_kernel<T><<<blocks, block_size>>>(out.data(), T(0x1p-10), rounds); },
              {.group_ms = 10});
  const double products = std::is_same_v<T, float> ? 16 * 8 * 8 : major >= 9 ? 16 * 8 * 16 : 8 * 8 * 4;
  return 2 * products * tensor_chains * rounds * (block_size / 32) * blocks / (time.median_ms * 1e-3);
}

template double tensor_limit<float>();
template double tensor_limit<double>();

host_link_result host_link(std::size_t bytes) {
  bytes = std::max<std::size_t>(bytes, 1);
  device_buffer<unsigned char> on_device(bytes);
  std::vector<unsigned char> pageable(bytes, 1);
  pinned_buffer<unsigned char> pinned(bytes);
  const auto rate = [&](void* to, const void* from, cudaMemcpyKind direction) {
    const auto copy = [&](int) { check(cudaMemcpy(to, from, bytes, direction)); };
    const measure_options options = {.group_ms = 1, .repeats = 7};
    return double(bytes) / (measure_host(copy, options).median_ms * 1e-3);
  };
  host_link_result result;
  result.pageable_to_device = rate(on_device.data(), pageable.data(), cudaMemcpyHostToDevice);
  result.pageable_to_host = rate(pageable.data(), on_device.data(), cudaMemcpyDeviceToHost);
  result.pinned_to_device = rate(on_device.data(), pinned.data(), cudaMemcpyHostToDevice);
  result.pinned_to_host = rate(pinned.data(), on_device.data(), cudaMemcpyDeviceToHost);
  return result;
}

launch_cost_result launch_cost() {
  const auto launch = [](int) { empty_kernel<<<1, 32>>>(); };
  const auto round_trip = [](int) {
    empty_kernel<<<1, 32>>>();
    check(cudaDeviceSynchronize());
  };
  launch_cost_result result;
  result.back_to_back_us = 1e3 * measure(launch).median_ms;
  // One at a time: groups would only repeat the same wait.
  result.round_trip_us = 1e3 * measure_host(round_trip, {.group_ms = 0, .repeats = 301}).median_ms;
  return result;
}

}  // namespace tutorial
