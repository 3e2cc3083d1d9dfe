// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Which block begins in a piece depends on all pieces before it, and so does a block's DC: count, scan,
/// write.
#include <cstddef>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/shared_memory.hpp"
#include "piece_reader.cuh"

namespace tutorial {
namespace {

constexpr int threads = 128;  // and pieces of a group
constexpr int adding_threads = 1024;

/// The pieces of the whole scan.
__device__ int pieces_of(const scan_bits& scan) {
  const unsigned all = 8 * unsigned(scan.begins[scan.intervals]), size = scan.bits_in_piece();
  return int((all + size - 1) / size);
}
__device__ piece_sums sums_of(const piece_sums* sums, int i, int count) {
  return i < count ? sums[i] : piece_sums{};
}

/// of_groups[g] = the sums of group g.
__global__ void __launch_bounds__(threads)
    add_up_pieces_kernel(const __grid_constant__ scan_bits scan, const scan_findings* findings,
                         const piece_sums* sums, piece_sums* of_groups) {
  __shared__ piece_sums of_warps[threads / 32];
  if (findings->markers < scan.intervals) return;  // all threads
  piece_sums all;
  sums_before(sums_of(sums, blockIdx.x * threads + threadIdx.x, pieces_of(scan)), all, of_warps);
  if (threadIdx.x == 0) of_groups[blockIdx.x] = all;
}

/// of_groups[g] = the sums of all groups before g. One block.
__global__ void __launch_bounds__(adding_threads)
    add_up_groups_kernel(const __grid_constant__ scan_bits scan, const scan_findings* findings,
                         piece_sums* of_groups, int groups) {
  __shared__ piece_sums of_warps[adding_threads / 32];
  if (findings->markers < scan.intervals) return;  // all threads
  piece_sums before{};
  for (int first = 0; first < groups; first += adding_threads) {
    const int g = first + int(threadIdx.x);
    piece_sums all;
    const piece_sums mine = sums_before(sums_of(of_groups, g, groups), all, of_warps);
    if (g < groups) of_groups[g] = together(before, mine);
    before = together(before, all);
  }
}

// [place]
/// Reads each piece once more, now that its place is known.
__global__ void __launch_bounds__(threads)
    place_blocks_kernel(const __grid_constant__ scan_bits scan, const unsigned* starts,
                        const piece_sums* sums, const piece_sums* before_groups, scan_findings* findings,
                        block_place* places) {
  extern __shared__ __align__(16) std::uint32_t memory[];
  __shared__ unit_block of_unit[scan_layout::most_in_unit];
  __shared__ piece_sums of_warps[threads / 32];
  if (findings->markers < scan.intervals) return;  // all threads
  const int pieces = pieces_of(scan), first = blockIdx.x * threads, p = first + int(threadIdx.x);
  if (pieces == 0 && threadIdx.x == 0) atomicMin(&findings->damaged, 0u);
  if (first >= pieces) return;  // all threads
  const word_columns words = load_pieces(scan, first, memory, of_unit);
  piece_sums all;
  piece_sums here = together(before_groups[blockIdx.x], sums_before(sums_of(sums, p, pieces), all, of_warps));
  if (p >= pieces) return;

  const unsigned size = scan.bits_in_piece(), begin = unsigned(p) * size;
  const unsigned end = min(begin + size, 8 * unsigned(scan.begins[scan.intervals]));
  reader_place at = reader_place::unpacked(starts[p], begin);
  int interval = at.bit < end ? interval_at(scan, at.bit) : 0;
  const auto end_of = [&](int i) { return min((i + 1) * scan.blocks_in_interval, scan.blocks); };
  int end_of_interval = end_of(interval);
  read_until(
      scan, words, memory, of_unit, at, end,
      [&](int component, int difference, unsigned behind, bool is_symbol) {
        add_dc(here, component, difference);
        const int dc = int(here.dc[component / 2] << (component % 2 == 0 ? 16 : 0)) >> 16;
        if (int(here.blocks) < end_of_interval) {
          places[here.blocks] = {behind, dc};
          if (!is_symbol) atomicMin(&findings->damaged, unsigned(interval));
        }
        ++here.blocks;
      },
      [&](int ended, int next) {
        if (next != ended + 1 || int(here.blocks) < end_of_interval)
          atomicMin(&findings->damaged, unsigned(ended));
        here = {unsigned(next * scan.blocks_in_interval), 1, {0, 0}};
        interval = next;
        end_of_interval = end_of(next);
      });
}
// [place]

}  // namespace

void place_blocks(const scan_bits& scan, int pieces, const found_pieces& found, scan_findings* findings,
                  device_buffer<piece_sums>& sums_of_groups, block_place* places) {
  const int groups = ceil_div(pieces, threads);
  if (sums_of_groups.size() < std::size_t(groups))
    sums_of_groups = device_buffer<piece_sums>(std::size_t(groups));
  add_up_pieces_kernel<<<unsigned(groups), threads>>>(scan, findings, found.sums.data(),
                                                      sums_of_groups.data());
  check(cudaGetLastError());
  add_up_groups_kernel<<<1, adding_threads>>>(scan, findings, sums_of_groups.data(), groups);
  check(cudaGetLastError());
  allow_most_shared_memory(place_blocks_kernel);
  const std::size_t words =
      std::size_t(scan.table_words) + std::size_t(word_columns::words(scan.words_in_piece, threads));
  place_blocks_kernel<<<unsigned(groups), threads, 4 * words>>>(scan, found.starts.data(), found.sums.data(),
                                                                sums_of_groups.data(), findings, places);
  check(cudaGetLastError());
}

}  // namespace tutorial
