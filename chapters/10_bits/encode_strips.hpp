// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture in the memory of the host to a file on the device: its first tiles are coded while its last rows
// are still on their way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "10_bits/kernels/encode/encode_split_tiles.hpp"
#include "common/device/stream.hpp"
#include "jpeg_on_device.hpp"

namespace tutorial {

/// Rows of a picture that are copied together.
struct picture_strip {
  int begin, end;    ///< Rows of the picture.
  int end_of_tiles;  ///< The tiles before this one need no row behind the strip.
  event arrived;     ///< The copy is through.
};

/// Encodes pictures of one description with the codes of the standard: codes made for a picture would need
/// all of its pixels first.
class strip_encoder {
 public:
  /// The picture is cut into at most so many strips of about as many rows. Throws std::invalid_argument for a
  /// size that no JPEG has, for less than one strip, and for coding.optimized; cuda_error where memory is
  /// short.
  strip_encoder(const jpeg_description& picture, const jpeg_coding& coding, int strips);

  /// `pixels` are gray values or R, G, B one after the other, row by row without gaps, in page-locked
  /// memory of the host; they may be written again when `stream` has come to the end of this
  /// call. (With pageable memory the file is the same, and nothing overlaps.) Launches, and does not wait.
  /// The file and its size are as jpeg_encoder::encode() leaves them. Throws cuda_error;
  /// by then nothing reads `pixels` any more.
  void encode(const std::uint8_t* pixels, device_span<std::uint8_t> file, std::uint64_t* size,
              cudaStream_t stream = nullptr);

 private:
  void launch(const std::uint8_t* pixels, device_span<std::uint8_t> file, std::uint64_t* size,
              cudaStream_t stream);
  void split_strip(const picture_strip& rows, cudaStream_t stream);

  jpeg_description picture_;
  split_encoder encoder_;
  std::vector<picture_strip> strips_;
  device_plane<std::uint8_t> pixels_;
  device_picture components_;  ///< Of a colored picture.
  tile_input input_;
  stream copies_;
  event begun_;  ///< What came before the call has been done: pixels may be overwritten.
};

}  // namespace tutorial
