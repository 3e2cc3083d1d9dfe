// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The bits of a tile meet: the scan and the packing of tile_code.cuh, with codes that are there already. It
// becomes the lesson's page of steps (docs/book/pages_of_steps.txt).
#include <cstdint>
#include <vector>

#include "10_bits/kernels/encode/tile_code.cuh"
#include "common/device/device_memory.hpp"

namespace {

using namespace tutorial;

constexpr int most_words = 64;

/// codes[t] holds lengths[t] bits, at the top.
__global__ void pack_tile_kernel(const int* lengths, const std::uint32_t* codes, std::uint32_t* file) {
  __shared__ std::uint32_t words[most_words];
  __shared__ int warp_sums[blocks_in_tile / 32];
  const int t = threadIdx.x, length = lengths[t];
  int bits;  // set by sum_before()
  const int begin = sum_before(length, bits, warp_sums);
  if (t < most_words) words[t] = 0;
  __syncthreads();  // zeros before the first bit
  or_into(words, unsigned(begin), codes[t]);
  __syncthreads();  // all bits are there
  if (32 * t < bits) file[t] = words[t];
}

}  // namespace

int main() {
  std::vector<int> lengths;
  std::vector<std::uint32_t> codes;
  for (int t = 0; t < blocks_in_tile; ++t) {
    lengths.push_back(2 + 7 * t % 13);  // 2 to 14 bits
    codes.push_back(0xB5A3C96Eu << (32 - lengths.back()));
  }
  const device_buffer<int> d_lengths(lengths);
  const device_buffer<std::uint32_t> d_codes(codes);
  device_buffer<std::uint32_t> file(most_words);
  pack_tile_kernel<<<1, blocks_in_tile>>>(d_lengths.data(), d_codes.data(), file.data());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
