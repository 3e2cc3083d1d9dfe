// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Readers begin early, so that most are in step before their piece begins. Those of a chunk meet in shared
// memory; then one block of threads looks at the borders of the chunks.
#include <algorithm>
#include <cstddef>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/shared_memory.hpp"
#include "piece_reader.cuh"

namespace tutorial {
namespace {

constexpr int most_mending_threads = 1024;
constexpr int settling_rounds = 4;  // readers that will come to agree are few by then

/// So often in a row pieces are read again. Readers that do not come to agree then have taken about half of
/// the time that libjpeg will, which needs as long for a block as one of them for some bits.
__device__ int patience_with(const scan_bits& scan, unsigned bits, int least) {
  return max(least, int((unsigned(scan.blocks) / 6 + bits / 80) / scan.bits_in_piece()));
}

// [chunk]
/// Thread t has piece blockIdx.x * (blockDim.x - lead) - lead + t: the first `lead` ones belong to the chunk
/// in front, and are read only so that those of this chunk begin rightly.
template <bool HasLists>
__global__ void readers_in_chunks_kernel(const __grid_constant__ scan_bits scan, scan_findings* findings,
                                         int lead, unsigned bits_before, int least_patience, unsigned* starts,
                                         piece_sums* sums, unsigned* ends_of_chunks, piece_sums* of_chunks,
                                         listed_block* lists) {
  extern __shared__ __align__(16) std::uint32_t memory[];
  __shared__ unit_block of_unit[scan_layout::most_in_unit];
  __shared__ int counts[32];
  __shared__ piece_sums of_warps[32];
  if (findings->markers < scan.intervals) return;  // all threads: where intervals begin is not known
  const int t = threadIdx.x, threads = blockDim.x, own = threads - lead;
  const unsigned all = 8 * unsigned(scan.begins[scan.intervals]), size = scan.bits_in_piece();
  const int patience = patience_with(scan, all, least_patience);
  const int chunk = blockIdx.x, first = chunk * own - lead, p = first + t;
  if (unsigned(chunk * own) * size >= all) {  // all threads
    if (t == 0) of_chunks[chunk] = {};
    return;
  }
  const word_columns words = load_pieces(scan, first, memory, of_unit);
  unsigned* const ends = memory + scan.table_words + word_columns::words(scan.words_in_piece, threads);
  unsigned* const list = ends + threads;
  __syncthreads();  // words and tables are there

  const unsigned begin = unsigned(max(p, 0)) * size;
  const bool is_there = p >= 0 && begin < all;
  reader_place at;
  unsigned start = 0;
  if (is_there) {
    const unsigned first_bit = unsigned(max(first, 0)) * size;
    at.interval = interval_at(scan, begin);
    at.bit = max(max(begin, first_bit + bits_before) - bits_before, 8 * unsigned(scan.begins[at.interval]));
    read_until(
        scan, words, memory, of_unit, at, begin, [](int, int, unsigned, bool) {}, [](int, int) {});
    start = at.packed(begin);
  }
  // Not the same warps of all blocks work on.
  const int place_in_list = (t + 32 * (chunk % 5)) % threads;
  int piece = is_there ? t : -1;
  for (int round = 0;; ++round) {
    if (piece >= 0) {
      const unsigned end = min(unsigned(first + piece + 1) * size, all);
      const bool is_listed = HasLists && piece >= lead;
      const piece_sums found = read_piece(scan, words, memory, of_unit, at, end,
                                          is_listed ? list_of(scan, lists, first + piece) : block_list{});
      if (piece >= lead) sums[first + piece] = found;
      ends[piece] = at.packed(end);
    }
    __syncthreads();  // all ends are there
    const unsigned due = is_there && p > 0 && t > 0 ? ends[t - 1] : start;
    const bool differs = due != start;
    const unsigned those = __ballot_sync(~0u, differs);
    if (t % 32 == 0) counts[t / 32] = __popc(those);
    const bool is_late = round >= min(patience, settling_rounds);
    // All have read the end before their piece, and the counts are there. Does another chunk give up?
    const bool is_over = __syncthreads_or(is_late && t == 0 && atomicAdd(&findings->in_step, 0) == 0) != 0;
    int count = 0, before = 0;
    for (int warp = 0; warp < threads / 32; ++warp) {
      if (warp == t / 32) before = count;
      count += counts[warp];
    }
    if (count == 0) break;
    // A round mends a piece at least: more may not be in time.
    if (is_over || (is_late && count > patience - round)) {  // all threads
      if (t == 0) atomicMax(&findings->in_step, 0);
      return;
    }
    // Pieces that do not begin where the one before them ends are read again, side by side: by few warps.
    if (differs) list[before + __popc(those & ((1u << t % 32) - 1))] = due | unsigned(t) << 16;
    start = due;
    __syncthreads();  // the list is there
    piece = -1;
    if (place_in_list < count) {
      piece = int(list[place_in_list] >> 16);
      at = reader_place::unpacked(list[place_in_list] & 0xffff, unsigned(first + piece) * size);
    }
  }
  const bool is_own = t >= lead && is_there;
  piece_sums together_all;
  sums_before(is_own ? sums[p] : piece_sums{}, together_all, of_warps);
  if (t == 0) of_chunks[chunk] = together_all;
  if (!is_own) return;
  starts[p] = start;
  if (t == threads - 1 || unsigned(p + 1) * size >= all) ends_of_chunks[chunk] = ends[t];
}
// [chunk]

/// Where a chunk does not begin where the one before it ends, it is read again, until its pieces begin as
/// before. That can change its end: then the next round mends the one behind. Then the sums of all chunks
/// before each of them.
__global__ void __launch_bounds__(most_mending_threads)
    mend_borders_kernel(const __grid_constant__ scan_bits scan, int own, int least_patience, unsigned* starts,
                        piece_sums* sums, unsigned* ends_of_chunks, piece_sums* of_chunks,
                        listed_block* lists, scan_findings* findings) {
  __shared__ piece_sums of_warps[most_mending_threads / 32];
  if (findings->markers < scan.intervals || findings->in_step == 0) return;
  const unsigned all = 8 * unsigned(scan.begins[scan.intervals]), size = scan.bits_in_piece();
  const int pieces = int((all + size - 1) / size), chunks = (pieces + own - 1) / own;
  for (int left = patience_with(scan, all, least_patience);; left -= own) {
    bool changed = false;  // an end
    for (int first = 1; first < chunks; first += int(blockDim.x)) {
      const int chunk = first + int(threadIdx.x), next = min((chunk + 1) * own, pieces);
      const bool is_there = chunk < chunks;
      unsigned state = is_there ? ends_of_chunks[chunk - 1] : 0;
      __syncthreads();  // all have read the end before their chunk
      int p = chunk * own;
      if (is_there && starts[p] != state) {
        const int last = min(next, p + left);
        for (; p < last && starts[p] != state; ++p) {
          const unsigned begin = unsigned(p) * size, end = min(begin + size, all);
          starts[p] = state;
          reader_place at = reader_place::unpacked(state, begin);
          sums[p] = read_piece(scan, words_in_order{scan.words}, scan.tables, scan.of_unit, at, end,
                               lists == nullptr ? block_list{} : list_of(scan, lists, p));
          state = at.packed(end);
        }
        if (p == next) {
          changed |= ends_of_chunks[chunk] != state;
          ends_of_chunks[chunk] = state;
        } else if (starts[p] != state) {
          atomicMax(&findings->in_step, 0);
        }
        piece_sums again{};
        for (int i = chunk * own; i < next; ++i) again = together(again, sums[i]);
        of_chunks[chunk] = again;
      }
      __syncthreads();  // the ends are there
    }
    if (__syncthreads_or(changed) == 0) break;
    if (left <= own) {  // all threads
      if (threadIdx.x == 0) atomicMax(&findings->in_step, 0);
      return;
    }
  }
  add_up_groups(of_chunks, chunks, of_warps);
}

}  // namespace

void read_in_chunks(const scan_bits& scan, int pieces, const piece_shape& shape, scan_findings* findings,
                    found_pieces& found, cudaStream_t stream) {
  found.in_group = shape.threads - shape.lead;
  const int chunks = ceil_div(pieces, found.in_group);
  const std::size_t words = std::size_t(scan.table_words) +
                            std::size_t(word_columns::words(scan.words_in_piece, shape.threads)) +
                            2 * std::size_t(shape.threads);
  const auto launch = [&](auto kernel) {
    if (words > usual_shared_words) allow_most_shared_memory(kernel);
    kernel<<<unsigned(chunks), unsigned(shape.threads), 4 * words, stream>>>(
        scan, findings, shape.lead, shape.bits_before, shape.patience, found.starts.data(), found.sums.data(),
        found.ends.data(), found.of_groups.data(), found.lists.data());
    check(cudaGetLastError());
  };
  found.lists.size() > 0 ? launch(readers_in_chunks_kernel<true>) : launch(readers_in_chunks_kernel<false>);
  mend_borders_kernel<<<1, unsigned(std::min(32 * ceil_div(chunks, 32), most_mending_threads)), 0, stream>>>(
      scan, found.in_group, shape.patience, found.starts.data(), found.sums.data(), found.ends.data(),
      found.of_groups.data(), found.lists.data(), findings);
  check(cudaGetLastError());
}

}  // namespace tutorial
