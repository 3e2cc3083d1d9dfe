// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "coding_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace tutorial {
namespace {

/// The word at the top, and its length plus that of the bits behind it.
coded_bits entry(const code_word& word, int size) {
  if (word.length == 0) return {};
  return {std::uint32_t(word.bits) << (32 - word.length) | std::uint32_t(word.length + size)};
}

}  // namespace

class_tables class_tables_of(const huffman_code& dc, const huffman_code& ac) {
  class_tables tables{};
  const code_words dc_words = words_of(dc), ac_words = words_of(ac);
  for (int size = 0; size < 16; ++size) tables.dc[size] = entry(dc_words[std::size_t(size)], size);
  for (int symbol = 0; symbol < 256; ++symbol)
    tables.ac[symbol] = entry(ac_words[std::size_t(symbol)], symbol % 16);
  for (int run = 0; run < class_tables::usual_runs; ++run)
    for (int level = -class_tables::usual_levels; level < class_tables::usual_levels; ++level) {
      const int size = size_of_level(level);
      if (level != 0)
        tables.usual[32 * run + level + 16] = with_extra(tables.ac[run << 4 | size], extra_bits(level, size));
    }
  return tables;
}

device_coding device_coding_of(const jpeg_description& picture, const scan_codes& codes,
                               int restart_interval) {
  device_coding coding{};
  for (int i = 0; i < (picture.channels == 3 ? 2 : 1); ++i)
    coding.of[i] = class_tables_of(codes.dc[i], codes.ac[i]);
  const std::vector<std::uint8_t> header = jpeg_header(picture, codes, restart_interval);
  if (header.size() > sizeof coding.header) throw std::invalid_argument("a header of more than 1024 bytes");
  std::copy(header.begin(), header.end(), coding.header);
  coding.header_size = int(header.size());
  const auto is_of_codes = [&](std::size_t at) {
    return header[at + 1] == std::uint8_t(jpeg_marker::huffman_codes);
  };
  const auto behind = [&](std::size_t at) {
    return at + 2 + std::size_t(header[at + 2] << 8 | header[at + 3]);
  };
  std::size_t at = 2;  // behind the marker that begins the image
  while (!is_of_codes(at)) at = behind(at);
  coding.codes_begin = int(at);
  while (is_of_codes(at)) at = behind(at);
  coding.behind_codes = int(header.size() - at);
  return coding;
}

}  // namespace tutorial
