// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// JPEG files to pixels, on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/device/device_memory.hpp"
#include "common/device/plane.hpp"
#include "common/files/image.hpp"
#include "host/jpeg_header.hpp"
#include "kernels/decode/join_components.hpp"
#include "kernels/decode/scan_pieces.hpp"

namespace tutorial {

/// How readers come to agree: versions 1 and 2. Or that they need not: each has an interval of its own.
enum class reading_way { guessing, chunks, intervals };

/// Decodes files of one size, with the codes, steps and restart interval of one head. All pixels are those
/// that libjpeg makes by default.
class jpeg_decoder {
 public:
  /// Reads each scan as is fast for most of such a length, with so many markers.
  explicit jpeg_decoder(const jpeg_head& head) : jpeg_decoder(head, std::nullopt, std::nullopt) {}
  /// Scans are read so, and shared out so.
  jpeg_decoder(const jpeg_head& head, std::optional<reading_way> way, std::optional<piece_shape> shape);
  /// What is fast for most scans of such a layout and length.
  static reading_way way_for(const jpeg_head& head, std::size_t scan_bytes);
  /// The same, of chunks.
  static piece_shape shape_for(const jpeg_head& head, std::size_t scan_bytes);

  /// The coded levels, from the byte after the head to the end of the image or any place behind it, to
  /// pixels(). Launches in `stream`, and does not wait; reading_way::guessing waits in each round. The first
  /// scan that is longer than all before takes memory.
  void decode(device_span<const std::uint8_t> scan, cudaStream_t stream = nullptr);
  /// What decode() needs for scans of so many bytes it has from here on: so it can be captured.
  void reserve(std::size_t scan_bytes);
  /// Waits for the last decode() in that stream. Empty; or why pixels() is of no use: what the host has to
  /// read (why_host), readers that do not come to agree in a bounded time, or damage.
  std::string why_not(cudaStream_t stream = nullptr) const;
  /// The same from levels, of each component 64 of each block. Waits.
  void decode_levels(const std::vector<std::vector<std::int16_t>>& levels, const jpeg_head& head,
                     cudaStream_t stream = nullptr);

  /// The picture itself, of a host that has decoded it. Waits.
  void take(const image& picture, cudaStream_t stream = nullptr);

  /// Gray, or R, G, B in rows three times as wide.
  device_plane_span<const std::uint8_t> pixels() const;
  /// The same on the host. Waits.
  image picture() const;

 private:
  block_planes planes();
  void make_pixels(cudaStream_t stream);
  bool is_gray() const { return head_.of.size() == 1; }

  jpeg_head head_;
  std::optional<reading_way> way_;
  std::optional<piece_shape> shape_;
  scan_bits bits_{};
  int ac_begin_[4] = {}, ac_words_[4] = {};          // of a component
  device_buffer<std::uint32_t> tables_, ac_tables_;  // of readers; of those who read whole blocks
  scan_cleaner cleaner_;
  device_buffer<int> begins_;
  device_buffer<scan_findings> findings_;
  found_pieces found_;
  device_buffer<block_place> places_;
  device_plane<std::uint8_t> samples_[scan_layout::most_components], rgb_;
};

}  // namespace tutorial
