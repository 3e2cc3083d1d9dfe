// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which block begins in a piece depends on all pieces before it, and so does a block's DC: count, scan,
// write. Here what was counted before is added up within a group of pieces, and written.
#include <cstddef>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/shared_memory.hpp"
#include "piece_reader.cuh"

namespace tutorial {
namespace {

// [place]
/// Now that the places of the pieces are known, their lists become places of blocks. A piece without a list,
/// or whose list was too short, is read once more.
__global__ void place_blocks_kernel(const __grid_constant__ scan_bits scan, int in_group,
                                    const unsigned* starts, const piece_sums* sums,
                                    const piece_sums* before_groups, listed_block* lists,
                                    scan_findings* findings, block_place* places) {
  extern __shared__ __align__(16) std::uint32_t memory[];
  __shared__ unit_block of_unit[scan_layout::most_in_unit];
  __shared__ piece_sums of_warps[32];
  if (findings->markers < scan.intervals || findings->in_step == 0) return;  // all threads
  const unsigned all_bits = 8 * unsigned(scan.begins[scan.intervals]), size = scan.bits_in_piece();
  const int t = threadIdx.x, first = blockIdx.x * in_group, p = first + t;
  const unsigned begin = unsigned(p) * size, end = min(begin + size, all_bits);
  if (all_bits == 0 && t == 0) atomicMin(&findings->damaged, 0u);
  if (unsigned(first) * size >= all_bits) return;  // all threads
  const bool is_there = t < in_group && begin < all_bits;
  const piece_sums own = is_there ? sums[p] : piece_sums{};
  piece_sums all;
  piece_sums here = sums_before(own, all, of_warps);
  here = together(before_groups[blockIdx.x], here);
  const auto end_of = [&](int i) { return unsigned(min((i + 1) * scan.blocks_in_interval, scan.blocks)); };
  reader_place at = reader_place::unpacked(is_there ? starts[p] : 0, begin);
  at.interval = is_there && at.bit < end ? interval_at(scan, at.bit) : 0;
  unsigned end_of_interval = end_of(at.interval);
  const auto block = [&](int component, int difference, unsigned bit, bool is_symbol) {
    add_dc(here, component, difference);
    const int dc = dc_of(here, component);
    if (here.blocks < end_of_interval) {
      places[here.blocks] = {bit, dc};
      if (!is_symbol || abs(dc) > most_dc) atomicMin(&findings->damaged, unsigned(at.interval));
    }
    ++here.blocks;
  };
  const auto marker = [&](int ended, int next) {
    if (next != ended + 1 || here.blocks < end_of_interval) atomicMin(&findings->damaged, unsigned(ended));
    here = {unsigned(next * scan.blocks_in_interval), 1, {0, 0}};
    at.interval = next;
    end_of_interval = end_of(next);
  };
  bool is_read = is_there;
  if (is_there && lists != nullptr) {
    const block_list list = list_of(scan, lists, p);
    const unsigned listed = own.marker == 0 ? own.blocks : list.blocks[list.room].packed;
    is_read = listed > list.room;
    for (unsigned i = 0; i < listed && !is_read; ++i) {
      const listed_block found = list.blocks[i];
      if (found.packed == listed_block::end_of_interval)
        marker(at.interval, at.interval + 1);
      else  // of component 0: others are not listed
        block(0, found.difference(), begin + found.bit(), found.is_symbol());
    }
  }
  if (__syncthreads_or(is_read) == 0) return;
  const word_columns words = load_pieces(scan, first, memory, of_unit);
  __syncthreads();  // words and tables are there
  if (is_read) read_until(scan, words, memory, of_unit, at, end, block, marker);
}
// [place]

}  // namespace

void place_blocks(const scan_bits& scan, int pieces, found_pieces& found, scan_findings* findings,
                  block_place* places, cudaStream_t stream) {
  const int groups = ceil_div(pieces, found.in_group), threads = 32 * ceil_div(found.in_group, 32);
  const std::size_t words =
      std::size_t(scan.table_words) + std::size_t(word_columns::words(scan.words_in_piece, threads));
  if (words > usual_shared_words) allow_most_shared_memory(place_blocks_kernel);
  place_blocks_kernel<<<unsigned(groups), unsigned(threads), 4 * words, stream>>>(
      scan, found.in_group, found.starts.data(), found.sums.data(), found.of_groups.data(),
      found.lists.data(), findings, places);
  check(cudaGetLastError());
}

}  // namespace tutorial
