// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The primitives of <cuda_pipeline.h>: values worked out by hand, and the counts of the copies.
#include <cuda_pipeline.h>

#include "../emulator_test.hpp"

#ifdef ON_EMULATED_DEVICE
#include "emulator/counts.hpp"
#endif

namespace {

constexpr int threads = 96, stages = 3;

/// Each block sums tiles of the array, `stages` of them under way at a time. The last tile is not full.
template <class T>
__global__ void ring_kernel(const T* x, int size, T* sums) {
  __shared__ T tile[stages][threads];
  const int t = static_cast<int>(threadIdx.x), tiles = (size + threads - 1) / threads;
  const auto fetch = [&](int which) {
    const int i = which * threads + t;
    if (which < tiles)
      __pipeline_memcpy_async(&tile[which % stages][t], x + (i < size ? i : 0), sizeof(T),
                              i < size ? 0 : sizeof(T));
    __pipeline_commit();
  };
  for (int k = 0; k < stages - 1; ++k) fetch(k);
  T sum = {};
  for (int k = 0; k < tiles; ++k) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    const T& of_neighbor = tile[k % stages][threads - 1 - t];
    sum.x += of_neighbor.x;
    fetch(k + stages - 1);  // into the tile that all have read before the barrier
  }
  sums[t] = sum;
}
struct one {
  float x;
};

// What was there stays until the wait; this thread's own elements need no barrier.
__global__ void zeros_kernel(const char* x, int zeros, char* y) {
  __shared__ alignas(16) char target[16 * 32];
  char* const mine = target + 16 * threadIdx.x;
  __pipeline_memcpy_async(mine, x + 16 * threadIdx.x, 16, static_cast<std::size_t>(zeros));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 16; ++i) y[16 * threadIdx.x + i] = mine[i];
}

// CUDA's primitive leaves eight groups under way at most.
__global__ void many_groups_kernel(const int* x, int* y) {
  __shared__ int tile[12];
  for (int k = 0; k < 12; ++k) {
    __pipeline_memcpy_async(tile + k, x + k, sizeof(int));
    __pipeline_commit();
  }
  __pipeline_wait_prior(100);
  for (int k = 0; k < 4; ++k) y[k] = tile[k];
  __pipeline_wait_prior(0);
}

__global__ void copied_kernel(const float4* x, float4* y) {
  __shared__ float4 tile[64];
  __pipeline_memcpy_async(tile + threadIdx.x, x + threadIdx.x, sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];
}

/// Nobody waits for the copy, and nobody uses it: CUDA does not forbid that.
__global__ void forgotten_kernel(const int* x, int* y) {
  __shared__ int tile[32];
  __pipeline_memcpy_async(tile + threadIdx.x, x + threadIdx.x, sizeof(int));
  __pipeline_commit();
  y[32 * blockIdx.x + threadIdx.x] = 1;
}

/// y = x + the thread's number, which it loads from shared memory: with the copy under way, if one group is
/// left.
__global__ void beside_kernel(const int* x, int* y, unsigned left) {
  __shared__ int tile[32], own[32];
  own[threadIdx.x] = static_cast<int>(threadIdx.x);
  __pipeline_memcpy_async(tile + threadIdx.x, x + threadIdx.x, sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(left);
  const int mine = *static_cast<volatile int*>(own + threadIdx.x);
  __pipeline_wait_prior(0);
  y[threadIdx.x] = x[threadIdx.x] + mine;
}

template <class T>
void check_ring(int size) {
  std::vector<T> x(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) x[static_cast<std::size_t>(i)].x = static_cast<float>(i % 251);
  std::vector<float> expected(threads);
  for (int i = 0; i < size; ++i)
    expected[static_cast<std::size_t>(threads - 1 - i % threads)] += static_cast<float>(i % 251);
  device_array<T> d_x(x), d_sums(threads);
  ring_kernel<T><<<1, threads>>>(d_x.data(), size, d_sums.data());
  const std::vector<T> sums = d_sums.to_host();
  for (int t = 0; t < threads; ++t)
    CHECK(sums[static_cast<std::size_t>(t)].x == expected[static_cast<std::size_t>(t)]);
}

}  // namespace

TEST_CASE("a ring of tiles, of 4, 8 and 16 bytes a thread and of any size") {
  in_all_orders([] {
    for (const int size : {1, 95, 96, 97, 5 * threads, 1000}) {
      check_ring<one>(size);
      check_ring<float2>(size);
      check_ring<float4>(size);
    }
  });
}

TEST_CASE("the last bytes of a copy become zero") {
  std::vector<char> x(16 * 32);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<char>(i % 100 + 1);
  device_array<char> d_x(x), d_y(x.size());
  in_all_orders([&] {
    for (int zeros = 0; zeros <= 16; ++zeros) {
      zeros_kernel<<<1, 32>>>(d_x.data(), zeros, d_y.data());
      const std::vector<char> y = d_y.to_host();
      for (std::size_t i = 0; i < y.size(); ++i)
        CHECK(y[i] == (static_cast<int>(i % 16) < 16 - zeros ? x[i] : 0));
    }
  });
}

TEST_CASE("a wait leaves eight groups at most") {
  device_array<int> d_x(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), d_y(4);
  many_groups_kernel<<<1, 1>>>(d_x.data(), d_y.data());
  CHECK(d_y.to_host() == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("a copy that nobody waits for is allowed where nobody uses it") {
  device_array<int> d_x(32), d_y(96);
  in_all_orders([&] {
    forgotten_kernel<<<3, 32>>>(d_x.data(), d_y.data());
    CHECK(d_y.to_host() == std::vector<int>(96, 1));
  });
}

#ifdef ON_EMULATED_DEVICE
TEST_CASE("a copy counts as a load, and not as a store") {
  device_array<float4> d_x(64), d_y(64);
  in_all_orders([&] {
    cuda_emulator::begin_counting();
    copied_kernel<<<1, 64>>>(d_x.data(), d_y.data());
    const auto launches = cuda_emulator::end_counting();
    REQUIRE(launches.size() == 1);
    const cuda_emulator::kernel_counts& c = launches[0];
    CHECK(c.global_loads == 64);
    CHECK(c.global_load_bytes == 64 * 16);
    CHECK(c.global_load_requests == 2);
    CHECK(c.global_load_sectors == 32);
    CHECK(c.shared_stores == 0);
    CHECK(c.shared_store_wavefronts == 0);
    CHECK(c.shared_load_requests == 2);
    CHECK(c.idle_warps == 0);
    CHECK(c.loads_beside_copies == 0);
  });
}

TEST_CASE("loads from shared memory while a copy is under way, and after it has landed") {
  device_array<int> d_x(std::vector<int>(64, 1)), d_y(64);
  in_all_orders([&] {
    cuda_emulator::begin_counting();
    beside_kernel<<<1, 32>>>(d_x.data(), d_y.data(), 1);
    beside_kernel<<<1, 32>>>(d_x.data(), d_y.data(), 0);
    const auto launches = cuda_emulator::end_counting();
    REQUIRE(launches.size() == 2);
    CHECK(launches[0].loads_beside_copies == 32);
    CHECK(launches[1].loads_beside_copies == 0);
  });
}
#endif
