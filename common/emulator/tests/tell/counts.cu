// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Counts against values worked out by hand, in every order.
#include "../emulator_test.hpp"
#include "count_kernels.cuh"
#include "emulator/counts.hpp"

using namespace count_kernels;
using cuda_emulator::kernel_counts;

namespace {

static __device__ const float device_table[3] = {1, 2, 4};
__device__ const int device_pair[] = {3, 5};
__device__ constexpr int known_table[2] = {16, 32};
static_assert(known_table[1] == 32);
/// Two elements for each thread, of which one is known when this is compiled.
__global__ void device_table_kernel(float* y) {
  const int i = static_cast<int>(threadIdx.x);
  y[i] = device_table[i % 3] + static_cast<float>(device_pair[1]);
}

struct large {
  float4 parts[32];
};
__global__ void large_kernel(const large* x, large* y, large* z) {
  *y = *x;
  *z = {};
}

template <class Launch>
kernel_counts counted(Launch&& launch) {
  cuda_emulator::begin_counting();
  launch();
  const auto launches = cuda_emulator::end_counting();
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(launches.size() == 1);
  return launches[0];
}

struct expected_global {
  unsigned load_requests, load_sectors, store_requests, store_sectors;
};

template <class Launch>
void check_global(const expected_global& expected, Launch&& launch) {
  in_all_orders([&] {
    const kernel_counts c = counted(launch);
    CHECK(c.global_load_requests == expected.load_requests);
    CHECK(c.global_load_sectors == expected.load_sectors);
    CHECK(c.global_store_requests == expected.store_requests);
    CHECK(c.global_store_sectors == expected.store_sectors);
  });
}

struct expected_shared {
  unsigned load_requests, load_wavefronts, store_requests, store_wavefronts;
};

template <class Launch>
void check_shared(const expected_shared& expected, Launch&& launch) {
  in_all_orders([&] {
    const kernel_counts c = counted(launch);
    CHECK(c.shared_load_requests == expected.load_requests);
    CHECK(c.shared_load_wavefronts == expected.load_wavefronts);
    CHECK(c.shared_store_requests == expected.store_requests);
    CHECK(c.shared_store_wavefronts == expected.store_wavefronts);
  });
}

}  // namespace

TEST_CASE("global memory: sectors per request") {
  constexpr unsigned warps = 16;
  device_array<float> d_x(512 * 33), d_y(512 * 33);
  device_array<double> d_a(512 * 2), d_b(512);
  device_array<float4> d_v(512), d_w(512);
  device_array<double2> d_p(512), d_q(512);
  device_array<unsigned char> d_c(512), d_d(512);
  const auto copy = [&](int offset, int stride) {
    return [&, offset, stride] { copy_kernel<<<2, 256>>>(d_x.data(), d_y.data(), offset, stride, 512); };
  };
  check_global({warps, warps * 4, warps, warps * 4}, copy(0, 1));
  check_global({warps, warps * 5, warps, warps * 4}, copy(1, 1));
  check_global({warps, warps * 4, warps, warps * 4}, copy(8, 1));
  check_global({warps, warps * 8, warps, warps * 4}, copy(0, 2));
  check_global({warps, warps * 32, warps, warps * 4}, copy(0, 32));
  check_global({warps, warps * 1, warps, warps * 4}, copy(3, 0));
  check_global({0, 0, warps, warps * 8}, [&] { store_kernel<<<2, 256>>>(d_y.data(), 0, 2); });
  check_global({0, 0, warps, warps * 5}, [&] { store_kernel<<<2, 256>>>(d_y.data(), 3, 1); });
  check_global({warps, warps * 8, warps, warps * 8},
               [&] { copy_kernel<<<2, 256>>>(d_a.data(), d_b.data(), 0, 1, 512); });
  check_global({warps, warps * 16, warps, warps * 16},
               [&] { copy_kernel<<<2, 256>>>(d_v.data(), d_w.data(), 0, 1, 512); });
  check_global({warps, warps * 16, warps, warps * 16},
               [&] { copy_kernel<<<2, 256>>>(d_p.data(), d_q.data(), 0, 1, 512); });
  check_global({warps, warps, warps, warps},
               [&] { copy_kernel<<<2, 256>>>(d_c.data(), d_d.data(), 0, 1, 512); });
  // 500 elements: 15 whole warps and 20 lanes, which touch 3 sectors.
  check_global({warps, 15 * 4 + 3, warps, 15 * 4 + 3},
               [&] { copy_kernel<<<2, 256>>>(d_x.data(), d_y.data(), 0, 1, 500); });
}

TEST_CASE("what threads ask for") {
  device_array<double> d_a(512), d_b(512);
  const kernel_counts c = counted([&] { copy_kernel<<<2, 256>>>(d_a.data(), d_b.data(), 0, 1, 500); });
  CHECK(c.kernel == "copy_kernel");
  CHECK(c.grid[0] == 2);
  CHECK(c.block[0] == 256);
  CHECK(c.threads == 512);
  CHECK(c.global_loads == 500);
  CHECK(c.global_load_bytes == 4000);
  CHECK(c.global_stores == 500);
  CHECK(c.global_store_bytes == 4000);
  CHECK(c.shared_loads == 0);
  CHECK(c.barriers == 0);
}

TEST_CASE("an object that the compiler may copy by a call of memcpy() is counted once") {
  device_array<large> d_x(1), d_y(1), d_z(1);
  CHECK(cudaMemset(d_x.data(), 0, sizeof(large)) == cudaSuccess);
  const kernel_counts c = counted([&] { large_kernel<<<1, 1>>>(d_x.data(), d_y.data(), d_z.data()); });
  CHECK(c.global_load_bytes == sizeof(large));
  CHECK(c.global_store_bytes == 2 * sizeof(large));
}

TEST_CASE("read-modify-write, memcpy, ways that part") {
  device_array<int> d_n(64);
  check_global({2, 8, 2, 8}, [&] { increment_kernel<<<2, 32>>>(d_n.data()); });
  device_array<float> d_x(1100), d_y(1100);
  check_global({1, 16, 1, 4}, [&] { memcpy_kernel<<<1, 32>>>(d_x.data(), d_y.data()); });
  // Of 32 rounds the k-th is made by 32 - k lanes, from lane k on: it touches 4, 4, ..., 1 sectors.
  unsigned sectors = 0;
  for (unsigned k = 0; k < 32; ++k) sectors += 4 - k / 8;
  check_global({32, sectors, 1, 4}, [&] { ragged_kernel<<<1, 32>>>(d_x.data(), d_y.data()); });
#ifndef __clang__  // which makes one store of the two; counts are defined for g++
  // Each way is a request of 16 lanes, 2 elements apart.
  check_global({2, 8, 2, 8}, [&] { branch_kernel<<<1, 32>>>(d_x.data(), d_y.data()); });
#endif
}

TEST_CASE("shared memory: wavefronts") {
  device_array<float> d_x(1024), d_y(1024);
  const dim3 block(32, 32);
  check_shared({32, 1024, 32, 32}, [&] { transpose_kernel<float, 0><<<1, block>>>(d_x.data(), d_y.data()); });
  check_shared({32, 32, 32, 32}, [&] { transpose_kernel<float, 1><<<1, block>>>(d_x.data(), d_y.data()); });
  device_array<double> d_a(1024), d_b(1024);
  // 8 bytes go by half-warps: a column of 32 doubles lies in two banks, 16 lanes in each pass through them.
  check_shared({32, 1024, 32, 64},
               [&] { transpose_kernel<double, 0><<<1, block>>>(d_a.data(), d_b.data()); });
  check_shared({32, 64, 32, 64}, [&] { transpose_kernel<double, 1><<<1, block>>>(d_a.data(), d_b.data()); });
  for (const unsigned stride : {1u, 2u, 3u, 4u, 8u, 16u, 17u, 32u}) {
    CAPTURE(stride);
    unsigned conflicts = 1;  // the greatest common divisor with 32
    while (conflicts < 32 && stride % (2 * conflicts) == 0) conflicts *= 2;
    check_shared({1, conflicts, 1, conflicts},
                 [&] { shared_stride_kernel<<<1, 32, 8192>>>(static_cast<int>(stride), d_y.data()); });
  }
  device_array<int> d_n(32);
  for (const int group : {1, 2, 5, 32}) {
    check_shared({1, 1, 1, 1}, [&] { broadcast_kernel<<<1, 32>>>(group, d_n.data()); });
  }
  // Where lanes n and n ^ 1 or n and n ^ 2 read the same, 8 bytes go by whole warps.
  for (const int step : {1, 2, 4, 8})
    check_shared({1, step <= 2 ? 1u : 2u, 1, 2}, [&] { pairs_kernel<<<1, 32>>>(step, d_a.data()); });
  device_array<float4> d_v(32);
  check_shared({1, 4, 1, 4}, [&] { vector_shared_kernel<<<1, 32>>>(d_v.data()); });
  const kernel_counts c = counted([&] { transpose_kernel<float, 1><<<1, block>>>(d_x.data(), d_y.data()); });
  CHECK(c.barriers == 1);
  CHECK(c.shared_loads == 1024);
  CHECK(c.shared_store_bytes == 4096);
}

TEST_CASE("constant memory: distinct addresses per request") {
  device_array<float> d_y(64);
  for (const int group : {1, 4, 32}) {
    in_all_orders([&] {
      const kernel_counts c = counted([&] { constant_kernel<<<1, 64>>>(group, d_y.data()); });
      CHECK(c.constant_loads == 64);
      CHECK(c.constant_load_bytes == 256);
      CHECK(c.constant_requests == 2);
      CHECK(c.constant_addresses == 2 * static_cast<unsigned>(32 / group));
      CHECK(c.global_loads == 0);
    });
  }
}

TEST_CASE("tables in device memory are read, not folded") {
  device_array<float> d_y(64);
  in_all_orders([&] {
    const kernel_counts c = counted([&] { device_table_kernel<<<1, 64>>>(d_y.data()); });
    CHECK(c.global_loads == 128);
    CHECK(c.global_load_bytes == 512);
    CHECK(c.global_stores == 64);
    CHECK(c.constant_loads == 0);
  });
  CHECK(d_y.to_host()[2] == 9);
}

TEST_CASE("counting nests, and is off with the checks") {
  device_array<int> d_n(64);
  cuda_emulator::begin_counting();
  increment_kernel<<<1, 32>>>(d_n.data());
  cuda_emulator::begin_counting();
  increment_kernel<<<2, 32>>>(d_n.data());
  CHECK(cuda_emulator::end_counting().size() == 1);
  increment_kernel<<<1, 32>>>(d_n.data());
  CHECK(cuda_emulator::end_counting().size() == 3);
  CHECK(cuda_emulator::end_counting().empty());
  cuda_emulator::set_checking(false);
  cuda_emulator::begin_counting();
  increment_kernel<<<1, 32>>>(d_n.data());
  CHECK(cuda_emulator::end_counting().empty());
  cuda_emulator::set_checking(true);
}

namespace {

/// Each warp owns 30 columns: the lanes at its ends only lend their values. Without the guards, lanes and
/// warps behind the last column load as well.
template <bool guarded>
__global__ void lend_kernel(const float* x, float* y, int width) {
  const int warp = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32,
            lane = static_cast<int>(threadIdx.x) % 32;
  const int first = warp * 30, col = first + lane - 1, clamped = min(max(col, 0), width - 1);
  if (guarded && first >= width) return;
  const float center = !guarded || col <= width ? x[clamped] : 0;
  const float sum = __shfl_up_sync(0xffffffff, center, 1) + __shfl_down_sync(0xffffffff, center, 1);
  if (0 < lane && lane < 31 && col < width) y[col] = sum;
}

__global__ void stage_kernel(const float* x, float* y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];  // what stores to shared memory is not idle
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = tile[0] + tile[63];
}

/// Thread 0 of each block does the work of all.
__global__ void one_for_all_kernel(const float* x, float* y, int n) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < n; ++i) y[n * blockIdx.x + i] = x[i];
}

}  // namespace

TEST_CASE("the longest way of a thread") {
  device_array<float> x(std::vector<float>(512, 1.0f)), y(512);
  in_all_orders([&] {
    const kernel_counts spread = counted([&] { copy_kernel<<<2, 256>>>(x.data(), y.data(), 0, 1, 500); });
    CHECK(spread.longest_way >= 3);  // a load, a store, and one or two basic blocks
    CHECK(spread.longest_way <= 8);
    const kernel_counts alone = counted([&] { one_for_all_kernel<<<2, 64>>>(x.data(), y.data(), 250); });
    CHECK(alone.longest_way >= 3 * 250);
    CHECK(alone.longest_way <= 5 * 250);
  });
}

TEST_CASE("loads by threads that store nothing") {
  device_array<float> x(std::vector<float>(100, 1.0f)), y(100);
  in_all_orders([&] {
    // 100 columns are 3 warps of 30 and one of 10: 4 warps of the first two blocks of 96 threads.
    const kernel_counts c = counted([&] { lend_kernel<false><<<2, 96>>>(x.data(), y.data(), 100); });
    CHECK(c.idle_warps == 2);
    CHECK(c.idle_warp_loads == 64);
    CHECK(c.idle_warp_block == 1);
    CHECK(c.idle_warp == 1);
    CHECK(c.idle_lane_loads == 20);  // lanes 11 to 30 of the warp with 10 columns; 31 never stores
    CHECK(c.idle_lanes == 0x7ffff800u);
    CHECK(c.idle_lane_block == 1);
    CHECK(c.idle_lanes_warp == 0);
    const kernel_counts guarded = counted([&] { lend_kernel<true><<<2, 96>>>(x.data(), y.data(), 100); });
    CHECK(guarded.idle_warps == 0);
    CHECK(guarded.idle_lane_loads == 1);  // of column 100, for its neighbor
    CHECK(guarded.idle_lanes == 1u << 11);
    const kernel_counts staged = counted([&] { stage_kernel<<<3, 64>>>(x.data(), y.data()); });
    CHECK(staged.idle_warps == 0);
    CHECK(staged.idle_lanes == 0);
  });
}
