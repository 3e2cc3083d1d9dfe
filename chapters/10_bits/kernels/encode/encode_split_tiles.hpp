// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The encoder with two kernels, whose first one may be launched for a part of the tiles.
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"
#include "tile_encoder.hpp"

namespace tutorial {

/// Codes tiles, then joins their bits; both in the default stream.
class split_encoder final : public tile_encoder {
 public:
  /// As tile_encoder.
  split_encoder(const jpeg_description& picture, const jpeg_coding& coding);

  /// Launches the coding of tiles first ... end - 1. Throws cuda_error for a launch that is refused.
  void code_tiles(const tile_input& in, int first, int end);
  /// Behind the coding of all tiles: writes the file and its size, as jpeg_encoder::encode() does.
  void join_tiles(device_span<std::uint8_t> file, std::uint64_t* size);
  using tile_encoder::layout;

 private:
  void launch(const tile_input& in, device_span<std::uint8_t> file, std::uint64_t* size) override;

  device_buffer<std::uint32_t> places_;
  device_buffer<int> counts_;
  int joins_;
  tile_board_memory board_;
};

}  // namespace tutorial
