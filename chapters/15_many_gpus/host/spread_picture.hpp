// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture in parts of whole rows of 8x8 blocks, on several devices: blocks need nothing from each other,
// so there is no exchange.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "09_dct_compression/host/quantization.hpp"
#include "15_many_gpus/host/split.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// What one device has of a picture.
struct picture_part {
  int device;                              ///< Its number.
  sample_range rows;                       ///< Of pixels.
  device_plane<std::uint8_t> pixels = {};  ///< Of these rows.
  device_plane<std::int16_t> levels = {};  ///< Likewise.
};

/// One channel of a picture and its levels. Part p has the rows of blocks [p R / parts, (p + 1) R / parts) of
/// R, so parts differ by 8 rows of pixels at most; some may be empty.
class spread_picture {
 public:
  /// A device may be named several times. Throws std::invalid_argument without a device or a pixel,
  /// cuda_error where memory is short.
  spread_picture(int width, int height, std::span<const int> devices);

  /// Each device its rows. std::invalid_argument for another size. Waits.
  void bring(const plane<std::uint8_t>& pixels);
  /// All devices make the levels of their rows: chapter 09's encode_fused(), so many times. Waits.
  void encode(const quantization_table& steps, int times = 1);
  /// All devices make pixels of their levels again: chapter 09's decode_fused(). Waits.
  void decode(const quantization_table& steps);
  /// The levels, padded(width) x padded(height).
  plane<std::int16_t> levels() const;
  /// The pixels.
  plane<std::uint8_t> pixels() const;

 private:
  void wait() const;

  int width_, height_;
  std::vector<picture_part> parts_;
};

}  // namespace tutorial
