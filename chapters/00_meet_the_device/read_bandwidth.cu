// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The opposite of the pointer chase: many threads, and loads that do not wait for one another.
#include "read_bandwidth.hpp"

#include <bit>
#include <stdexcept>

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
constexpr std::size_t most_staged =
    1024;  // vectors: 16 KiB a block, so that a multiprocessor is full of blocks

// [kernel]
/// The sum of the words of table[(i + r * step) & mask], r = 0 .. reads - 1. Neighboring threads read
/// neighboring vectors, and a load's address does not depend on what another one brings.
__device__ std::uint32_t sum_of_reads(const uint4* __restrict__ table, std::uint32_t i, std::uint32_t mask,
                                      std::uint32_t step, int reads) {
  std::uint32_t sum = 0;
#pragma unroll 8
  for (int r = 0; r < reads; ++r, i += step) {
    const uint4 four = table[i & mask];
    sum += four.x + four.y + four.z + four.w;
  }
  return sum;
}

/// sums[i] = what thread i of the grid reads of the table of mask + 1 vectors in global memory.
__global__ void __launch_bounds__(threads_per_block)
    read_table_kernel(const uint4* __restrict__ table, std::uint32_t mask, std::uint32_t step, int reads,
                      std::uint32_t* __restrict__ sums) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[i] = sum_of_reads(table, i, mask, step, reads);
}

/// The same from a copy that each block stages, at most most_staged vectors: thread i of a block reads as
/// thread i of the grid above.
__global__ void __launch_bounds__(threads_per_block)
    read_shared_kernel(const uint4* __restrict__ table, std::uint32_t mask, std::uint32_t step, int reads,
                       std::uint32_t* __restrict__ sums) {
  __shared__ uint4 staged[most_staged];
  for (std::uint32_t i = threadIdx.x; i <= mask; i += blockDim.x) staged[i] = table[i];
  __syncthreads();  // every vector is written before any thread reads it
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum_of_reads(staged, threadIdx.x, mask, step, reads);
}
// [kernel]

/// Every multiply-add takes three registers: a, b and the sum. As in a tile of registers, each a and each b
/// serves four sums.
__global__ void __launch_bounds__(threads_per_block)
    read_registers_kernel(const float* __restrict__ x, int size, int rounds, float* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[4], b[4], sum[4][4] = {};
#pragma unroll
  for (int p = 0; p < 4; ++p) {
    a[p] = x[(i + p) % size];
    b[p] = x[(i + 4 + p) % size];
  }
#pragma unroll 8
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int p = 0; p < 4; ++p) {
#pragma unroll
      for (int q = 0; q < 4; ++q) sum[p][q] = fmaf(a[p], b[q], sum[p][q]);
    }
  }
  float total = 0;
#pragma unroll
  for (int p = 0; p < 4; ++p) {
#pragma unroll
    for (int q = 0; q < 4; ++q) total += sum[p][q];
  }
  y[i] = total;
}

unsigned blocks_for(std::size_t threads) {
  if (threads % threads_per_block != 0 || threads > std::size_t{1} << 24)
    throw std::invalid_argument("read: the threads must be a multiple of 256, at most 2^24");
  return static_cast<unsigned>(threads / threads_per_block);
}

/// n - 1, which as a mask is the remainder of a division by n.
std::uint32_t mask_of(device_span<const uint4> table, table_reads which, std::size_t most_vectors) {
  if (!std::has_single_bit(table.size()) || table.size() > most_vectors)
    throw std::invalid_argument("read: the table's length must be a power of two, and not too large");
  if (which.reads < 0 || which.reads > 1 << 20)
    throw std::invalid_argument("read: there are 0 to 2^20 reads");
  return static_cast<std::uint32_t>(table.size() - 1);
}

}  // namespace

void read_table(device_span<const uint4> table, table_reads which, device_span<std::uint32_t> sums) {
  const std::uint32_t mask = mask_of(table, which, std::size_t{1} << 31);
  const unsigned blocks = blocks_for(sums.size());
  if (blocks == 0) return;
  read_table_kernel<<<blocks, threads_per_block>>>(table.data(), mask, which.step, which.reads, sums.data());
  check(cudaGetLastError());
}

void read_shared(device_span<const uint4> table, table_reads which, device_span<std::uint32_t> sums) {
  const std::uint32_t mask = mask_of(table, which, most_staged);
  const unsigned blocks = blocks_for(sums.size());
  if (blocks == 0) return;
  read_shared_kernel<<<blocks, threads_per_block>>>(table.data(), mask, which.step, which.reads, sums.data());
  check(cudaGetLastError());
}

void read_registers(device_span<const float> x, int rounds, device_span<float> y) {
  if (x.empty() || x.size() > std::size_t{1} << 30 || rounds < 0)
    throw std::invalid_argument(
        "read: the table has 1 to 2^30 elements, and there are no fewer than 0 rounds");
  const unsigned blocks = blocks_for(y.size());
  if (blocks == 0) return;
  read_registers_kernel<<<blocks, threads_per_block>>>(x.data(), static_cast<int>(x.size()), rounds,
                                                       y.data());
  check(cudaGetLastError());
}

}  // namespace tutorial
