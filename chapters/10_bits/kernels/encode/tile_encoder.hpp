// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the encoders that work by tiles have in common on the host.
#pragma once

#include "10_bits/host/coding_tables.hpp"
#include "10_bits/host/jpeg_encoder.hpp"
#include "common/device/device_memory.hpp"
#include "tile_input.hpp"
#include "tiles.hpp"

namespace tutorial {

/// What tiles (or whoever joins them) tell each other of two sums. In device memory, and which call it is,
/// too: so a call can be recorded, and run again and again.
struct tile_board {
  unsigned long long* words[2];  ///< Of each sum one for each member; look_back.cuh says what is in it.
  int members;
  unsigned long long* drawn;  ///< How many have begun in this call; from bit 32 on: the calls before.
};

/// So many tiles have memory for their bits at a time; launch after launch of a larger picture uses it.
inline constexpr int most_tiles_at_once = 8192;

/// A board, and its memory.
class tile_board_memory {
 public:
  /// For so many tiles, or whoever joins them. Waits.
  explicit tile_board_memory(int members);
  /// How many it is for.
  int members() const { return int((words_.size() - 1) / 2); }
  /// For a call, in which all of them draw a ticket, and which launches in that stream.
  tile_board next_call(cudaStream_t stream);
  /// All launches with that board have succeeded. Where nobody says so, whether tickets were drawn is
  /// unknown, and the next call has a board as at first.
  void was_launched() { is_known_ = true; }

 private:
  device_buffer<unsigned long long> words_;  // of both sums, and `drawn`
  bool is_known_ = true;
};

/// Finds the codes, if they are to be made for the picture; then leaves it to launch() to code the tiles.
class tile_encoder : public jpeg_encoder {
 public:
  /// Throws std::invalid_argument as scan_layout_of() does, and for codes to be made for a picture in which a
  /// symbol can occur more often than most_counted; cuda_error where memory is short.
  tile_encoder(const jpeg_description& picture, const jpeg_coding& coding);
  /// See jpeg_encoder.
  void encode(const jpeg_planes& planes, device_span<std::uint8_t> file, std::uint64_t* size,
              cudaStream_t stream = nullptr) final;

 protected:
  const tile_layout& layout() const { return layout_; }
  const device_coding* coding() const { return coding_.data(); }
  bool is_optimized() const { return optimized_; }
  virtual void launch(const tile_input& in, device_span<std::uint8_t> file, std::uint64_t* size,
                      cudaStream_t stream) = 0;

 private:
  jpeg_description picture_;
  bool optimized_;
  tile_layout layout_;
  device_buffer<device_coding> coding_;
  device_buffer<std::uint32_t> counts_;  // of symbols, where codes are made for the picture
};

}  // namespace tutorial
