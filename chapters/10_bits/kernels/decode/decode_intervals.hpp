// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// A JPEG file with restart markers to pixels, on the device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "10_bits/host/jpeg_header.hpp"
#include "clean_scan.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// The shared memory that a block can have, in bytes: 227 KiB on an H200, 64 KiB to 227 KiB elsewhere.
std::size_t most_shared_bytes();
/// What CUDA would give it now, in bytes: all of that once a decoder has worked.
std::size_t granted_shared_bytes();

/// Decodes files of one size, with the codes, steps and restart interval of one head.
class jpeg_decoder {
 public:
  /// A block takes at most so many bytes of shared memory; the fewer, the fewer warps it has, 4 to 1. Throws
  /// jpeg_refused for a file without restart markers, whose blocks can be found only one after the other, and
  /// for codes whose tables do not fit.
  explicit jpeg_decoder(const jpeg_head& head, std::size_t shared_limit = most_shared_bytes());

  /// The coded levels, from the byte after the head to the end of the file, to the samples of each component,
  /// which are then in samples(). Waits, once. All memory is there before the first call, but for what a
  /// scan longer than all before it takes. Throws jpeg_refused for levels that are damaged or end too
  /// early; the samples are then of no use.
  void decode(device_span<const std::uint8_t> scan);
  /// Of component c; as decode() left it.
  device_plane_span<const std::uint8_t> samples(int c) const { return samples_[c]; }

 private:
  std::size_t shared_bytes() const;  // of a block

  jpeg_head head_;
  device_buffer<std::uint32_t> tables_;  // the zig-zag path, then the codes
  unsigned dc_at_[2], ac_at_[2];         // where they begin
  int warps_;                            // of a block
  scan_cleaner cleaner_;
  device_buffer<int> begins_;
  device_buffer<scan_findings> findings_;
  device_plane<std::int16_t> levels_[3];
  device_plane<std::uint8_t> samples_[3];
};

}  // namespace tutorial
