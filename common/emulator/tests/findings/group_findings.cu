// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Cooperative groups used wrongly: what is found, and that the message names the line of the kernel, not one
// of our headers. Each faulty kernel has a twin without the fault.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "../findings.hpp"

namespace cg = cooperative_groups;

namespace {

using kind = cuda_emulator::finding_kind;

constexpr int block_sync = __LINE__ + 4;
template <bool Faulty>
__global__ void block_sync_kernel(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  if (!Faulty || block.thread_rank() < 40) block.sync();
  if (Faulty && block.thread_rank() >= 40) cg::sync(block);
  out[block.thread_rank()] = 1;
}

constexpr int tile_sync = __LINE__ + 5;
template <bool Faulty>
__global__ void tile_sync_kernel(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned i = threadIdx.x;
  if (!Faulty || tile.thread_rank() != 3) tile.sync();
  out[i] = 1;
}

// A tree over a tile, of which a thread has returned.
constexpr int tile_shuffle = __LINE__ + 6;
template <bool Faulty>
__global__ void tile_shuffle_kernel(int size, int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  if (Faulty && static_cast<int>(threadIdx.x) >= size) return;
  int sum = 1;
  for (unsigned half = 8; half > 0; half /= 2) sum += tile.shfl_down(sum, half);
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
}

constexpr int reduce_gone = __LINE__ + 5;
template <bool Faulty>
__global__ void reduce_gone_kernel(int size, int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  if (Faulty && static_cast<int>(threadIdx.x) >= size) return;
  const int sum = cg::reduce(tile, 1, cg::plus<int>());
  if (tile.thread_rank() == 0) *out = sum;
}

constexpr int two_reductions = __LINE__ + 6;
template <bool Faulty>
__global__ void two_reductions_kernel(float* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const float x = static_cast<float>(threadIdx.x);
  float sum = 0;
  if (!Faulty || threadIdx.x % 2 == 0) sum = cg::reduce(tile, x, cg::plus<float>());
  if (Faulty && threadIdx.x % 2 == 1) sum = cg::reduce(tile, -x, cg::plus<float>());
  out[threadIdx.x] = sum;
}

constexpr int no_such_rank = __LINE__ + 6;
template <bool Faulty>
__global__ void no_such_rank_kernel(int* out) {
  out[threadIdx.x] = 0;
  if (threadIdx.x % 2 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    out[threadIdx.x] = group.shfl(1, Faulty ? 16 : 15);
  }
}

constexpr int tile_race = __LINE__ + 7;
template <bool Faulty>
__global__ void tile_race_kernel(int* out) {
  __shared__ int values[64];
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (!Faulty) tile.sync();
  out[threadIdx.x] = values[threadIdx.x ^ 3];
}

// A tile of 4 orders its own four threads and no others.
constexpr int other_tile = __LINE__ + 7;
template <bool Faulty>
__global__ void other_tile_kernel(int* out) {
  __shared__ int values[64];
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  tile.sync();
  out[threadIdx.x] = values[threadIdx.x ^ (Faulty ? 4 : 2)];
}

// Each thread uses what it would have copied itself.
constexpr int no_wait = __LINE__ + 7;
template <bool Faulty>
__global__ void no_wait_kernel(const float* x, float* y) {
  __shared__ float stage[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, stage, x, sizeof stage);
  if (!Faulty) cg::wait(block);
  y[threadIdx.x] = stage[threadIdx.x];
}

constexpr int beyond = __LINE__ + 5;
template <bool Faulty>
__global__ void beyond_kernel(const float* x, float* y) {
  __shared__ float stage[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, stage, 64, x, Faulty ? 64 : 32);
  cg::wait(block);
  if (threadIdx.x < 32) y[threadIdx.x] = stage[threadIdx.x];
}

constexpr int wide_tile = __LINE__ + 5;
template <bool Faulty>
__global__ void wide_tile_kernel(int* out) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (Faulty && threadIdx.x == 40) return;
  tile.sync();
  out[threadIdx.x] = 1;
}

constexpr int no_wide_sync = __LINE__ + 7;
template <bool Faulty>
__global__ void no_wide_sync_kernel(int* out) {
  __shared__ int values[64];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  values[threadIdx.x] = 1;
  if (!Faulty) tile.sync();
  out[threadIdx.x] = values[63 - threadIdx.x];
}

constexpr int odd_tile = __LINE__ + 3;
template <bool Faulty>
__global__ void odd_tile_kernel(int* out) {
  out[threadIdx.x] = static_cast<int>(cg::tiled_partition(cg::this_thread_block(), Faulty ? 12u : 4u).size());
}

template <class T, class Faulty, class Repaired>
void check(kind expected, int line, Faulty faulty, Repaired repaired, std::vector<std::string> words = {}) {
  device_array<T> d_out(64);
  words.push_back(at_line(__FILE__, line));
  check_found(
      expected, words, [&] { faulty(d_out.data()); }, [&] { repaired(d_out.data()); });
}

}  // namespace

TEST_CASE("barriers of groups") {
  check<int>(
      kind::divergent_barrier, block_sync, [](int* out) { block_sync_kernel<true><<<1, 64>>>(out); },
      [](int* out) { block_sync_kernel<false><<<1, 64>>>(out); }, {at_line(__FILE__, block_sync + 1)});
  check<int>(
      kind::skipped_meeting, tile_sync, [](int* out) { tile_sync_kernel<true><<<1, 64>>>(out); },
      [](int* out) { tile_sync_kernel<false><<<1, 64>>>(out); },
      {"lane 3", at_line(__FILE__, tile_sync + 1)});
}

TEST_CASE("tiles of several warps") {
  check<int>(
      kind::divergent_barrier, wide_tile, [](int* out) { wide_tile_kernel<true><<<1, 64>>>(out); },
      [](int* out) { wide_tile_kernel<false><<<1, 64>>>(out); },
      {"(40, 0, 0)", "waits for its tile at", "has already returned", "1 of 64 threads of this tile"});
  check<int>(
      kind::race, no_wide_sync, [](int* out) { no_wide_sync_kernel<true><<<1, 64>>>(out); },
      [](int* out) { no_wide_sync_kernel<false><<<1, 64>>>(out); });
}

TEST_CASE("shuffles and reductions of groups") {
  check<int>(
      kind::absent_lane, tile_shuffle, [](int* out) { tile_shuffle_kernel<true><<<1, 64>>>(59, out); },
      [](int* out) { tile_shuffle_kernel<false><<<1, 64>>>(59, out); }, {"has returned", "(59, 0, 0)"});
  check<int>(
      kind::absent_lane, reduce_gone, [](int* out) { reduce_gone_kernel<true><<<1, 32>>>(20, out); },
      [](int* out) { reduce_gone_kernel<false><<<1, 32>>>(20, out); }, {"has returned"});
  check<float>(
      kind::divergent_shuffle, two_reductions,
      [](float* out) { two_reductions_kernel<true><<<1, 32>>>(out); },
      [](float* out) { two_reductions_kernel<false><<<1, 32>>>(out); },
      {at_line(__FILE__, two_reductions + 1)});
  check<int>(
      kind::absent_lane, no_such_rank, [](int* out) { no_such_rank_kernel<true><<<1, 32>>>(out); },
      [](int* out) { no_such_rank_kernel<false><<<1, 32>>>(out); }, {"outside its mask", "0x55555555"});
}

TEST_CASE("what groups order, and what not") {
  check<int>(
      kind::race, tile_race, [](int* out) { tile_race_kernel<true><<<1, 64>>>(out); },
      [](int* out) { tile_race_kernel<false><<<1, 64>>>(out); });
  check<int>(
      kind::race, other_tile, [](int* out) { other_tile_kernel<true><<<1, 64>>>(out); },
      [](int* out) { other_tile_kernel<false><<<1, 64>>>(out); });
}

TEST_CASE("copies by a group") {
  device_array<float> d_x(64), d_short(32);
  check<float>(
      kind::asynchronous_copy, no_wait, [&](float* out) { no_wait_kernel<true><<<1, 64>>>(d_x.data(), out); },
      [&](float* out) { no_wait_kernel<false><<<1, 64>>>(d_x.data(), out); },
      {at_line(__FILE__, no_wait - 2)});
  check<float>(
      kind::out_of_bounds, beyond, [&](float* out) { beyond_kernel<true><<<1, 64>>>(d_short.data(), out); },
      [&](float* out) { beyond_kernel<false><<<1, 64>>>(d_short.data(), out); });
}

TEST_CASE("a size that no tile has") {
  check<int>(
      kind::crash, odd_tile, [](int* out) { odd_tile_kernel<true><<<1, 64>>>(out); },
      [](int* out) { odd_tile_kernel<false><<<1, 64>>>(out); }, {"tiled_partition()"});
}
