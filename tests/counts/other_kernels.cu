// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What is neither a load or store of global memory nor one of shared memory, and must not be counted as one:
// constant memory, local arrays, shuffles and atomics.
#include <string>

#include "common/device/check.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

constexpr int table_size = 64;
__constant__ float table[table_size];

/// y[i] = x[i] * sum of the first `count` elements of the table: all lanes load the same one.
__global__ void constant_uniform_kernel(const float* __restrict__ x, float* __restrict__ y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += table[k];
  y[i] = x[i] * sum;
}

/// y[i] = x[i] * table[i / share % table_size]: `share` neighbors load the same element.
__global__ void constant_indexed_kernel(const float* __restrict__ x, float* __restrict__ y, int share) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * table[i / share % table_size];
}

/// y[warp] = sum of the warp's 32 elements of x.
__global__ void warp_sum_kernel(const float* __restrict__ x, float* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = x[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) y[i / 32] = sum;
}

/// bins[b] += how many elements of x are b modulo 16.
__global__ void global_atomics_kernel(const int* __restrict__ x, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[x[i] & 15], 1);
}

/// y[i] = p[i], and p[i] += 3.
__global__ void fetch_and_add_kernel(int* p, int* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = atomicAdd(&p[i], 3);
}

/// y[i] = the choice[i]-th of 16 elements. Because of the loop that stays one, the array cannot be kept in
/// registers.
__global__ void local_array_kernel(const float* __restrict__ x, const int* __restrict__ choice,
                                   float* __restrict__ y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float loaded[16];
#pragma unroll 1
  for (int j = 0; j < 16; ++j) loaded[j] = x[j * size + i];
  y[i] = loaded[choice[i]];
}

constexpr int threads = 128;
constexpr int blocks = 4;
constexpr int size = blocks * threads;

std::vector<float> set_table() {
  const auto values = small_values<float>(table_size, 9);
  check(cudaMemcpyToSymbol(table, values.data(), sizeof(table)));
  return values;
}

count_entry constant_uniform_entry() {
  return {"constant, all lanes one element", "constant_uniform_kernel", [] {
            constexpr int count = 16;
            const auto x = small_values<float>(size), values = set_table();
            float sum = 0;
            for (int k = 0; k < count; ++k) sum += values[k];
            std::vector<float> expected(size);
            for (int i = 0; i < size; ++i) expected[i] = x[i] * sum;
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(unwritten<float>(size));
            constant_uniform_kernel<<<blocks, threads>>>(d_x.data(), d_y.data(), count);
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

count_entry constant_indexed_entry(int share) {
  return {"constant, each element for " + std::to_string(share) + " lanes", "constant_indexed_kernel", [=] {
            const auto x = small_values<float>(size), values = set_table();
            std::vector<float> expected(size);
            for (int i = 0; i < size; ++i) expected[i] = x[i] * values[i / share % table_size];
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(unwritten<float>(size));
            constant_indexed_kernel<<<blocks, threads>>>(d_x.data(), d_y.data(), share);
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

count_entry warp_sum_entry() {
  return {"sums of warps by shuffles", "warp_sum_kernel", [] {
            const auto x = small_values<float>(size);
            std::vector<float> expected(size / 32);
            for (int i = 0; i < size; ++i) expected[i / 32] += x[i];
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(unwritten<float>(size / 32));
            warp_sum_kernel<<<blocks, threads>>>(d_x.data(), d_y.data());
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

count_entry global_atomics_entry() {
  return {"global atomics, 16 bins", "global_atomics_kernel", [] {
            std::vector<int> x(size), expected(16);
            for (int i = 0; i < size; ++i) x[i] = static_cast<int>(random_bits(5, i) % 1024);
            for (int i = 0; i < size; ++i) ++expected[x[i] % 16];
            const device_buffer<int> d_x(x);
            device_buffer<int> d_bins(std::vector<int>(16, 0));
            global_atomics_kernel<<<blocks, threads>>>(d_x.data(), d_bins.data());
            check(cudaGetLastError());
            return difference(d_bins, expected);
          }};
}

count_entry fetch_and_add_entry() {
  return {"global atomics that return the old value", "fetch_and_add_kernel", [] {
            const auto p = small_values<int>(size);
            std::vector<int> added = p;
            for (int& each : added) each += 3;
            device_buffer<int> d_p(p), d_y(unwritten<int>(size));
            fetch_and_add_kernel<<<blocks, threads>>>(d_p.data(), d_y.data());
            check(cudaGetLastError());
            const std::string wrong = difference(d_y, p);
            return wrong.empty() ? difference(d_p, added) : wrong;
          }};
}

count_entry local_array_entry() {
  return {"a local array with a run-time index", "local_array_kernel", [] {
            const auto x = small_values<float>(16 * size);
            std::vector<int> choice(size);
            std::vector<float> expected(size);
            for (int i = 0; i < size; ++i) choice[i] = static_cast<int>(random_bits(6, i) % 16);
            for (int i = 0; i < size; ++i) expected[i] = x[choice[i] * size + i];
            const device_buffer<float> d_x(x);
            const device_buffer<int> d_choice(choice);
            device_buffer<float> d_y(unwritten<float>(size));
            local_array_kernel<<<blocks, threads>>>(d_x.data(), d_choice.data(), d_y.data(), size);
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

}  // namespace

std::vector<count_entry> other_entries() {
  return {constant_uniform_entry(), constant_indexed_entry(1), constant_indexed_entry(4), warp_sum_entry(),
          global_atomics_entry(),   fetch_and_add_entry(),     local_array_entry()};
}

}  // namespace tutorial
