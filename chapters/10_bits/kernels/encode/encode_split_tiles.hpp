// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The encoder with two kernels, whose first one may be launched for a part of the tiles.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/device/device_memory.hpp"
#include "tile_encoder.hpp"

namespace tutorial {

/// What tiles behind it need of a tile.
struct tile_end {
  std::uint32_t packed;  ///< The number of its bits, and above 24 bits the last 7 of them.

  /// Its bits.
  __host__ __device__ int count() const { return int(packed & 0xffffff); }
  /// The last 7.
  __host__ __device__ unsigned tail() const { return packed >> 24; }
};

/// Codes tiles, then joins their bits; both in one stream.
class split_encoder final : public tile_encoder {
 public:
  /// As tile_encoder. There is memory for the bits of `tiles_at_once` tiles.
  split_encoder(const jpeg_description& picture, const jpeg_coding& coding,
                int tiles_at_once = most_tiles_at_once);

  /// Launches the coding of tiles first ... end - 1, behind that of all before them, and writes to the file
  /// those whose memory that takes. Throws cuda_error for a launch that is refused.
  void code_tiles(const tile_input& in, int first, int end, device_span<std::uint8_t> file,
                  std::uint64_t* size, cudaStream_t stream);
  /// Behind the coding of all tiles: writes the others, and the size, as jpeg_encoder::encode() does.
  void join_tiles(device_span<std::uint8_t> file, std::uint64_t* size, cudaStream_t stream);
  using tile_encoder::layout;

 private:
  void launch(const tile_input& in, device_span<std::uint8_t> file, std::uint64_t* size,
              cudaStream_t stream) override;

  void join(int first, int end, device_span<std::uint8_t> file, std::uint64_t* size, cudaStream_t stream);

  int at_once_;  // tiles that have a place
  device_buffer<std::uint32_t> places_;
  device_buffer<tile_end> ends_;
  tile_board_memory board_;
  tile_board board_now_{};  // of the call
};

}  // namespace tutorial
