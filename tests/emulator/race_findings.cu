// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Races and barriers: what goes wrong only sometimes on a GPU is found in every order here.
#include "findings.hpp"

namespace {

using cuda_emulator::finding_kind;

constexpr int write_line = __LINE__ + 5, read_line = __LINE__ + 7;
template <bool faulty>
__global__ void shift_kernel(const float* x, float* y) {
  __shared__ float tile[64];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = x[i];
  if (!faulty) __syncthreads();
  y[i] = tile[(i + 32) % 64];
}

// The first barrier is there; the one before the tile is used again is not.
template <bool faulty>
__global__ void loop_kernel(const int* x, int* y) {
  __shared__ int tile[128];
  const int i = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    tile[i] = x[round * 128 + i];
    __syncthreads();
    sum += tile[127 - i];
    if (!faulty) __syncthreads();
  }
  y[i] = sum;
}

template <bool faulty>
__global__ void warp_shift_kernel(const int* x, int* y) {
  __shared__ int tile[32];
  const int lane = static_cast<int>(threadIdx.x);
  tile[lane] = x[lane];
  if (!faulty) __syncwarp();
  y[lane] = tile[31 - lane];
}

// Each half of the warp meets, and only the repaired kernel stays within the halves.
template <bool faulty>
__global__ void half_warp_kernel(int* y) {
  __shared__ int tile[32];
  const int lane = static_cast<int>(threadIdx.x);
  tile[lane] = lane;
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  y[lane] = tile[faulty ? 31 - lane : lane ^ 15];
}

template <bool faulty>
__global__ void block_race_kernel(int* y) {
  const int i = static_cast<int>(blockIdx.x * (blockDim.x - faulty) + threadIdx.x);
  y[i] = i;
}

template <bool faulty>
__global__ void in_place_kernel(const float* x, float* y, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < size) y[i] = x[i + 1];
}

template <bool faulty>
__global__ void sum_kernel(const int* x, int* sum) {
  if (faulty)
    *sum += x[threadIdx.x];
  else
    atomicAdd(sum, x[threadIdx.x]);
}

// Adding up is atomic, but who reads the sum must wait.
template <bool faulty>
__global__ void count_kernel(int* y) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  if (!faulty) __syncthreads();
  y[threadIdx.x] = count;
}

template <bool faulty>
__global__ void bytes_kernel(unsigned char* y) {
  const int i = static_cast<int>(threadIdx.x);
  y[faulty ? i / 2 : i] = static_cast<unsigned char>(i);
}

template <bool faulty>
__global__ void histogram_kernel(int* y) {
  __shared__ int counts[4];
  const int i = static_cast<int>(threadIdx.x);
  if (i < 4) counts[i] = 0;
  __syncthreads();
  if (faulty)
    counts[i % 4] += 1;
  else
    atomicAdd(&counts[i % 4], 1);
  __syncthreads();
  if (i < 4) y[i] = counts[i];
}

// Two threads per element, through shared memory: no barrier would help.
template <bool faulty>
__global__ void same_index_kernel(int* y) {
  __shared__ int tile[64];
  const int i = static_cast<int>(threadIdx.x);
  tile[faulty ? i % 32 : i] = i;
  __syncthreads();
  y[i] = tile[i % 32];
}

template <bool faulty>
__global__ void first_and_last_kernel(int* y) {
  __shared__ int tile[64];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = i;
  if (faulty && i >= 50) return;
  __syncthreads();
  if (i < 50) y[i] = tile[49 - i];
}

constexpr int first_shuffle_line = __LINE__ + 6;
/// The largest value and its place; faulty: some lanes go on to the next round's first shuffle.
template <bool faulty>
__global__ void shuffle_in_if_kernel(int* y) {
  int largest = static_cast<int>(threadIdx.x) * 5 % 32, at = static_cast<int>(threadIdx.x);
  for (int distance = 16; distance > 0; distance /= 2) {
    const int other = __shfl_down_sync(0xffffffffu, largest, distance);
    int other_at = at;
    if (!faulty) other_at = __shfl_down_sync(0xffffffffu, at, distance);
    if (other > largest) {
      largest = other;
      if (faulty)
        at = __shfl_down_sync(0xffffffffu, at, distance);
      else
        at = other_at;
    }
  }
  y[threadIdx.x] = at;
}

constexpr int then_line = __LINE__ + 6;
template <bool faulty>
__global__ void two_barriers_kernel(int* y) {
  const int i = static_cast<int>(threadIdx.x);
  if (faulty && i < 32) {
    y[i] = 1;
    __syncthreads();
  } else {
    y[i] = 2;
    __syncthreads();
  }
}

// What the threads of a warp meet in is a reduction as every textbook has it.
__global__ void block_sum_kernel(const int* x, int* y) {
  __shared__ int sums[128];
  const int i = static_cast<int>(threadIdx.x);
  sums[i] = x[i];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (i < half) sums[i] += sums[i + half];
    __syncthreads();
  }
  if (i == 0) *y = sums[0];
}

// A shuffle brings lanes together, but is no memory barrier.
template <bool faulty>
__global__ void shuffled_kernel(int* y) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  const int first = __shfl_sync(~0u, tile[threadIdx.x], 0);
  if (!faulty) __syncwarp();
  y[threadIdx.x] = tile[31 - threadIdx.x] + first;
}

// The last block to arrive puts the count of tickets back, by an ordinary store.
__device__ unsigned returned_tickets;
__global__ void ticket_kernel(int* parts) {
  if (threadIdx.x == 1) parts[blockIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&returned_tickets, 1) == gridDim.x - 1) returned_tickets = 0;
}

// The last block to arrive adds up what the others have left: fence, then ticket.
__device__ unsigned tickets;
__global__ void last_block_kernel(const int* x, volatile int* parts, int* y) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = x[blockIdx.x];
    __threadfence();
    last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b];
    *y = sum;
  }
}

}  // namespace

TEST_CASE("threads of a block without a barrier between them") {
  device_array<float> d_x(std::vector<float>(64, 1.0f)), d_y(64);
  check_found(
      finding_kind::race,
      {"race in kernel shift_kernel", "of block (0, 0, 0)", "in shared memory (tile has 64 elements",
       at_line(__FILE__, write_line), at_line(__FILE__, read_line),
       "Usual cause: a missing __syncthreads() between writing and reading"},
      [&] { shift_kernel<true><<<1, 64>>>(d_x.data(), d_y.data()); },
      [&] { shift_kernel<false><<<1, 64>>>(d_x.data(), d_y.data()); });

  // Both threads are named: the one that writes a place and the one that reads it.
  cuda_emulator::set_order("forward");
  const auto found = finding_of([&] { shift_kernel<true><<<1, 64>>>(d_x.data(), d_y.data()); });
  REQUIRE(found.has_value());
  const std::string message = found->what();
  CAPTURE(message);
  CHECK(message.find("thread (32, 0, 0) of block (0, 0, 0) writes 4 bytes: tile[32]") != std::string::npos);
  CHECK(message.find("thread (0, 0, 0) of block (0, 0, 0) reads there, too, at") != std::string::npos);

  device_array<int> d_many(std::vector<int>(3 * 128, 1)), d_sums(128);
  check_found(
      finding_kind::race, {"loop_kernel", "tile[", "next round of a loop"},
      [&] { loop_kernel<true><<<1, 128>>>(d_many.data(), d_sums.data()); },
      [&] { loop_kernel<false><<<1, 128>>>(d_many.data(), d_sums.data()); });
  check_found(
      finding_kind::race, {"count_kernel", "count in shared memory"},
      [&] { count_kernel<true><<<1, 128>>>(d_sums.data()); },
      [&] { count_kernel<false><<<1, 128>>>(d_sums.data()); });
}

TEST_CASE("lanes of a warp that have not met") {
  device_array<int> d_x(std::vector<int>(32, 1)), d_y(32);
  check_found(
      finding_kind::race,
      {"warp_shift_kernel", "tile[", "Usual cause: a missing __syncthreads() between writing and reading",
       "both threads are of one warp", "__syncwarp()"},
      [&] { warp_shift_kernel<true><<<1, 32>>>(d_x.data(), d_y.data()); },
      [&] { warp_shift_kernel<false><<<1, 32>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::race, {"half_warp_kernel", "tile["},
      [&] { half_warp_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { half_warp_kernel<false><<<1, 32>>>(d_y.data()); });
  check_found(
      finding_kind::race, {"shuffled_kernel", "tile[", "__syncwarp()"},
      [&] { shuffled_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { shuffled_kernel<false><<<1, 32>>>(d_y.data()); });
}

TEST_CASE("blocks of a launch, and global memory") {
  device_array<int> d_y(256);
  check_found(
      finding_kind::race,
      {"block_race_kernel", "of block (1, 0, 0)", "of block (0, 0, 0)",
       "Usual cause: both threads computed the same index: is it different for every thread of every block?",
       "cannot wait for each other within a launch"},
      [&] { block_race_kernel<true><<<2, 64>>>(d_y.data()); },
      [&] { block_race_kernel<false><<<2, 64>>>(d_y.data()); });
  device_array<float> d_x(std::vector<float>(256, 1.0f)), d_z(256);
  check_found(
      finding_kind::race, {"in_place_kernel", "of the allocation of 1024 bytes"},
      [&] { in_place_kernel<true><<<4, 64>>>(d_x.data(), d_x.data(), 256); },
      [&] { in_place_kernel<false><<<4, 64>>>(d_x.data(), d_z.data(), 256); });
  device_array<int> d_values(std::vector<int>(64, 1)), d_sum(1);
  check_found(
      finding_kind::race, {"sum_kernel", "element [0] of the allocation of 4 bytes", "atomicAdd()"},
      [&] { sum_kernel<true><<<1, 64>>>(d_values.data(), d_sum.data()); },
      [&] { sum_kernel<false><<<3, 64>>>(d_values.data(), d_sum.data()); });
  device_array<unsigned char> d_bytes(64);
  check_found(
      finding_kind::race,
      {"bytes_kernel", "writes 1 byte",
       "Usual cause: both threads computed the same index: is it different for every thread?"},
      [&] { bytes_kernel<true><<<1, 64>>>(d_bytes.data()); },
      [&] { bytes_kernel<false><<<1, 64>>>(d_bytes.data()); });
}

// What helps is different for each kind of race, and advice that belongs to another kind leads astray.
TEST_CASE("advice for each kind of race") {
  device_array<int> d_y(256);
  const auto message_of = [](auto&& launch) {
    const auto found = finding_of(launch);
    REQUIRE(found.has_value());
    return std::string(found->what());
  };
  const auto says = [](const std::string& message, const char* words) {
    return message.find(words) != std::string::npos;
  };
  const std::string both_write = message_of([&] { same_index_kernel<true><<<1, 64>>>(d_y.data()); });
  CAPTURE(both_write);
  CHECK(says(both_write, "Usual cause: both threads computed the same index: is it different for every"));
  CHECK_FALSE(says(both_write, "Usual cause: a missing __sync"));
  CHECK_FALSE(finding_of([&] { same_index_kernel<false><<<1, 64>>>(d_y.data()); }).has_value());

  // Adding to one element reads and writes it in one line; reading what others stage does not.
  check_found(
      finding_kind::race, {"histogram_kernel", "add to the same element, use atomicAdd()"},
      [&] { histogram_kernel<true><<<1, 64>>>(d_y.data()); },
      [&] { histogram_kernel<false><<<1, 64>>>(d_y.data()); });
  device_array<float> d_x(std::vector<float>(256, 1.0f)), d_z(64);
  const std::string staged = message_of([&] { shift_kernel<true><<<1, 64>>>(d_x.data(), d_z.data()); });
  CAPTURE(staged);
  CHECK_FALSE(says(staged, "atomicAdd"));
  const std::string in_global =
      message_of([&] { in_place_kernel<true><<<1, 64>>>(d_x.data(), d_x.data(), 64); });
  CAPTURE(in_global);
  CHECK(says(in_global, "Usual cause: one thread changes what another one still reads"));
  CHECK_FALSE(says(in_global, "__syncwarp"));
  const std::string between =
      message_of([&] { in_place_kernel<true><<<256, 1>>>(d_x.data(), d_x.data(), 256); });
  CAPTURE(between);
  CHECK(says(between, "Blocks cannot wait for each other within a launch"));
  CHECK_FALSE(says(between, "__sync"));
}

TEST_CASE("launches do not race with each other") {
  device_array<int> d_y(64);
  in_all_orders([&] {
    const auto found = finding_of([&] {
      for (int i = 0; i < 20; ++i) block_race_kernel<false><<<1, 64>>>(d_y.data());
      block_race_kernel<false><<<64, 1>>>(d_y.data());
      block_race_kernel<false><<<1, 64>>>(d_y.data());
    });
    if (found) FAIL_CHECK(found->what());
  });
}

TEST_CASE("barriers that not all threads reach, or not at the same line") {
  device_array<int> d_y(64);
  check_found(
      finding_kind::divergent_barrier,
      {"divergent barrier in kernel first_and_last_kernel", "thread (0, 0, 0) of block (0, 0, 0) waits",
       "thread (50, 0, 0) of block (0, 0, 0) has already returned", "14 of 64 threads",
       "GPUs since Volta do not hang"},
      [&] { first_and_last_kernel<true><<<1, 64>>>(d_y.data()); },
      [&] { first_and_last_kernel<false><<<1, 64>>>(d_y.data()); });
  check_found(
      finding_kind::divergent_barrier,
      {"two_barriers_kernel", "thread (0, 0, 0)", "thread (32, 0, 0)", at_line(__FILE__, then_line),
       at_line(__FILE__, then_line + 3)},
      [&] { two_barriers_kernel<true><<<1, 64>>>(d_y.data()); },
      [&] { two_barriers_kernel<false><<<1, 64>>>(d_y.data()); });
}

TEST_CASE("lanes of a warp that meet at different shuffles") {
  device_array<int> d_y(32);
  check_found(
      finding_kind::divergent_shuffle,
      {"divergent shuffle in kernel shuffle_in_if_kernel", "of the same warp",
       at_line(__FILE__, first_shuffle_line), at_line(__FILE__, first_shuffle_line + 6), "shuffle first"},
      [&] { shuffle_in_if_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { shuffle_in_if_kernel<false><<<1, 32>>>(d_y.data()); });
}

TEST_CASE("no false alarm: reductions, and blocks that wait for each other by fence and ticket") {
  device_array<int> d_x(std::vector<int>(128, 2)), d_parts(128), d_y(1);
  in_all_orders([&] {
    const auto found = finding_of([&] {
      block_sum_kernel<<<1, 128>>>(d_x.data(), d_y.data());
      last_block_kernel<<<50, 32>>>(d_x.data(), d_parts.data(), d_y.data());
      ticket_kernel<<<50, 32>>>(d_parts.data());
    });
    if (found) FAIL_CHECK(found->what());
    CHECK(d_y.to_host()[0] == 100);
  });
}

TEST_CASE("a race is reported once, and a flood is counted") {
  device_array<float> d_x(std::vector<float>(64, 1.0f)), d_y(64);
  const auto found = finding_of([&] { shift_kernel<true><<<1, 64>>>(d_x.data(), d_y.data()); });
  REQUIRE(found.has_value());
  CHECK(std::string(found->what()).find("times in this launch") != std::string::npos);
}
