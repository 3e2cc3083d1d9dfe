// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: what stands in a JPEG file for the levels of an 8x8 block, before each symbol gets its code.
#include "runs.hpp"

#include "09_dct_compression/host/quantization.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 64;
__constant__ std::uint8_t path[64];  // path[i] = 8 * v + u of the i-th level in zig-zag order

/// The symbols of the 8x8 block b at symbols[63 * b], and how many there are; one thread per 8x8 block.
__global__ void run_symbols_kernel(const std::int16_t* __restrict__ levels, int pitch,  // in levels
                                   int blocks_per_row, int blocks,                      // 8x8 blocks
                                   std::uint8_t* __restrict__ symbols, int* __restrict__ counts) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= blocks) return;
  // levels[(8 * row of blocks + v) * pitch + 8 * column of blocks + u]
  const std::int16_t* const first = levels + b / blocks_per_row * 8 * pitch + b % blocks_per_row * 8;
  std::uint8_t* const symbol = symbols + 63 * b;
  int count = 0, run = 0;
  // SOLUTION: three things are missing: the order, runs that do not fit, and the end (about 9 lines)
  // STARTER: for (int i = 1; i < 64; ++i) {
  // STARTER:   const int level = first[i / 8 * pitch + i % 8];
  // STARTER:   if (level != 0) {
  // STARTER:     symbol[count++] = std::uint8_t(16 * run + 32 - __clz(abs(level)));
  // STARTER:     run = 0;
  // STARTER:   } else {
  // STARTER:     ++run;
  // STARTER:   }
  // STARTER: }
  for (int i = 1; i < 64; ++i) {
    const int place = path[i];
    const int level = first[place / 8 * pitch + place % 8];
    if (level != 0) {
      for (; run > 15; run -= 16) symbol[count++] = 0xF0;
      symbol[count++] = std::uint8_t(16 * run + 32 - __clz(abs(level)));
      run = 0;
    } else {
      ++run;
    }
  }
  if (run > 0) symbol[count++] = 0x00;
  // END SOLUTION
  counts[b] = count;
}

}  // namespace

void run_symbols(device_plane_span<const std::int16_t> levels, device_span<std::uint8_t> symbols,
                 device_span<int> counts) {
  check(cudaMemcpyToSymbol(path, zigzag_order().data(), sizeof path));
  const int blocks = int(counts.size());
  run_symbols_kernel<<<(blocks + threads_per_block - 1) / threads_per_block, threads_per_block>>>(
      levels.data(), int(levels.pitch() / sizeof(std::int16_t)), levels.width() / 8, blocks, symbols.data(),
      counts.data());
  check(cudaGetLastError());
}

}  // namespace tutorial
