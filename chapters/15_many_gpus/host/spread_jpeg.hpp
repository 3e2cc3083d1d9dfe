// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A JPEG file that several devices write: a restart marker behind each row of units makes rows independent.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "10_bits/jpeg_on_device.hpp"
#include "15_many_gpus/host/split.hpp"
#include "common/files/image.hpp"

namespace tutorial {

/// What one device has of a picture, and the file that it makes of that.
struct jpeg_part {
  int device;                              ///< Its number.
  sample_range rows;                       ///< Of pixels.
  device_plane<std::uint8_t> pixels = {};  ///< Of these rows: gray values, or R, G, B.
  std::unique_ptr<picture_encoder> encoder = {};
  device_buffer<std::uint8_t> file = {};
  device_buffer<std::uint64_t> size = {};  ///< One: the file's length.
};

/// Pictures of one size to files with an interval of one row of units (8 pixels high, for 4:2:0 16). Parts
/// have a multiple of 8 intervals, because markers count from 0 to 7 and begin again: each part's are those
/// of the whole file. Some parts may be empty.
class spread_jpeg {
 public:
  /// A device may be named several times. Throws std::invalid_argument without a device and for a size that
  /// no JPEG has, cuda_error where memory is short.
  spread_jpeg(const jpeg_description& picture, std::span<const int> devices);

  /// How each device's file, and the whole one, is coded.
  jpeg_coding coding() const { return coding_; }
  /// Each device its rows. std::invalid_argument for another size. Waits.
  void bring(const image& picture);
  /// All devices make files of their rows: chapter 10's encoder, so many times. Waits.
  void encode(int times = 1);
  /// The pieces joined: byte for byte the file that one device makes of the picture. Throws
  /// std::runtime_error for a piece that did not fit into its memory.
  std::vector<std::uint8_t> file() const;

 private:
  jpeg_description picture_;
  jpeg_coding coding_;
  std::vector<jpeg_part> parts_;
};

}  // namespace tutorial
