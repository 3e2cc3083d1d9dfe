// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The lesson's third walk, "each lane elsewhere", with one warp and one read of a table in constant memory.
// Run with a trace, it becomes a picture of this folder (docs/write/redraw).
#include "../constant_walks.cu"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  constexpr int words = 32, reads = 1;
  load_walk_table(device_buffer<std::int32_t>(std::vector<std::int32_t>(words, 1)).span());
  device_buffer<unsigned> y(32);
  walk_constant_kernel<<<1, 32>>>(words, reads, 0, 1, y.data());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
