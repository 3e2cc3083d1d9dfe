// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "09_dct_compression/host/compress_serial.hpp"
#include "10_bits/host/code_serial.hpp"
#include "10_bits/host/coding_tables.hpp"
#include "10_bits/host/reading_tables.hpp"
#include "10_bits/kernels/decode/piece_reader.cuh"
#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "test_pictures.hpp"

namespace tutorial::broken {
namespace {

using mistake = bits_mistake;
using reading = reading_mistake;

constexpr int most_blocks = 128, most_words = 53 * most_blocks;

/// What for_each_symbol() does, for levels along the path, with a mistake.
template <mistake Made, class Item>
__device__ void for_each_code(const std::int16_t* path, int difference, const class_tables& tables,
                              Item item) {
  const auto coded = [&](coded_bits entry, int value, int size) {
    const unsigned extra =
        Made == mistake::negative_extra ? unsigned(value) & ((1u << size) - 1) : extra_bits(value, size);
    item(with_extra(entry, size == 0 ? 0 : extra));
  };
  const int size = size_of_level(difference);
  coded(tables.dc[size], difference, size);
  int run = 0;
  for (int k = 1; k < 64; ++k) {
    const int level = path[k], level_size = size_of_level(level);
    if (level == 0) {
      ++run;
      continue;
    }
    if (Made == mistake::run_of_16) run %= 16;
    for (; run > 15; run -= 16) item(tables.ac[0xF0]);
    coded(tables.ac[run << 4 | level_size], level, level_size);
    run = 0;
  }
  if (run > 0) item(tables.ac[0x00]);
}

/// bits[i / 32], from the top of the word, is bit i of the interval that a block of threads codes; counts
/// tells how many.
template <mistake Made>
__global__ void broken_bits_kernel(const std::int16_t* paths, int blocks, int interval,
                                   const class_tables* tables, std::uint32_t* bits, int* counts) {
  __shared__ int begins[most_blocks + 1];
  std::uint32_t* const words = bits + blockIdx.x * most_words;
  const int first = blockIdx.x * interval, t = threadIdx.x, block = first + t;
  const bool mine = t < interval && block < blocks;
  for (int i = t; i < most_words; i += blockDim.x) words[i] = 0;

  const int back = Made == mistake::wrong_neighbor ? 2 : 1;
  const bool predicted = Made == mistake::prediction_kept ? block >= back : t >= back;
  const int difference = mine ? paths[64 * block] - (predicted ? paths[64 * (block - back)] : 0) : 0;
  int length = 0;
  if (mine)
    for_each_code<Made>(paths + 64 * block, difference, *tables,
                        [&](coded_bits code) { length += code.length(); });
  begins[t + 1] = length;
  if (t == 0) begins[0] = 0;
  __syncthreads();  // all lengths are there, and all words are 0
  if (t == 0)
    for (int i = 0; i < most_blocks; ++i) begins[i + 1] += begins[i];
  if (Made != mistake::scan_not_awaited) __syncthreads();  // the sums are there

  int at = begins[t];
  const auto or_word = [&](int i, std::uint32_t part) {
    if (Made == mistake::no_atomic)
      words[i] |= part;
    else
      atomicOr(words + i, part);
  };
  if (mine)
    for_each_code<Made>(paths + 64 * block, difference, *tables, [&](coded_bits code) {
      const int shift = at % 32;
      or_word(at / 32, code.bits() >> shift);
      if (shift != 0 && Made != mistake::carry_lost) or_word(at / 32 + 1, code.bits() << (32 - shift));
      at += code.length();
    });
  if (t == 0) counts[blockIdx.x] = begins[most_blocks];
}

/// The bytes of all intervals; one thread.
template <mistake Made>
__global__ void broken_bytes_kernel(const std::uint32_t* bits, const int* counts, int intervals,
                                    std::uint8_t* file, int* size) {
  int to = 0;
  for (int m = 0; m < intervals; ++m) {
    const std::uint32_t* const words = bits + m * most_words;
    const int bytes = (counts[m] + 7) / 8, filled = 8 * bytes - counts[m];
    for (int i = 0; i < bytes; ++i) {
      unsigned byte = words[i / 4] >> (24 - 8 * (i % 4)) & 255;
      if (i == bytes - 1 && Made != mistake::zeros_fill) byte |= (1u << filled) - 1;
      file[to++] = std::uint8_t(byte);
      if (byte == 0xFF && Made != mistake::not_stuffed) file[to++] = 0;
    }
    if (m == intervals - 1) continue;
    file[to++] = 0xFF;
    file[to++] = std::uint8_t(0xD0 + (Made == mistake::marker_number ? m : m % 8));
  }
  *size = to;
}

template <mistake Made>
std::vector<std::uint8_t> coded(const compressed_picture& picture, const scan_layout& layout) {
  const int blocks = layout.blocks(), intervals = layout.intervals();
  std::vector<std::int16_t> paths(64 * std::size_t(blocks));
  for (int b = 0; b < blocks; ++b)
    for (int k = 0; k < 64; ++k)
      paths[64 * std::size_t(b) + std::size_t(k)] = std::int16_t(level_in_scan(picture, layout.at(b), k));
  const scan_codes codes = standard_codes();
  const device_buffer<class_tables> tables(
      std::vector<class_tables>{class_tables_of(codes.dc[0], codes.ac[0])});
  const device_buffer<std::int16_t> d_paths(paths);
  device_buffer<std::uint32_t> bits(std::size_t(intervals) * most_words);
  device_buffer<int> counts(static_cast<std::size_t>(intervals)), size(1);
  device_buffer<std::uint8_t> file(std::size_t(intervals) * most_words * 8);
  broken_bits_kernel<Made><<<unsigned(intervals), most_blocks>>>(
      d_paths.data(), blocks, layout.blocks_in_interval(), tables.data(), bits.data(), counts.data());
  check(cudaGetLastError());
  broken_bytes_kernel<Made><<<1, 1>>>(bits.data(), counts.data(), intervals, file.data(), size.data());
  check(cudaGetLastError());
  std::vector<std::uint8_t> result = file.to_host();
  result.resize(std::size_t(size.to_host()[0]));
  return result;
}

constexpr int most_pieces = 128;

/// dcs[b] = the DC of block b. Thread t has piece t.
template <reading_mistake Made>
__global__ void broken_readers_kernel(const __grid_constant__ scan_bits scan, int* dcs) {
  __shared__ unsigned ends[most_pieces];
  __shared__ piece_sums of_warps[most_pieces / 32];
  const unsigned all = 8 * unsigned(scan.begins[1]), t = threadIdx.x, begin = t * scan.bits_in_piece();
  const unsigned end = min(begin + scan.bits_in_piece(), all);
  const words_in_order words{scan.words};
  unsigned start = 0;
  piece_sums own{}, of_all;
  bool is_read = begin < all;
  for (;;) {
    if (is_read) {
      reader_place at = reader_place::unpacked(start, begin);
      own = read_piece(scan, words, scan.tables, scan.of_unit, at, end);
      ends[t] = at.packed(end);
    }
    if (Made != reading::ends_not_awaited) __syncthreads();  // all ends are there
    const unsigned due = begin >= all || t == 0 || Made == reading::guess_kept ? start : ends[t - 1];
    is_read = due != start;
    start = due;
    if (__syncthreads_or(is_read) == 0) break;  // all have read the end before their piece
  }
  piece_sums here = sums_before(own, of_all, of_warps);
  if (begin >= all) return;
  reader_place at = reader_place::unpacked(start, begin);
  read_until(
      scan, words, scan.tables, scan.of_unit, at, end,
      [&](int component, int difference, unsigned, bool) {
        add_dc(here, component, difference);
        const unsigned b = Made == reading::counted_before ? ++here.blocks : here.blocks++;
        if (b < unsigned(scan.blocks)) dcs[b] = dc_of(here, component);
      },
      [](int, int) {});
}

// Apart: Clang 14 does not get through a launch in a lambda whose parameter is auto.
template <reading_mistake Mistake>
void launch_broken_readers(const scan_bits& scan, device_span<int> dcs) {
  broken_readers_kernel<Mistake><<<1, most_pieces>>>(scan, dcs.data());
}

}  // namespace

std::vector<std::uint8_t> code_levels(bits_mistake made, const compressed_picture& picture, int interval) {
  using enum bits_mistake;
  const scan_layout layout = scan_layout_of(picture.width, picture.height, 1, picture.sampling, interval);
  std::vector<std::uint8_t> result;
  with_mistakes<none, scan_not_awaited>(
      made, [&](auto constant) { result = coded<constant.value>(picture, layout); });
  return result;
}

std::vector<shown_mistake> shown_bits_mistakes() {
  using enum bits_mistake;
  std::vector<shown_mistake> all = shown<bits_mistake>(
      wrong_bytes, {{no_atomic, "broken: neighbors write into one word without atomicOr", "race"},
                    {scan_not_awaited, "broken: codes are placed before all lengths are added up", "race"}});
  for (shown_mistake& each : shown<reading_mistake>(
           wrong_blocks,
           {{reading::ends_not_awaited, "broken: readers do not wait for their neighbors' ends", "race"},
            {reading::no_words_behind, "broken: readers look behind the last bit", "access out of bounds"}}))
    all.push_back(std::move(each));
  return all;
}

std::size_t wrong_bytes(bits_mistake made) {
  const compressed_picture picture =
      compress_serial(test_picture(96, 64, 1, picture_kind::slopes, 4), 60, chroma_sampling::s444);
  const std::vector<std::uint8_t> ours = code_levels(made, picture, 0);
  const std::vector<std::uint8_t> right =
      code_serial(picture, scan_layout_of(96, 64, 1, chroma_sampling::s444, 0), standard_codes());
  const std::size_t both = std::min(ours.size(), right.size());
  std::size_t wrong = std::max(ours.size(), right.size()) - both;
  for (std::size_t i = 0; i < both; ++i) wrong += ours[i] != right[i];
  return wrong;
}

std::size_t wrong_blocks(reading_mistake made) {
  const compressed_picture picture =
      compress_serial(test_picture(96, 64, 1, picture_kind::slopes, 4), 60, chroma_sampling::s444);
  const scan_layout layout = scan_layout_of(96, 64, 1, chroma_sampling::s444, 0);
  const scan_codes codes = standard_codes();
  std::vector<std::uint32_t> words;
  int bytes = 0;
  for (int last = 0; const std::uint8_t byte : code_serial(picture, layout, codes)) {
    if (bytes % 4 == 0) words.push_back(0);
    if (last != 0xFF) words.back() |= unsigned(byte) << (8 * (bytes++ % 4));  // else it is a stuffed 0
    last = byte;
  }
  if (made != reading::no_words_behind) words.resize(words.size() + scan_cleaner::zeros_behind / 4);
  std::vector<std::uint32_t> tables = reading_table_of(codes.dc[0], coefficient_kind::dc);
  const std::vector<std::uint32_t> of_ac =
      striding_table_of(reading_table_of(codes.ac[0], coefficient_kind::ac), most_words_of_look);
  const std::size_t of_dc = tables.size();
  tables.insert(tables.end(), of_ac.begin(), of_ac.end());
  const device_buffer<std::uint32_t> d_words(words), d_tables(tables);
  const device_buffer<int> begins(std::vector<int>{0, bytes});
  const int blocks = layout.blocks();
  device_buffer<int> dcs(static_cast<std::size_t>(blocks));
  scan_bits scan{
      d_words.data(), begins.data(), d_tables.data(), int(tables.size()), 1, blocks, blocks, 4, {}};
  scan.of_unit[0].ac = std::uint16_t(of_dc);
  with_mistakes<reading::none, reading::no_words_behind>(
      made, [&](auto constant) { launch_broken_readers<constant.value>(scan, dcs); });
  check(cudaGetLastError());
  std::size_t wrong = 0;
  for (int b = 0; const int dc : dcs.to_host()) wrong += dc != level_in_scan(picture, layout.at(b++), 0);
  return wrong;
}

}  // namespace tutorial::broken
