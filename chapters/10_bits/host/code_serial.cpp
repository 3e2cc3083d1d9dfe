// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "code_serial.hpp"

#include <cstddef>

#include "block_symbols.hpp"

namespace tutorial {
namespace {

// [bits]
/// Bits to bytes, the first one at the top of its byte.
class bit_writer {
 public:
  explicit bit_writer(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

  /// The low `count` bits of `bits`, 0 <= count <= 16.
  void put(unsigned bits, int count) {
    kept_ = kept_ << count | bits;
    for (kept_count_ += count; kept_count_ >= 8; kept_count_ -= 8) byte(kept_ >> (kept_count_ - 8) & 255);
    kept_ &= (1u << kept_count_) - 1;
  }
  /// Ones up to the next whole byte.
  void fill() {
    if (kept_count_ != 0) put((1u << (8 - kept_count_)) - 1, 8 - kept_count_);
  }
  /// `code` is 0xD0 to 0xD9.
  void marker(int code) {
    bytes_.push_back(0xFF);
    bytes_.push_back(std::uint8_t(code));
  }

 private:
  void byte(unsigned value) {
    bytes_.push_back(std::uint8_t(value));
    if (value == 0xFF) bytes_.push_back(0);  // so that nobody takes it for a marker
  }

  std::vector<std::uint8_t>& bytes_;
  unsigned kept_ = 0;  // the last kept_count_ bits, fewer than 8
  int kept_count_ = 0;
};
// [bits]

int code_of(const scan_block& block) { return block.component == 0 ? 0 : 1; }

/// Calls item(block, coded_symbol) for all symbols of the scan, and at(i) before block i.
template <class Before, class Item>
void for_each_symbol_of_scan(const compressed_picture& picture, const scan_layout& layout, Before before,
                             Item item) {
  for (int i = 0; i < layout.blocks(); ++i) {
    before(i);
    const scan_block block = layout.at(i);
    int difference = 0;
    if (block.is_real) {
      const int predecessor = layout.predecessor(i, layout.first_of_interval(i));
      difference = level_in_scan(picture, block, 0) -
                   (predecessor < 0 ? 0 : level_in_scan(picture, layout.at(predecessor), 0));
    }
    for_each_symbol(
        difference, [&](int k) { return block.is_real ? level_in_scan(picture, block, k) : 0; },
        [&](const coded_symbol& symbol) { item(block, symbol); });
  }
}

}  // namespace

int level_in_scan(const compressed_picture& picture, const scan_block& block, int k) {
  const int place = zigzag_order()[std::size_t(k)];
  return picture.components[std::size_t(block.component)].levels.at(8 * block.row + place / 8,
                                                                    8 * block.column + place % 8);
}

scan_symbol_counts count_symbols_serial(const compressed_picture& picture, const scan_layout& layout) {
  scan_symbol_counts counts;
  for_each_symbol_of_scan(
      picture, layout, [](int) {},
      [&](const scan_block& block, const coded_symbol& symbol) {
        symbol_counts& of = (symbol.kind == coefficient_kind::dc ? counts.dc : counts.ac)[code_of(block)];
        ++of[std::size_t(symbol.symbol)];
      });
  return counts;
}

scan_codes codes_for(const compressed_picture& picture, const scan_layout& layout, bool optimized) {
  if (!optimized) return standard_codes();
  const scan_symbol_counts counts = count_symbols_serial(picture, layout);
  scan_codes codes;
  for (int i = 0; i < (layout.components == 3 ? 2 : 1); ++i) {
    codes.dc[i] = optimized_code(counts.dc[i]);
    codes.ac[i] = optimized_code(counts.ac[i]);
  }
  return codes;
}

// [serial]
std::vector<std::uint8_t> code_serial(const compressed_picture& picture, const scan_layout& layout,
                                      const scan_codes& codes) {
  code_words dc[2], ac[2];
  for (int i = 0; i < 2; ++i) dc[i] = words_of(codes.dc[i]), ac[i] = words_of(codes.ac[i]);
  std::vector<std::uint8_t> bytes;
  bit_writer out(bytes);
  for_each_symbol_of_scan(
      picture, layout,
      [&](int block) {
        if (block == 0 || block % layout.blocks_in_interval() != 0) return;
        out.fill();
        const int interval = block / layout.blocks_in_interval();  // which begins here
        out.marker(int(jpeg_marker::restart_0) + (interval - 1) % 8);
      },
      [&](const scan_block& block, const coded_symbol& symbol) {
        const code_word word =
            (symbol.kind == coefficient_kind::dc ? dc : ac)[code_of(block)][std::size_t(symbol.symbol)];
        out.put(word.bits, word.length);
        out.put(symbol.extra, symbol.size);
      });
  out.fill();
  return bytes;
}
// [serial]

std::vector<std::uint8_t> jpeg_file_serial(const compressed_picture& picture, const jpeg_coding& coding) {
  const jpeg_description description = description_of(picture);
  const scan_layout layout = scan_layout_of(picture.width, picture.height, description.channels,
                                            picture.sampling, coding.restart_interval);
  const scan_codes codes = codes_for(picture, layout, coding.optimized);
  std::vector<std::uint8_t> file = jpeg_header(description, codes, coding.restart_interval);
  const std::vector<std::uint8_t> levels = code_serial(picture, layout, codes);
  file.insert(file.end(), levels.begin(), levels.end());
  file.push_back(0xFF);
  file.push_back(std::uint8_t(jpeg_marker::end_of_image));
  return file;
}

}  // namespace tutorial
