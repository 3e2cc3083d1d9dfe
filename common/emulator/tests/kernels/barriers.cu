// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Barriers, shared memory and what threads of a block say to each other.
#include <cmath>

#include "../emulator_test.hpp"
#include "emulator/finding.hpp"

namespace {

constexpr int block_size = 200;  // six warps and a quarter

__global__ void reverse_kernel(const int* x, int* y) {
  __shared__ int tile[block_size];
  const int i = static_cast<int>(threadIdx.x), begin = static_cast<int>(blockIdx.x * blockDim.x);
  tile[i] = x[begin + i];
  __syncthreads();  // between writing one's own element and reading another's
  y[begin + i] = tile[block_size - 1 - i];
}

// Doubling steps: as many barriers as the block has bits.
__global__ void prefix_sum_kernel(int* values) {
  __shared__ int sums[2][block_size];
  const int i = static_cast<int>(threadIdx.x);
  int from = 0;
  sums[from][i] = values[i];
  __syncthreads();
  for (int distance = 1; distance < block_size; distance *= 2, from = 1 - from) {
    sums[1 - from][i] = sums[from][i] + (i >= distance ? sums[from][i - distance] : 0);
    __syncthreads();
  }
  values[i] = sums[from][i];
}

__global__ void votes_kernel(int limit, int* out) {
  const int count = __syncthreads_count(static_cast<int>(threadIdx.x) < limit);
  const int all = __syncthreads_and(static_cast<int>(threadIdx.x) < limit);
  const int any = __syncthreads_or(static_cast<int>(threadIdx.x) < limit);
  out[threadIdx.x] = count * 4 + (all != 0) * 2 + (any != 0);
}

template <class T>
__global__ void poison_kernel(int* clean) {
  __shared__ T fixed[40];
  extern __shared__ unsigned char raw[];
  T* dynamic = reinterpret_cast<T*>(raw);
  // Bytes, not values: nothing else shows which bits a NaN has.
  const auto* bytes = reinterpret_cast<const unsigned char*>(threadIdx.x % 2 == 0 ? fixed : dynamic);
  int untouched = 0;
  for (std::size_t i = 0; i < 40 * sizeof(T); ++i) untouched += bytes[i] == 0xFF;
  if (untouched != 40 * sizeof(T)) atomicAdd(clean, 1);
  __syncthreads();
  fixed[threadIdx.x] = T(1);
  dynamic[threadIdx.x] = T(1);
}

__global__ void dynamic_kernel(int words, int* out) {
  extern __shared__ int dynamic[];
  for (int i = static_cast<int>(threadIdx.x); i < words; i += static_cast<int>(blockDim.x)) dynamic[i] = i;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = dynamic[words - 1] + dynamic[words / 2];
}

__global__ void sizes_and_places_kernel(unsigned long long* out) {
  __shared__ char a[3];
  __shared__ double b;
  __shared__ __align__(64) float c[7];
  if (threadIdx.x == 0) {
    out[0] = reinterpret_cast<unsigned long long>(&a) % 128;
    out[1] = reinterpret_cast<unsigned long long>(&b) % 128;
    out[2] = reinterpret_cast<unsigned long long>(&c) % 128;
    out[3] = sizeof a + sizeof b + sizeof c;
    out[4] = reinterpret_cast<unsigned long long>(&a) != reinterpret_cast<unsigned long long>(&b);
  }
}

__device__ int helper_with_shared(int value) {
  __shared__ int kept[32];
  kept[threadIdx.x] = value;
  __syncthreads();
  return kept[31 - threadIdx.x];
}
__global__ void shared_in_device_function_kernel(int* out) {
  out[threadIdx.x] = helper_with_shared(static_cast<int>(threadIdx.x));
}

}  // namespace

TEST_CASE("what is written before a barrier is read behind it") {
  std::vector<int> x(8 * block_size), expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * 7);
  for (std::size_t b = 0; b < 8; ++b)
    for (std::size_t i = 0; i < block_size; ++i)
      expected[b * block_size + i] = x[b * block_size + block_size - 1 - i];
  in_all_orders([&] {
    device_array<int> d_x(x), d_y(x.size());
    reverse_kernel<<<8, block_size>>>(d_x.data(), d_y.data());
    CHECK(d_y.to_host() == expected);
  });
}

TEST_CASE("many barriers in a loop") {
  std::vector<int> x(block_size), expected(block_size);
  int sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = sum += x[i] = static_cast<int>(i % 13) - 5;
  in_all_orders([&] {
    device_array<int> d_x(x);
    prefix_sum_kernel<<<1, block_size>>>(d_x.data());
    CHECK(d_x.to_host() == expected);
  });
}

TEST_CASE("barriers that count and vote") {
  in_all_orders([] {
    device_array<int> d_out(100);
    for (const auto& [limit, expected] :
         std::vector<std::pair<int, int>>{{0, 0}, {37, 37 * 4 + 1}, {100, 100 * 4 + 3}}) {
      votes_kernel<<<1, 100>>>(limit, d_out.data());
      CHECK(d_out.to_host() == std::vector<int>(100, expected));
    }
  });
}

TEST_CASE("shared memory is poisoned in every block") {
  cuda_emulator::set_checking(false);  // that nobody wrote what this kernel reads is the point
  in_all_orders([] {
    device_array<int> d_dirty(1);
    poison_kernel<float><<<20, 40, 40 * sizeof(float)>>>(d_dirty.data());
    poison_kernel<double><<<20, 40, 40 * sizeof(double)>>>(d_dirty.data());
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(d_dirty.to_host()[0] == 0);
  });
  cuda_emulator::set_checking(true);
}

TEST_CASE("dynamic shared memory, up to 227 KiB after the attribute is set") {
  device_array<int> d_out(1);
  const auto run = [&](std::size_t bytes) {
    const int words = static_cast<int>(bytes / sizeof(int));
    dynamic_kernel<<<2, 64, bytes>>>(words, d_out.data());
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) CHECK(d_out.to_host()[0] == words - 1 + words / 2);
    return error;
  };
  CHECK(run(48 * 1024) == cudaSuccess);
  CHECK(run(48 * 1024 + 4) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(dynamic_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1) ==
        cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(dynamic_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024) ==
          cudaSuccess);
  CHECK(run(227 * 1024) == cudaSuccess);
  CHECK(run(227 * 1024 + 4) == cudaErrorInvalidValue);
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, dynamic_kernel) == cudaSuccess);
  CHECK(attributes.maxDynamicSharedSizeBytes == 227 * 1024);
}

TEST_CASE("shared variables: places and sizes") {
  device_array<unsigned long long> d_out(5);
  sizes_and_places_kernel<<<1, 2>>>(d_out.data());
  const auto out = d_out.to_host();
  CHECK(out[0] == 0);
  CHECK(out[1] == 0);
  CHECK(out[2] == 0);
  CHECK(out[3] == 3 + 8 + 28);
  CHECK(out[4] == 1);
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, sizes_and_places_kernel) == cudaSuccess);
  CHECK(attributes.sharedSizeBytes >= 39);
  CHECK(attributes.sharedSizeBytes <= 39 + 7 + 63);  // and what alignment needs
}

TEST_CASE("__shared__ in a device function") {
  in_all_orders([] {
    device_array<int> d_out(32);
    shared_in_device_function_kernel<<<1, 32>>>(d_out.data());
    const auto out = d_out.to_host();
    CHECK(out[0] == 31);
    CHECK(out[31] == 0);
  });
}
