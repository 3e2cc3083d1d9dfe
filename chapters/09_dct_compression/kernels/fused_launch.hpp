// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the fused kernels have in common on the host: a thread for each 8x8 block, and what they ask of the
// planes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/host/dct_sizes.hpp"
#include "common/device/plane.hpp"

namespace tutorial::detail {

/// A warp takes 32 neighbors of a row of 8x8 blocks, so that its words lie side by side.
constexpr int fused_columns = 32;

/// The grid for pixels of that size and blocks of fused_columns x rows threads. Throws std::invalid_argument
/// where it would have more rows than a grid may have.
inline dim3 fused_grid(int width, int height, int rows) {
  constexpr int most_rows = 8 * 65535;  // that of the other steps, too
  if (height > most_rows)
    throw std::invalid_argument("a plane of " + std::to_string(height) + " rows: at most " +
                                std::to_string(most_rows));
  return dim3(unsigned(padded(width) / 8 + fused_columns - 1) / fused_columns,
              unsigned(padded(height) / 8 + rows - 1) / unsigned(rows));
}

/// Throws std::invalid_argument unless every row begins at a multiple of `bytes`, as cudaMallocPitch() makes
/// them.
template <class T>
void require_aligned_rows(device_plane_span<T> plane, std::size_t bytes, const std::string& name) {
  if (reinterpret_cast<std::uintptr_t>(plane.data()) % bytes != 0 || plane.pitch() % bytes != 0)
    throw std::invalid_argument(name + ": its rows do not begin at multiples of " + std::to_string(bytes) +
                                " bytes");
}

/// Throws std::invalid_argument unless `plane` is width x height, both at least 1, not more than most_columns
/// wide, and its rows have room for them.
template <class T>
void require_size(device_plane_span<T> plane, int width, int height, const std::string& name) {
  if (width > most_columns)
    throw std::invalid_argument(name + " is " + std::to_string(width) + " wide: at most " +
                                std::to_string(most_columns));
  if (width < 1 || height < 1 || plane.width() != width || plane.height() != height)
    throw std::invalid_argument(name + " is " + std::to_string(plane.width()) + " x " +
                                std::to_string(plane.height()) + " where " + std::to_string(width) + " x " +
                                std::to_string(height) + " are wanted");
  if (plane.pitch() < std::size_t(width) * sizeof(T))
    throw std::invalid_argument(name + ": rows of " + std::to_string(plane.pitch()) + " bytes are too short");
}

}  // namespace tutorial::detail
