// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Huffman codes as kernels want them: one look-up for a word and the bits behind it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "10_bits/host/block_symbols.hpp"
#include "10_bits/host/jpeg_file.hpp"

namespace tutorial {

/// Up to 27 bits at the top of a word, and how many there are in its low 5 bits. A Huffman word has at most
/// 16 bits, and at most 11 follow it.
struct coded_bits {
  std::uint32_t packed;

  /// The bits, at the top; below them zeros.
  __host__ __device__ std::uint32_t bits() const { return packed & ~31u; }
  /// How many there are, 0 to 27.
  __host__ __device__ int length() const { return int(packed & 31u); }
};

/// The codes of one class of components, [0] brightness or [1] colors. Entries of symbols that have no word
/// are 0.
struct alignas(16) class_tables {
  static constexpr int usual_runs = 16, usual_levels = 16;

  coded_bits dc[16];   ///< By size: the word, with room behind it for the extra bits (which are 0 here).
  coded_bits ac[256];  ///< By symbol: likewise.
  /// By 32 run + level + 16, for run < 16 and -16 <= level < 16: word and extra bits together.
  coded_bits usual[2 * usual_levels * usual_runs];
};

/// What kernels read: the tables and the file's header. In device memory.
struct device_coding {
  class_tables of[2];
  std::uint8_t header[1024];
  int header_size;
  int codes_begin, behind_codes;  ///< Bytes of the header before the segments of its codes, and behind them.
};

/// For the codes of one class; words_of() of each code.
class_tables class_tables_of(const huffman_code& dc, const huffman_code& ac);
/// Throws std::invalid_argument for a header of more than 1024 bytes, which none of ours is.
device_coding device_coding_of(const jpeg_description& picture, const scan_codes& codes,
                               int restart_interval);

/// An entry with its extra bits filled in.
__host__ __device__ inline coded_bits with_extra(coded_bits entry, unsigned extra) {
  return {entry.packed | (entry.length() == 0 ? 0u : extra << (32 - entry.length()))};
}

}  // namespace tutorial
