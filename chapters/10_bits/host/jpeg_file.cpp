// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_file.hpp"

#include <cstddef>
#include <initializer_list>

#include "09_dct_compression/host/quantization.hpp"

namespace tutorial {
namespace {

/// A file's header, as it grows.
class segments {
 public:
  /// A marker, the length of what follows it (the two bytes of the length included), and that.
  void segment(jpeg_marker marker, const std::vector<std::uint8_t>& content) {
    put({0xFF, int(marker)});
    number(int(content.size()) + 2);
    bytes_.insert(bytes_.end(), content.begin(), content.end());
  }
  void put(std::initializer_list<int> values) {
    for (const int value : values) bytes_.push_back(std::uint8_t(value));
  }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  void number(int value) { put({value >> 8, value & 255}); }

  std::vector<std::uint8_t> bytes_;
};

std::vector<std::uint8_t> bytes(std::initializer_list<int> values) {
  std::vector<std::uint8_t> result;
  for (const int value : values) result.push_back(std::uint8_t(value));
  return result;
}

std::vector<std::uint8_t> quantization_segment(int number, const quantization_table& steps) {
  std::vector<std::uint8_t> content = bytes({number});
  for (const std::uint8_t place : zigzag_order()) content.push_back(std::uint8_t(steps[place]));
  return content;
}

std::vector<std::uint8_t> code_segment(coefficient_kind kind, int number, const huffman_code& code) {
  std::vector<std::uint8_t> content = bytes({(kind == coefficient_kind::ac ? 0x10 : 0) | number});
  content.insert(content.end(), code.counts.begin(), code.counts.end());
  content.insert(content.end(), code.symbols.begin(), code.symbols.end());
  return content;
}

}  // namespace

scan_codes standard_codes() {
  scan_codes codes;
  for (int i = 0; i < 2; ++i) {
    const component_kind kind = i == 0 ? component_kind::luminance : component_kind::chrominance;
    codes.dc[i] = standard_code(kind, coefficient_kind::dc);
    codes.ac[i] = standard_code(kind, coefficient_kind::ac);
  }
  return codes;
}

jpeg_description description_of(const compressed_picture& picture) {
  jpeg_description result{
      picture.width, picture.height, int(picture.components.size()), picture.sampling, {}};
  for (std::size_t c = 0; c < picture.components.size(); ++c) result.steps[c] = picture.components[c].steps;
  return result;
}

std::vector<std::uint8_t> jpeg_header(const jpeg_description& picture, const scan_codes& codes,
                                      int restart_interval) {
  const bool color = picture.channels == 3;
  const int factor = color && picture.sampling == chroma_sampling::s420 ? 2 : 1;
  // A file holds each table once: Cb and Cr usually share theirs.
  const bool shared = color && picture.steps[1] == picture.steps[2];
  segments file;
  file.put({0xFF, int(jpeg_marker::start_of_image)});
  file.segment(jpeg_marker::application_0,  // version 1.01, pixels as wide as high, no small picture
               bytes({'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0}));
  for (int c = 0; c < (color ? (shared ? 2 : 3) : 1); ++c)
    file.segment(jpeg_marker::quantization_tables, quantization_segment(c, picture.steps[c]));

  std::vector<std::uint8_t> frame = bytes({8, picture.height >> 8, picture.height & 255, picture.width >> 8,
                                           picture.width & 255, picture.channels});
  std::vector<std::uint8_t> scan = bytes({picture.channels});
  for (int c = 0; c < picture.channels; ++c) {
    const int own = c == 0 ? factor : 1, table = shared && c == 2 ? 1 : c, code = c == 0 ? 0 : 1;
    for (const int value : {c + 1, own << 4 | own, table}) frame.push_back(std::uint8_t(value));
    for (const int value : {c + 1, code << 4 | code}) scan.push_back(std::uint8_t(value));
  }
  file.segment(jpeg_marker::baseline_frame, frame);
  for (int i = 0; i < (color ? 2 : 1); ++i) {
    file.segment(jpeg_marker::huffman_codes, code_segment(coefficient_kind::dc, i, codes.dc[i]));
    file.segment(jpeg_marker::huffman_codes, code_segment(coefficient_kind::ac, i, codes.ac[i]));
  }
  if (restart_interval != 0)
    file.segment(jpeg_marker::restart_interval, bytes({restart_interval >> 8, restart_interval & 255}));
  for (const int value : {0, 63, 0}) scan.push_back(std::uint8_t(value));  // all coefficients, all their bits
  file.segment(jpeg_marker::start_of_scan, scan);
  return file.take();
}

}  // namespace tutorial
