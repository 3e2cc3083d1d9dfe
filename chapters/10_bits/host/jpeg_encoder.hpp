// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Pixels on the device to a whole JPEG file on the device: what all versions have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "10_bits/host/code_serial.hpp"
#include "10_bits/host/jpeg_file.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// The samples of a picture, a plane for each component, the rows aligned to 8 bytes as those of a
/// device_plane: gray, or Y, Cb, Cr as split_colors() of chapter 09 makes them.
struct jpeg_planes {
  device_plane_span<const std::uint8_t> of[3];
};

/// Encodes pictures of one size with one set of tables; what it needs in device memory it has from the
/// beginning. One picture at a time: the calls of one encoder are in one stream.
class jpeg_encoder {
 public:
  virtual ~jpeg_encoder() = default;

  /// Launches in `stream` what writes the file to `file` and its length in bytes to *size, which lies in
  /// device memory; can be captured.
  /// Where the file does not fit, *size is larger than `file`, and what is in `file` is of no use. Throws
  /// std::invalid_argument for planes that do not fit the description, cuda_error for a launch that is
  /// refused.
  virtual void encode(const jpeg_planes& planes, device_span<std::uint8_t> file, std::uint64_t* size,
                      cudaStream_t stream = nullptr) = 0;
};

/// Bytes that a file of such a picture hardly ever needs more of: two for each sample, and its header.
std::size_t roomy_file_size(const jpeg_description& picture);

/// A file that an encoder has written, brought to the host; size[0] is its length. Throws std::runtime_error
/// if it does not fit in `file`.
std::vector<std::uint8_t> file_on_host(device_span<const std::uint8_t> file,
                                       const device_buffer<std::uint64_t>& size);

/// Runs the encoder, and brings the file to the host. Throws std::runtime_error if the file does not fit in
/// `file`.
std::vector<std::uint8_t> encoded_file(jpeg_encoder& encoder, const jpeg_planes& planes,
                                       device_span<std::uint8_t> file);

namespace detail {

/// Throws std::invalid_argument unless the planes have the sizes of the picture's components and aligned
/// rows.
void require_planes(const jpeg_planes& planes, const jpeg_description& picture);

}  // namespace detail

}  // namespace tutorial
