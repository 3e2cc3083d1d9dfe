// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Readers begin early, so that most are in step before their piece begins. Those of a chunk meet in shared
/// memory; then one block of threads looks at the borders of the chunks.
#include <cstddef>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/shared_memory.hpp"
#include "piece_reader.cuh"

namespace tutorial {
namespace {

constexpr int mending_threads = 1024;

// [chunk]
/// Thread t has piece blockIdx.x * (blockDim.x - lead) - lead + t: the first `lead` ones belong to the chunk
/// in front, and are read only so that those of this chunk begin rightly.
__global__ void readers_in_chunks_kernel(const __grid_constant__ scan_bits scan,
                                         const scan_findings* findings, int lead, unsigned bits_before,
                                         unsigned* starts, piece_sums* sums, unsigned* ends_of_chunks) {
  extern __shared__ __align__(16) std::uint32_t memory[];
  __shared__ unit_block of_unit[scan_layout::most_in_unit];
  if (findings->markers < scan.intervals) return;  // all threads: where intervals begin is not known
  const int t = threadIdx.x, threads = blockDim.x, own = threads - lead;
  const unsigned all = 8 * unsigned(scan.begins[scan.intervals]), size = scan.bits_in_piece();
  const int chunk = blockIdx.x, first = chunk * own - lead, p = first + t;
  if (unsigned(chunk * own) * size >= all) return;  // all threads
  const word_columns words = load_pieces(scan, first, memory, of_unit);
  unsigned* const ends = memory + scan.table_words + word_columns::words(scan.words_in_piece, threads);
  __syncthreads();  // words and tables are there

  const unsigned begin = unsigned(max(p, 0)) * size, end = min(begin + size, all);
  const bool is_there = p >= 0 && begin < all;
  reader_place at;
  piece_sums found{};
  unsigned start = 0;
  if (is_there) {
    const unsigned first_bit = unsigned(max(first, 0)) * size;
    at.bit = max(begin, first_bit + bits_before) - bits_before;
    read_until(
        scan, words, memory, of_unit, at, begin, [](int, int, unsigned, bool) {}, [](int, int) {});
    start = at.packed(begin);
    found = read_piece(scan, words, memory, of_unit, at, end);
    ends[t] = at.packed(end);
  }
  for (;;) {
    __syncthreads();  // all ends are there
    const unsigned due = is_there && p > 0 && t > 0 ? ends[t - 1] : start;
    const bool differs = due != start;
    if (__syncthreads_or(differs) == 0) break;  // a barrier, too: all have read the end before their piece
    if (!differs) continue;
    start = due;
    at = reader_place::unpacked(start, begin);
    found = read_piece(scan, words, memory, of_unit, at, end);
    ends[t] = at.packed(end);
  }
  if (t < lead || !is_there) return;
  starts[p] = start;
  sums[p] = found;
  if (t == threads - 1 || end == all) ends_of_chunks[chunk] = ends[t];
}
// [chunk]

/// Where a chunk does not begin where the one before it ends, it is read again, until its pieces begin as
/// before. That can change its end: then the next round mends the one behind.
__global__ void __launch_bounds__(mending_threads)
    mend_borders_kernel(const __grid_constant__ scan_bits scan, int own, int rounds, unsigned* starts,
                        piece_sums* sums, unsigned* ends_of_chunks, scan_findings* findings) {
  if (findings->markers < scan.intervals) return;
  const unsigned all = 8 * unsigned(scan.begins[scan.intervals]), size = scan.bits_in_piece();
  const int pieces = int((all + size - 1) / size), chunks = (pieces + own - 1) / own;
  for (int round = 0; round < rounds; ++round) {
    bool changed = false;
    for (int first = 1; first < chunks; first += mending_threads) {
      const int chunk = first + int(threadIdx.x), next = min((chunk + 1) * own, pieces);
      const bool is_there = chunk < chunks;
      unsigned state = is_there ? ends_of_chunks[chunk - 1] : 0;
      __syncthreads();  // all have read the end before their chunk
      int p = chunk * own;
      const bool differs = is_there && starts[p] != state;
      changed |= differs;
      if (differs) {
        for (; p < next && starts[p] != state; ++p) {
          const unsigned begin = unsigned(p) * size, end = min(begin + size, all);
          starts[p] = state;
          reader_place at = reader_place::unpacked(state, begin);
          sums[p] = read_piece(scan, words_in_order{scan.words}, scan.tables, scan.of_unit, at, end);
          state = at.packed(end);
        }
        if (p == next) ends_of_chunks[chunk] = state;
      }
      __syncthreads();  // the ends are there
    }
    if (__syncthreads_or(changed) == 0) return;
  }
  if (threadIdx.x == 0) findings->in_step = 0;
}

}  // namespace

void read_in_chunks(const scan_bits& scan, int pieces, const piece_shape& shape, scan_findings* findings,
                    found_pieces& found) {
  const int own = shape.threads - shape.lead, chunks = ceil_div(pieces, own);
  if (found.ends.size() < std::size_t(chunks)) found.ends = device_buffer<unsigned>(std::size_t(chunks));
  const std::size_t words = std::size_t(scan.table_words) +
                            std::size_t(word_columns::words(scan.words_in_piece, shape.threads)) +
                            std::size_t(shape.threads);
  allow_most_shared_memory(readers_in_chunks_kernel);
  readers_in_chunks_kernel<<<unsigned(chunks), unsigned(shape.threads), 4 * words>>>(
      scan, findings, shape.lead, shape.bits_before, found.starts.data(), found.sums.data(),
      found.ends.data());
  check(cudaGetLastError());
  mend_borders_kernel<<<1, mending_threads>>>(scan, own, shape.rounds, found.starts.data(), found.sums.data(),
                                              found.ends.data(), findings);
  check(cudaGetLastError());
}

}  // namespace tutorial
