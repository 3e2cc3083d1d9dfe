// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What the encoders that work by tiles have in common on the host.
#pragma once

#include "10_bits/host/coding_tables.hpp"
#include "10_bits/host/jpeg_encoder.hpp"
#include "common/device/device_memory.hpp"
#include "tile_input.hpp"
#include "tiles.hpp"

namespace tutorial {

/// What tiles (or whoever joins them) tell each other. In device memory; a call leaves it as it is.
struct tile_board {
  unsigned long long* words;  ///< One for each; look_back.cuh says what is in it.
  unsigned* next;             ///< How many have begun since the board was made.
  unsigned first_ticket;      ///< How many had, before this call.
  unsigned call;              ///< 1 to 65535: which call.
};

/// So many tiles have memory for their bits at a time; launch after launch of a larger picture uses it.
inline constexpr int most_tiles_at_once = 8192;

/// A board, and the numbers that change from call to call.
class tile_board_memory {
 public:
  /// For so many tiles, or whoever joins them.
  explicit tile_board_memory(int members);
  /// How many it is for.
  int members() const { return int(words_.size()); }
  /// For the next call, in which all of them draw a ticket.
  tile_board next_call() { return next_call(members()); }
  /// Likewise, but only the first `drawing` of them.
  tile_board next_call(int drawing);
  /// The launch with that board has succeeded. Where nobody says so, whether tickets were drawn is unknown,
  /// and the next call has a board as at first.
  void was_launched() { is_known_ = true; }

 private:
  device_buffer<unsigned long long> words_;
  device_buffer<unsigned> next_;
  unsigned call_ = 0, tickets_ = 0;
  bool is_known_ = false;
};

/// Finds the codes, if they are to be made for the picture; then leaves it to launch() to code the tiles.
class tile_encoder : public jpeg_encoder {
 public:
  /// Throws std::invalid_argument as scan_layout_of() does, and for codes to be made for a picture in which a
  /// symbol can occur more often than most_counted; cuda_error where memory is short.
  tile_encoder(const jpeg_description& picture, const jpeg_coding& coding);
  /// See jpeg_encoder.
  void encode(const jpeg_planes& planes, device_span<std::uint8_t> file, std::uint64_t* size) final;

 protected:
  const tile_layout& layout() const { return layout_; }
  const device_coding* coding() const { return coding_.data(); }
  virtual void launch(const tile_input& in, device_span<std::uint8_t> file, std::uint64_t* size) = 0;

 private:
  jpeg_description picture_;
  bool optimized_;
  tile_layout layout_;
  device_buffer<device_coding> coding_;
  device_buffer<std::uint32_t> counts_;  // of symbols, where codes are made for the picture
};

}  // namespace tutorial
