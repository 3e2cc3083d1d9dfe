// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Blocks of a cooperative launch that wait for each other.
#include <cooperative_groups.h>

#include "../findings.hpp"

namespace {

namespace cg = cooperative_groups;
using cuda_emulator::finding_kind;

constexpr int block_size = 96;

// In each round: partial sums of blocks, then every element is the sum of all. What a thread has in
// registers, on its stack and in shared memory is still there behind a barrier. `forget`: the barrier that is
// left out, towards other blocks.
__global__ void rounds_kernel(int* x, int* partial, int length, int rounds, int forget, int* lost) {
  __shared__ int kept;
  extern __shared__ int mine[];
  const cg::grid_group grid = cg::this_grid();
  const int rank = static_cast<int>(grid.thread_rank());
  int local[3] = {rank, rank + 1, rank + 2};
  for (int round = 0; round < rounds; ++round) {
    mine[threadIdx.x] = rank < length ? x[rank] : 0;
    if (threadIdx.x == 0) kept = static_cast<int>(blockIdx.x) + round;
    __syncthreads();
    if (threadIdx.x == 0) {
      int sum = 0;
      for (unsigned i = 0; i < blockDim.x; ++i) sum += mine[i];
      partial[blockIdx.x] = sum;
    }
    if (forget != 1) grid.sync();
    __syncthreads();
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];
    if (kept != static_cast<int>(blockIdx.x) + round || local[rank % 3] != rank + rank % 3)
      atomicAdd(lost, 1);
    if (rank < length) x[rank] = all % 1000 + rank;
    if (forget != 2) cg::sync(grid);
    __syncthreads();
    local[round % 3] = rank + round % 3;
  }
}

std::vector<int> expected_after(std::vector<int> x, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    int all = 0;
    for (const int each : x) all += each;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = all % 1000 + static_cast<int>(i);
  }
  return x;
}

__global__ void some_blocks_kernel(int last) {
  if (static_cast<int>(blockIdx.x) < last) cg::this_grid().sync();
}
__global__ void some_threads_kernel(int last) {
  if (static_cast<int>(threadIdx.x) < last) cg::this_grid().sync();
}
__global__ void asking_kernel(int* y) { *y = cg::this_grid().is_valid() ? 1 : 2; }

template <class... Arguments>
cudaError_t cooperate(const void* kernel, int blocks, int threads, std::size_t shared,
                      Arguments... arguments) {
  void* addresses[] = {&arguments...};
  return cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), addresses, shared);
}

}  // namespace

TEST_CASE("all blocks wait for each other, with what they have") {
  for (const int blocks : {1, 2, 3, 40}) {
    CAPTURE(blocks);
    const int length = blocks * block_size - 5;
    std::vector<int> x(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i) x[static_cast<std::size_t>(i)] = i % 7;
    in_all_orders([&] {
      device_array<int> d_x(x), partial(static_cast<std::size_t>(blocks)), lost(1);
      REQUIRE(cooperate(reinterpret_cast<const void*>(rounds_kernel), blocks, block_size,
                        block_size * sizeof(int), d_x.data(), partial.data(), length, 3, 0,
                        lost.data()) == cudaSuccess);
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
      CHECK(d_x.to_host() == expected_after(x, 3));
      CHECK(lost.to_host()[0] == 0);
    });
  }
}

TEST_CASE("a barrier of the grid that is left out is a race") {
  const int blocks = 3, length = blocks * block_size;
  device_array<int> x(length), partial(blocks), lost(1);
  for (const int forget : {1, 2}) {
    const auto launch = [&](int left_out) {
      cooperate(reinterpret_cast<const void*>(rounds_kernel), blocks, block_size, block_size * sizeof(int),
                x.data(), partial.data(), length, 2, left_out, lost.data());
    };
    check_found(
        finding_kind::race, {"kernel rounds_kernel", "partial[", "a missing grid.sync()"},
        [&] { launch(forget); }, [&] { launch(0); });
  }
}

TEST_CASE("who does not come") {
  const auto launch = [](auto kernel, int last) {
    cooperate(reinterpret_cast<const void*>(kernel), 4, 64, 0, last);
  };
  check_found(
      finding_kind::deadlock, {"kernel some_blocks_kernel", "3 of 4 blocks wait at grid.sync()"},
      [&] { launch(some_blocks_kernel, 3); }, [&] { launch(some_blocks_kernel, 4); });
  check_found(
      finding_kind::divergent_barrier, {"kernel some_threads_kernel", "at grid.sync()", "1 of 64 threads"},
      [&] { launch(some_threads_kernel, 63); }, [&] { launch(some_threads_kernel, 64); });
  check_found(
      finding_kind::crash, {"grid.sync() in a launch that is not cooperative"},
      [] { some_blocks_kernel<<<2, 32>>>(2); }, [&] { launch(some_blocks_kernel, 4); });
}

TEST_CASE("what a cooperative launch can be") {
  device_array<int> y(1);
  int* address = y.data();
  REQUIRE(cooperate(reinterpret_cast<const void*>(asking_kernel), 1, 1, 0, address) == cudaSuccess);
  CHECK(y.to_host()[0] == 1);
  asking_kernel<<<1, 1>>>(address);
  CHECK(y.to_host()[0] == 2);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = configuration.blockDim = dim3(1);
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  REQUIRE(cudaLaunchKernelEx(&configuration, asking_kernel, address) == cudaSuccess);
  CHECK(y.to_host()[0] == 1);

  // As many blocks as fit at the same time, and not one more.
  int each = 0, value = 0;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, some_blocks_kernel, 1024, 0) == cudaSuccess);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess);
  const auto kernel = reinterpret_cast<const void*>(some_blocks_kernel);
  CHECK(cooperate(kernel, each * value + 1, 1024, 0, 0) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cooperate(kernel, each * value, 1024, 0, 0) == cudaSuccess);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0) == cudaSuccess);
  CHECK(value == 1);
}
