// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: which lane of a warp holds an element of a matrix, and in which of its registers.
#include <vector>

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "who_holds_it.hpp"

namespace tutorial {

place_in_warp place_of_a(int row, int k) {
  // TODO: four lanes per row of the upper half, pairs along k (about 1 line)
  return {row % 16, k / 8, k % 2};
}

place_in_warp place_of_b(int k, int column) {
  // TODO: four lanes per column, pairs along k (about 1 line)
  return {column, k / 8, k % 2};
}

place_in_warp place_of_sum(int row, int column) {
  // TODO: four lanes per row of the upper half, two neighbors each (about 1 line)
  return {row, column % 4, 0};
}

namespace {

/// One mma.sync with the registers in memory, those of a lane side by side.
__global__ void product_of_registers_kernel(const std::uint32_t* a, const std::uint32_t* b, float* sums) {
  const std::uint32_t* const mine = a + 4 * threadIdx.x;
  float c[4] = {};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(mine[0]), "r"(mine[1]), "r"(mine[2]), "r"(mine[3]), "r"(b[2 * threadIdx.x]),
        "r"(b[2 * threadIdx.x + 1]));
  for (int i = 0; i < 4; ++i) sums[4 * threadIdx.x + i] = c[i];
}

/// The registers of all lanes, in device memory.
template <std::size_t Registers>
device_buffer<std::uint32_t> on_device(const std::array<std::array<std::uint32_t, Registers>, 32>& all) {
  std::vector<std::uint32_t> words;
  for (const auto& each : all) words.insert(words.end(), each.begin(), each.end());
  return device_buffer<std::uint32_t>(words);
}

}  // namespace

std::array<std::array<float, 4>, 32> product_of_registers(
    const std::array<std::array<std::uint32_t, 4>, 32>& a,
    const std::array<std::array<std::uint32_t, 2>, 32>& b) {
  const device_buffer<std::uint32_t> d_a = on_device(a), d_b = on_device(b);
  device_buffer<float> d_sums(128);
  product_of_registers_kernel<<<1, 32>>>(d_a.data(), d_b.data(), d_sums.data());
  check(cudaGetLastError());
  const std::vector<float> sums = d_sums.to_host();
  std::array<std::array<float, 4>, 32> result;
  for (std::size_t i = 0; i < 128; ++i) result[i / 4][i % 4] = sums[i];
  return result;
}

}  // namespace tutorial
