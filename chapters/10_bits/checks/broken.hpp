// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A coder for small pictures, and readers of what it writes, wrong on purpose, with one mistake each. The
// checks must refuse every one.
#pragma once

#include <cstdint>
#include <vector>

#include "09_dct_compression/host/compressed_picture.hpp"
#include "common/verify/mistakes.hpp"

namespace tutorial::broken {

enum class bits_mistake {
  none,  ///< As it should be: the checks must accept it.
  // Wrong in the file, on every device:
  carry_lost,       ///< A code that crosses the end of a word loses its second part.
  not_stuffed,      ///< Writes no 0 after 0xFF.
  wrong_neighbor,   ///< The DC is predicted from the block before the previous one.
  prediction_kept,  ///< The prediction is not reset to 0 after a marker.
  run_of_16,        ///< A run of 16 zeros or more loses what is above 15.
  marker_number,    ///< Marker numbers continue after 7 instead of starting again at 0.
  zeros_fill,       ///< Zeros fill the last byte of an interval.
  negative_extra,   ///< The extra bits of a negative level are its own low bits.
  // Wrong in a way that a file may or may not show:
  no_atomic,         ///< Neighbors write into one word without atomicOr.
  scan_not_awaited,  ///< Codes are placed before all lengths are added up.
};

/// Of readers of pieces, which meet in shared memory.
enum class reading_mistake {
  none,              ///< As it should be: the checks must accept it.
  guess_kept,        ///< A piece begins where it was guessed to, wherever the one before it ends.
  counted_before,    ///< A block counts itself among those before it: all are one late.
  ends_not_awaited,  ///< Looks at its neighbor's end while the neighbor may still write it.
  no_words_behind,   ///< Nothing is behind the last bit, where the reader's window looks.
};

/// The coded levels of a gray picture of at most 128 8x8 blocks, with a restart marker every `interval`
/// blocks (0: none): what code_serial() makes, but for the mistake.
std::vector<std::uint8_t> code_levels(bits_mistake made, const compressed_picture& picture, int interval);

/// Those that the chapter's program shows.
std::vector<shown_mistake> shown_bits_mistakes();

/// Runs that coder once, and returns how many bytes are wrong or missing: on the emulated device a finding
/// ends the program before that.
std::size_t wrong_bytes(bits_mistake made);
/// The same with readers, and how many blocks' DCs are wrong.
std::size_t wrong_blocks(reading_mistake made);

}  // namespace tutorial::broken
