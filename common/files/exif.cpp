// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "exif.hpp"

#include <algorithm>
#include <cstddef>

namespace tutorial::detail {
namespace {

// EXIF is a TIFF: numbers in one of two byte orders, and places counted from its beginning.
class tiff {
 public:
  explicit tiff(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    if (bytes.size() >= 2 && bytes[0] == bytes[1] && (bytes[0] == 'I' || bytes[0] == 'M')) order_ = bytes[0];
  }

  /// `count` bytes at `at` as a number; 0 beyond the end.
  std::uint32_t number(std::size_t at, std::size_t count) const {
    if (order_ == 0 || at > bytes_.size() || bytes_.size() - at < count) return 0;
    std::uint32_t value = 0;
    for (std::size_t n = 0; n < count; ++n)
      value = value << 8 | bytes_[at + (order_ == 'M' ? n : count - 1 - n)];
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::uint8_t order_ = 0;
};

}  // namespace

int exif_orientation(std::span<const std::uint8_t> segment) {
  constexpr std::uint8_t name[] = {'E', 'x', 'i', 'f', 0, 0};
  const bool named =
      segment.size() >= sizeof name && std::equal(std::begin(name), std::end(name), segment.begin());
  const tiff exif(segment.subspan(named ? sizeof name : 0));
  if (exif.number(2, 2) != 42) return 1;
  const std::size_t directory = exif.number(4, 4);
  const std::uint32_t entries = exif.number(directory, 2);
  for (std::uint32_t n = 0; n < entries; ++n) {
    const std::size_t entry = directory + 2 + std::size_t(12) * n;
    if (exif.number(entry, 2) != 274) continue;
    const bool one_short = exif.number(entry + 2, 2) == 3 && exif.number(entry + 4, 4) == 1;
    const std::uint32_t orientation = exif.number(entry + 8, 2);
    return one_short && orientation >= 1 && orientation <= 8 ? int(orientation) : 1;
  }
  return 1;
}

image upright(image stored, int orientation) {
  if (orientation == 1) return stored;
  // Stored row 0 is at a side, not above or below, where rows become columns: from 5 on.
  const bool turned = orientation >= 5;
  const bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  image result(turned ? stored.height() : stored.width(), turned ? stored.width() : stored.height(),
               stored.channels());
  for (int row = 0; row < result.height(); ++row)
    for (int col = 0; col < result.width(); ++col) {
      const int stored_row = turned ? col : row, stored_col = turned ? row : col;
      for (int c = 0; c < result.channels(); ++c)
        result.at(row, col, c) = stored.at(from_below ? stored.height() - 1 - stored_row : stored_row,
                                           from_right ? stored.width() - 1 - stored_col : stored_col, c);
    }
  return result;
}

}  // namespace tutorial::detail
