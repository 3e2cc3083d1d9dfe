// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace tutorial {

/// Where an element of a matrix is in mma.sync.m16n8k16: the lane, its register, and of a register with two
/// numbers of 16 bits which of them, 0 for the lower half. Sums fill a register each: half is 0.
struct place_in_warp {
  int lane, reg, half;
};

/// Where element (row, k) of a is; 0 <= row < 16, 0 <= k < 16. a has four registers a lane.
place_in_warp place_of_a(int row, int k);
/// Where element (k, column) of b is; 0 <= k < 16, 0 <= column < 8. b has two registers a lane.
place_in_warp place_of_b(int k, int column);
/// Where element (row, column) of the sums is; 0 <= row < 16, 0 <= column < 8. They have four registers a
/// lane.
place_in_warp place_of_sum(int row, int column);

/// Given: what a warp makes of these registers. sums[lane][reg] = what mma.sync leaves there, from zeros on.
std::array<std::array<float, 4>, 32> product_of_registers(
    const std::array<std::array<std::uint32_t, 4>, 32>& a,
    const std::array<std::array<std::uint32_t, 2>, 32>& b);

}  // namespace tutorial
