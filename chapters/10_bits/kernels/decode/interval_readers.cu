// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where there are many restart markers, nobody has to guess: a thread reads each interval from its first bit,
// and knows the number of its first block.
#include <algorithm>
#include <cstddef>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/shared_memory.hpp"
#include "piece_reader.cuh"

namespace tutorial {
namespace {

constexpr int threads = 64;
/// So many words behind the last byte a block of symbols can reach into.
constexpr unsigned words_behind = scan_cleaner::zeros_behind / 4;

/// Neighboring words of the scan in shared memory.
struct words_from {
  const std::uint32_t* words;
  unsigned first;
  __device__ std::uint32_t operator[](unsigned i) const { return __byte_perm(words[i - first], 0, 0x0123); }
};

// [intervals]
/// The places of the `due` blocks of an interval, from its bits `begin` to `stop`; false if one is damaged.
template <class Words>
__device__ bool read_interval(const Words& words, const std::uint32_t* tables, const unit_block* of_unit,
                              unsigned begin, unsigned stop, unsigned due, block_place* places) {
  piece_sums sums{};
  bit_window<Words> window(words, begin);
  bool is_good = true;
  for (unsigned bit = begin, in_unit = 0; sums.blocks < due; ++sums.blocks) {
    if (bit >= stop) return false;
    const auto go_on = [&](int bits) {
      window.go_on(bit, bit + unsigned(bits));
      bit += unsigned(bits);
    };
    const unit_block block = of_unit[in_unit];
    in_unit = block.next;
    const std::uint32_t bits = window.at(bit);
    const read_symbol dc_symbol = look_up(tables + block.dc, bits);
    add_dc(sums, block.component, level_of(bits << dc_symbol.word_bits(), dc_symbol.shift()));
    go_on(dc_symbol.bits());
    const int dc = dc_of(sums, block.component);
    places[sums.blocks] = {bit, dc};
    is_good = is_good && dc_symbol.advance() == 1 && abs(dc) <= most_dc;
    // The lanes of a warp wait for the one whose block has the most words: then all have a DC.
    for (int k = dc_symbol.advance(); k < read_symbol::all_places;) {
      const read_symbol symbol = look_up(tables + block.ac, window.at(bit));
      const bool is_first = ((k + symbol.advance()) & 64) != 0;  // the block ends in front of the last word
      k += is_first ? symbol.first_advance() : symbol.advance();
      go_on(is_first ? symbol.first_bits() : symbol.bits());
    }
  }
  return is_good;
}

/// Thread t of all has interval t. In shared memory there is room for the tables and for `room` words.
__global__ void __launch_bounds__(threads)
    interval_readers_kernel(const __grid_constant__ scan_bits scan, unsigned room, scan_findings* findings,
                            block_place* places) {
  extern __shared__ __align__(16) std::uint32_t memory[];
  __shared__ unit_block of_unit[scan_layout::most_in_unit];
  if (findings->markers < scan.intervals) return;  // all threads: where intervals begin is not known
  const int t = threadIdx.x, first = blockIdx.x * threads, behind = min(first + threads, scan.intervals);
  load_tables(scan, memory, of_unit);
  std::uint32_t* const shared = memory + scan.table_words;
  const unsigned from = unsigned(scan.begins[first]) / 4,
                 count = unsigned(scan.begins[behind]) / 4 + words_behind - from;
  const bool have_room = count <= room;  // else they read device memory
  if (have_room)
    for (unsigned i = t; i < count; i += threads) shared[i] = scan.words[from + i];
  __syncthreads();  // words and tables are there
  const int interval = first + t;
  if (interval >= behind) return;
  const int number = interval * scan.blocks_in_interval;
  const auto read = [&](const auto& words) {
    return read_interval(words, memory, of_unit, 8 * unsigned(scan.begins[interval]),
                         8 * unsigned(scan.begins[interval + 1]),
                         unsigned(min(scan.blocks_in_interval, scan.blocks - number)), places + number);
  };
  if (!(have_room ? read(words_from{shared, from}) : read(words_in_order{scan.words})))
    atomicMin(&findings->damaged, unsigned(interval));
}
// [intervals]

}  // namespace

void read_intervals(const scan_bits& scan, std::size_t scan_bytes, scan_findings* findings,
                    block_place* places, cudaStream_t stream) {
  // Room for words as many readers have, and half as many again.
  const std::size_t tables(scan.table_words),
      bytes = scan_bytes / std::size_t(scan.intervals) * threads * 3 / 2,
      room = std::min(bytes / 4 + words_behind, usual_shared_words - std::min(tables, usual_shared_words));
  if (tables + room > usual_shared_words) allow_most_shared_memory(interval_readers_kernel);
  interval_readers_kernel<<<unsigned(ceil_div(scan.intervals, threads)), threads, 4 * (tables + room),
                            stream>>>(scan, unsigned(room), findings, places);
  check(cudaGetLastError());
}

}  // namespace tutorial
