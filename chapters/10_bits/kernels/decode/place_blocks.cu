// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Which block begins in a piece depends on all pieces before it, and so does a block's DC: count, scan,
/// write. Here what was counted before is added up within a group of pieces, and written.
#include <cstddef>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/shared_memory.hpp"
#include "piece_reader.cuh"

namespace tutorial {
namespace {

constexpr int most_dc = 16383;  // far from what a file has, and so near that no two of them wrap unseen

// [place]
/// Reads each piece once more, now that its place is known.
__global__ void place_blocks_kernel(const __grid_constant__ scan_bits scan, int in_group,
                                    const unsigned* starts, const piece_sums* sums,
                                    const piece_sums* before_groups, scan_findings* findings,
                                    block_place* places) {
  extern __shared__ __align__(16) std::uint32_t memory[];
  __shared__ unit_block of_unit[scan_layout::most_in_unit];
  __shared__ piece_sums of_warps[32];
  if (findings->markers < scan.intervals || findings->in_step == 0) return;  // all threads
  const unsigned all_bits = 8 * unsigned(scan.begins[scan.intervals]), size = scan.bits_in_piece();
  const int t = threadIdx.x, first = blockIdx.x * in_group, p = first + t;
  const unsigned begin = unsigned(p) * size, end = min(begin + size, all_bits);
  if (all_bits == 0 && t == 0) atomicMin(&findings->damaged, 0u);
  if (unsigned(first) * size >= all_bits) return;  // all threads
  const word_columns words = load_pieces(scan, first, memory, of_unit);
  const bool is_there = t < in_group && begin < all_bits;
  piece_sums all;  // the words are there when it is
  piece_sums here = sums_before(is_there ? sums[p] : piece_sums{}, all, of_warps);
  here = together(before_groups[blockIdx.x], here);
  if (!is_there) return;

  reader_place at = reader_place::unpacked(starts[p], begin);
  int interval = at.bit < end ? interval_at(scan, at.bit) : 0;
  const auto end_of = [&](int i) { return unsigned(min((i + 1) * scan.blocks_in_interval, scan.blocks)); };
  unsigned end_of_interval = end_of(interval);
  read_until(
      scan, words, memory, of_unit, at, end,
      [&](int component, int difference, unsigned behind, bool is_symbol) {
        add_dc(here, component, difference);
        const int dc = dc_of(here, component);
        if (here.blocks < end_of_interval) {
          places[here.blocks] = {behind, dc};
          if (!is_symbol || abs(dc) > most_dc) atomicMin(&findings->damaged, unsigned(interval));
        }
        ++here.blocks;
      },
      [&](int ended, int next) {
        if (next != ended + 1 || here.blocks < end_of_interval)
          atomicMin(&findings->damaged, unsigned(ended));
        here = {unsigned(next * scan.blocks_in_interval), 1, {0, 0}};
        interval = next;
        end_of_interval = end_of(next);
      });
}
// [place]

}  // namespace

void place_blocks(const scan_bits& scan, int pieces, const found_pieces& found, scan_findings* findings,
                  block_place* places, cudaStream_t stream) {
  const int groups = ceil_div(pieces, found.in_group), threads = 32 * ceil_div(found.in_group, 32);
  const std::size_t words =
      std::size_t(scan.table_words) + std::size_t(word_columns::words(scan.words_in_piece, threads));
  if (words > usual_shared_words) allow_most_shared_memory(place_blocks_kernel);
  place_blocks_kernel<<<unsigned(groups), unsigned(threads), 4 * words, stream>>>(
      scan, found.in_group, found.starts.data(), found.sums.data(), found.of_groups.data(), findings, places);
  check(cudaGetLastError());
}

}  // namespace tutorial
