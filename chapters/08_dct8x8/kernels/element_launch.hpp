// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Launches with a thread for each element of a plane, and which sizes they take.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "08_dct8x8/host/dct_sizes.hpp"
#include "common/device/ceil_div.hpp"

namespace tutorial::detail {

/// A warp takes 32 neighbors of a row.
constexpr int element_columns = 32, element_rows = 8;

inline dim3 element_grid(int width, int height) {
  return dim3(unsigned(ceil_div(width, element_columns)), unsigned(ceil_div(height, element_rows)));
}

/// Throws std::invalid_argument unless both planes have one size, which a grid can cover.
template <class A, class B>
void require_same_size(const A& a, const B& b, const std::string& what) {
  constexpr int most_rows = element_rows * 65535;
  if (a.width() < 1 || a.width() > most_columns || a.height() < 1 || a.height() > most_rows ||
      a.width() != b.width() || a.height() != b.height())
    throw std::invalid_argument(what + ": from " + std::to_string(a.width()) + " x " +
                                std::to_string(a.height()) + " to " + std::to_string(b.width()) + " x " +
                                std::to_string(b.height()) + " (both must have the same size, 1 to " +
                                std::to_string(most_columns) + " columns and 1 to " +
                                std::to_string(most_rows) + " rows)");
}

/// Throws std::invalid_argument unless it is made of whole 8x8 blocks.
template <class A>
void require_whole_blocks(const A& plane, const std::string& what) {
  if (plane.width() % 8 != 0 || plane.height() % 8 != 0)
    throw std::invalid_argument(what + ": " + std::to_string(plane.width()) + " x " +
                                std::to_string(plane.height()) + " are not whole 8x8 blocks");
}

}  // namespace tutorial::detail
