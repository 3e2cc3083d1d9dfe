// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the versions ask of the sizes they are given.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "08_dct8x8/host/dct_serial.hpp"

namespace tutorial::detail {

/// The most columns, whole 8x8 blocks: the columns of the last block's threads, and of the vectors that they
/// move, are counted in int, too.
constexpr int most_columns = std::numeric_limits<int>::max() - 511;

/// Throws std::invalid_argument unless there are as many coefficients as whole 8x8 blocks have.
inline void require_padded(int width, int height, int coefficients_width, int coefficients_height) {
  if (coefficients_width != padded(width) || coefficients_height != padded(height))
    throw std::invalid_argument(
        "8x8 DCT: " + std::to_string(width) + " x " + std::to_string(height) + " pixels have " +
        std::to_string(padded(width)) + " x " + std::to_string(padded(height)) + " coefficients, not " +
        std::to_string(coefficients_width) + " x " + std::to_string(coefficients_height));
}

/// Throws std::invalid_argument with what is wrong: the sizes that the device's versions take.
inline void require_dct_sizes(int width, int height, int coefficients_width, int coefficients_height) {
  constexpr int most_rows = 8 * 65535;  // a grid has at most 65535 blocks in y
  if (width < 1 || height < 1 || width > most_columns || height > most_rows)
    throw std::invalid_argument("8x8 DCT: " + std::to_string(width) + " x " + std::to_string(height) +
                                " pixels: there must be at least 1 and at most " +
                                std::to_string(most_columns) + " columns and " + std::to_string(most_rows) +
                                " rows");
  require_padded(width, height, coefficients_width, coefficients_height);
}

/// Elements from one row to the next.
template <class Span>
std::int64_t pitch_in_elements(const Span& span) {
  const std::size_t element = sizeof(*span.data());
  if (span.pitch() % element != 0 || span.pitch() / element < std::size_t(span.width()))
    throw std::invalid_argument("8x8 DCT: a pitch of " + std::to_string(span.pitch()) + " bytes for " +
                                std::to_string(span.width()) + " values of " + std::to_string(element));
  return static_cast<std::int64_t>(span.pitch() / element);
}

}  // namespace tutorial::detail
