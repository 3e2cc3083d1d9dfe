// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Walks through a table in constant or global memory. The instructions are the same in every row of the
// chapter's table; only where warps and lanes begin differs.
#include <bit>
#include <stdexcept>

#include "common/device/check.hpp"
#include "constant_walks.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
constexpr int most_words = 16384;               // 64 KiB
constexpr std::size_t most_threads = 1u << 21;  // 2^16 warps, 16384 words apart at most: an int counts that

static __constant__ unsigned walk_table[most_words];

// [kernel]
/// sum over r of 31^(reads - 1 - r) table[(start + r) mod words]; words is a power of two.
__device__ unsigned walk_through(const unsigned* __restrict__ table, int words, int start, int reads) {
  unsigned sum = 0;
  for (int r = 0; r < reads; ++r) sum = 31 * sum + table[(start + r) & (words - 1)];
  return sum;
}

/// y[i] = walk_through() the table in constant memory, starting at i / 32 * warp_step + lane * lane_step.
__global__ void walk_constant_kernel(int words, int reads, int warp_step, int lane_step,
                                     unsigned* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int start = i / 32 * warp_step + i % 32 * lane_step;
  y[i] = walk_through(walk_table, words, start, reads);
}

/// The same through a table in global memory.
__global__ void walk_global_kernel(const unsigned* __restrict__ table, int words, int reads, int warp_step,
                                   int lane_step, unsigned* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int start = i / 32 * warp_step + i % 32 * lane_step;
  y[i] = walk_through(table, words, start, reads);
}
// [kernel]

void require_walk(const table_walk& walk, std::size_t threads) {
  if (walk.words < 1 || walk.words > most_words || !std::has_single_bit(unsigned(walk.words)))
    throw std::invalid_argument("walk: the words of the table must be a power of two, at most 16384");
  const auto in_table = [&](int step) { return 0 <= step && step < walk.words; };
  if (!in_table(walk.warp_step) || !in_table(walk.lane_step) || walk.reads < 0 || walk.reads > 1 << 24)
    throw std::invalid_argument("walk: a step must lie within the table, and there are 0 to 2^24 reads");
  if (threads % threads_per_block != 0 || threads > most_threads)
    throw std::invalid_argument("walk: the threads must be a multiple of 256, at most 2^21");
}

}  // namespace

void load_walk_table(device_span<const std::int32_t> table) {
  if (table.size() > most_words) throw std::invalid_argument("walk: a table has at most 16384 words");
  check(cudaMemcpyToSymbolAsync(walk_table, table.data(), table.size_bytes(), 0, cudaMemcpyDeviceToDevice));
}

void walk_constant(const table_walk& walk, device_span<std::int32_t> y) {
  require_walk(walk, y.size());
  if (y.empty()) return;
  walk_constant_kernel<<<static_cast<unsigned>(y.size() / threads_per_block), threads_per_block>>>(
      walk.words, walk.reads, walk.warp_step, walk.lane_step, wrapping_data(y));
  check(cudaGetLastError());
}

void walk_global(device_span<const std::int32_t> table, const table_walk& walk, device_span<std::int32_t> y) {
  require_walk(walk, y.size());
  if (table.size() < static_cast<std::size_t>(walk.words))
    throw std::invalid_argument("walk: the table is shorter than it says");
  if (y.empty()) return;
  walk_global_kernel<<<static_cast<unsigned>(y.size() / threads_per_block), threads_per_block>>>(
      wrapping_data(table), walk.words, walk.reads, walk.warp_step, walk.lane_step, wrapping_data(y));
  check(cudaGetLastError());
}

}  // namespace tutorial
