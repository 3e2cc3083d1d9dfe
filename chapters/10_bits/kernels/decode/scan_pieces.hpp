// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// From the bits of a scan to the place of each 8x8 block. Nothing in the bits says where a block begins; but
// a reader that begins anywhere is soon in step with one that began in front of it. So the bits are cut into
// pieces, and a thread reads each. All functions launch in a stream; those that wait say so. They throw
// cuda_error.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "10_bits/host/scan_layout.hpp"
#include "clean_scan.hpp"
#include "common/device/device_memory.hpp"

namespace tutorial {

/// A block of a unit: where its tables begin, and which block is behind it.
struct alignas(8) unit_block {
  std::uint16_t dc, ac, next, component;
};

/// The bits of a scan, and what a reader has to know of them. Interval i has the bytes begins[i] to
/// begins[i + 1] of `words`, behind which scan_cleaner::zeros_behind bytes are 0.
struct scan_bits {
  const std::uint32_t* words;
  const int* begins;
  const std::uint32_t* tables;  ///< Of all codes; a multiple of 4 words.
  int table_words;
  int intervals, blocks_in_interval, blocks;  ///< blocks: of the whole scan.
  int words_in_piece;                         ///< A power of 2, at least 2.
  unit_block of_unit[scan_layout::most_in_unit];

  __host__ __device__ unsigned bits_in_piece() const { return 32u * unsigned(words_in_piece); }
  /// So many blocks of a piece are listed, and ends of intervals: few blocks have less than 16 bits.
  __host__ __device__ int listed_in_piece() const { return 2 * words_in_piece - 1; }
};

/// What a reader finds in its piece.
struct alignas(16) piece_sums {
  unsigned blocks;  ///< Blocks that begin in it; behind a marker: that have begun in the whole scan.
  unsigned marker;  ///< 1: an interval begins in it, and all sums are of what is behind.
  unsigned dc[2];   ///< Sums of DC differences: of component 0 and 2^16 times that of 1, of 2 and 3.
};

/// A block that begins in a piece: the bit of the piece where the symbols of its ACs begin, the difference of
/// its DC, and whether a code has that symbol. Or the end of an interval.
struct listed_block {
  unsigned packed;
  static constexpr unsigned end_of_interval = 0x7fff;
  __device__ static listed_block of(unsigned bit, int difference, bool is_symbol) {
    return {unsigned(difference) << 16 | (is_symbol ? 0 : 0x8000u) | bit};
  }
  __device__ unsigned bit() const { return packed & 0x7fff; }
  __device__ int difference() const { return int(packed) >> 16; }
  __device__ bool is_symbol() const { return (packed & 0x8000) == 0; }
};

/// Where the symbols of a block's ACs begin, and its DC.
struct alignas(8) block_place {
  unsigned bit;
  int dc;
};

/// What the readers have found: of each piece where its first symbol begins (reader_place::packed), and its
/// sums.
struct found_pieces {
  device_buffer<unsigned> starts;
  device_buffer<piece_sums> sums;
  device_buffer<unsigned> ends;         ///< Of chunks of pieces.
  device_buffer<piece_sums> of_groups;  ///< The sums of all groups of pieces before each.
  int in_group = 0;                     ///< So many pieces are a group.
  device_buffer<listed_block> lists;    ///< Of each piece, with their number; empty: readers list nothing.
};

/// How a scan is shared out.
struct piece_shape {
  int words = 16, threads = 128;  ///< Of a piece; of a block of threads.
  int lead = 8;                   ///< So many threads read pieces of the chunk in front.
  unsigned bits_before = 512;     ///< So early a reader begins.
  int patience = 32;              ///< So often in a row pieces are read again, at least.
  int words_of_look = 4;          ///< So many words a reader reads at once, at most.

  static constexpr int most_words = 64;
};

/// Version 1. Each reader begins at its piece as though a unit began there; then from where the one before it
/// has ended, again and again, until nothing changes. Waits in each round. `pieces` are at least as many as
/// the scan has.
void read_by_guessing(const scan_bits& scan, int pieces, scan_findings* findings, found_pieces& found,
                      cudaStream_t stream);
/// Version 2. The same in shared memory, for chunks of pieces; then chunk ends are compared with beginnings.
/// findings->in_step = 0: some do not fit when the readers' patience is at an end.
void read_in_chunks(const scan_bits& scan, int pieces, const piece_shape& shape, scan_findings* findings,
                    found_pieces& found, cudaStream_t stream);
/// places[b] = that of block b; findings->damaged at most the first interval that has too few.
void place_blocks(const scan_bits& scan, int pieces, found_pieces& found, scan_findings* findings,
                  block_place* places, cudaStream_t stream);

/// The same at once, without pieces: where intervals are short, and many. The scan had so many bytes.
void read_intervals(const scan_bits& scan, std::size_t scan_bytes, scan_findings* findings,
                    block_place* places, cudaStream_t stream);

/// Where the blocks of the components are: in the scan, and on the device.
struct block_planes {
  struct component {
    std::uint8_t* samples;  ///< Rows of whole blocks.
    std::int64_t pitch;
    const std::int16_t* levels;    ///< 64 of each block, row by row; nullptr: they are read from the bits.
    int table_begin, table_words;  ///< The table of its ACs, of ac_tables.
    int first_tile;                ///< Of those that threads go through, 128 blocks each.
    std::uint16_t steps[64];
  };
  scan_layout layout;
  const std::uint32_t* ac_tables;
  component of[scan_layout::most_components];
  int tiles;
};

/// From bits, or levels, to the samples of all components: libjpeg's, with its integer transform (islow).
/// findings->damaged at most the first interval with a block that has a symbol that no block has, or that
/// does not end in the interval.
void make_samples(const scan_bits& scan, const block_planes& planes, const block_place* places,
                  scan_findings* findings, cudaStream_t stream);

}  // namespace tutorial
