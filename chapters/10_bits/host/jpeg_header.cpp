// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_header.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "common/files/exif.hpp"
#include "common/files/image_formats.hpp"
#include "common/files/jpeg_errors.hpp"
#include "jpeg_file.hpp"

namespace tutorial {
namespace {

/// libjpeg, with the head of a file read.
class open_jpeg {
 public:
  explicit open_jpeg(std::span<const std::uint8_t> file) : jpeg(owned_.jpeg) {
    jpeg.err = &report_.manager;
    run([&] {
      jpeg_create_decompress(&jpeg);
      jpeg_mem_src(&jpeg, file.data(), static_cast<unsigned long>(file.size()));
      jpeg_save_markers(&jpeg, JPEG_APP0 + 1, 0xFFFF);  // EXIF
      jpeg_read_header(&jpeg, TRUE);
    });
  }
  open_jpeg(const open_jpeg&) = delete;

  /// Calls of libjpeg. Throws jpeg_refused with its words.
  template <class Calls>
  void run(const Calls& calls) {
    if (!detail::completes(report_.give_up, calls))
      throw jpeg_refused(std::string("libjpeg: ") + report_.text);
  }

  jpeg_decompress_struct& jpeg;

 private:
  struct owner {  // destroyed also where the constructor above throws
    jpeg_decompress_struct jpeg{};
    ~owner() { jpeg_destroy_decompress(&jpeg); }
  };
  detail::jpeg_report report_;
  owner owned_;
};

std::string why_host(const jpeg_decompress_struct& jpeg) {
  if (jpeg.progressive_mode) return "it is progressive";
  if (jpeg.arith_code) return "it is arithmetically coded";
  if (jpeg.comps_in_scan != jpeg.num_components) return "it has several scans";
  if (jpeg.Ss != 0 || jpeg.Se != 63 || jpeg.Ah != 0 || jpeg.Al != 0) return "its scan is not sequential";
  return "";
}

jpeg_colors colors_of(const jpeg_decompress_struct& jpeg) {
  switch (jpeg.jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_RGB:
      return {false, false, false};
    case JCS_YCbCr:
      return {true, false, false};
    case JCS_CMYK:
    case JCS_YCCK:
      return {jpeg.jpeg_color_space == JCS_YCCK, true, jpeg.saw_Adobe_marker != FALSE};
    default:
      throw jpeg_refused("it has " + std::to_string(jpeg.num_components) +
                         " components in an unknown color format");
  }
}

huffman_code code_of(const JHUFF_TBL* table, coefficient_kind kind, int number) {
  huffman_code code;
  if (table == nullptr) {  // moving pictures leave out the standard's
    if (number > 1) throw jpeg_refused("a Huffman code is missing");
    const scan_codes standard = standard_codes();
    return (kind == coefficient_kind::dc ? standard.dc : standard.ac)[number];
  }
  std::copy(table->bits + 1, table->bits + 17, code.counts.begin());
  std::size_t symbols = 0;
  for (const int count : code.counts) symbols += std::size_t(count);
  if (symbols > 256) throw jpeg_refused("a Huffman code has more than 256 symbols");
  code.symbols.assign(table->huffval, table->huffval + symbols);
  if (kind == coefficient_kind::dc && std::ranges::any_of(code.symbols, [](int size) { return size > 15; }))
    throw jpeg_refused("a Huffman code of DCs has a symbol above 15");
  try {
    words_of(code);
  } catch (const std::invalid_argument&) {
    throw jpeg_refused("it has an invalid Huffman code");
  }
  return code;
}

void take_codes(const jpeg_decompress_struct& jpeg, jpeg_head& head) {
  for (int c = 0; c < jpeg.num_components; ++c) {
    const jpeg_component_info& info = *jpeg.cur_comp_info[c];
    if (&info != jpeg.comp_info + c || info.dc_tbl_no > 3 || info.ac_tbl_no > 3)
      throw jpeg_refused("its scan does not name the components of its frame");
    head.of[std::size_t(c)].dc = info.dc_tbl_no;
    head.of[std::size_t(c)].ac = info.ac_tbl_no;
    const auto take = [](huffman_code& to, const JHUFF_TBL* from, coefficient_kind kind, int number) {
      if (to.symbols.empty()) to = code_of(from, kind, number);
    };
    take(head.dc[info.dc_tbl_no], jpeg.dc_huff_tbl_ptrs[info.dc_tbl_no], coefficient_kind::dc,
         info.dc_tbl_no);
    take(head.ac[info.ac_tbl_no], jpeg.ac_huff_tbl_ptrs[info.ac_tbl_no], coefficient_kind::ac,
         info.ac_tbl_no);
    const bool is_known = info.quant_tbl_no >= 0 && info.quant_tbl_no < NUM_QUANT_TBLS;
    const JQUANT_TBL* steps = is_known ? jpeg.quant_tbl_ptrs[info.quant_tbl_no] : nullptr;
    if (steps == nullptr) throw jpeg_refused("a component's quantization table is not in the file");
    std::copy(std::begin(steps->quantval), std::end(steps->quantval), head.of[std::size_t(c)].steps.begin());
  }
}

scan_layout layout_of(const jpeg_decompress_struct& jpeg) {
  scan_layout layout{};
  layout.components = jpeg.num_components;
  layout.restart_interval = int(jpeg.restart_interval);
  const bool is_alone = jpeg.num_components == 1;
  const auto units = [](JDIMENSION pixels, int factor) {
    return (int(pixels) + 8 * factor - 1) / (8 * factor);
  };
  layout.units_wide = units(jpeg.image_width, is_alone ? 1 : jpeg.max_h_samp_factor);
  layout.units_high = units(jpeg.image_height, is_alone ? 1 : jpeg.max_v_samp_factor);
  for (int c = 0; c < jpeg.num_components; ++c) {
    const jpeg_component_info& info = jpeg.comp_info[c];
    const int h = is_alone ? 1 : info.h_samp_factor, v = is_alone ? 1 : info.v_samp_factor;
    const int wide = int(info.width_in_blocks), high = int(info.height_in_blocks);
    layout.of[c] = {h,
                    v,
                    wide,
                    high,
                    layout.blocks_in_unit,
                    wide == h * layout.units_wide && high == v * layout.units_high};
    for (int k = 0; k < h * v; ++k, ++layout.blocks_in_unit)
      if (layout.blocks_in_unit < scan_layout::most_in_unit)
        layout.in_unit[layout.blocks_in_unit] = {c, k % h, k / h};
  }
  return layout;
}

int orientation_of(const jpeg_decompress_struct& jpeg) {
  for (auto segment = jpeg.marker_list; segment != nullptr; segment = segment->next) {
    const int orientation = detail::exif_orientation({segment->data, segment->data_length});
    if (orientation != 1) return orientation;
  }
  return 1;
}

}  // namespace

jpeg_head read_jpeg_head(std::span<const std::uint8_t> file) {
  open_jpeg opened(file);
  const jpeg_decompress_struct& jpeg = opened.jpeg;
  jpeg_head head{};
  head.width = int(jpeg.image_width);
  head.height = int(jpeg.image_height);
  if (jpeg.data_precision != 8)
    throw jpeg_refused("it has " + std::to_string(jpeg.data_precision) +
                       " bits a sample; 8 can be decoded here");
  head.colors = colors_of(jpeg);
  for (int c = 0; c < jpeg.num_components; ++c) {
    const jpeg_component_info& info = jpeg.comp_info[c];
    if (jpeg.max_h_samp_factor % info.h_samp_factor != 0 || jpeg.max_v_samp_factor % info.v_samp_factor != 0)
      throw jpeg_refused("a component has no whole number of pixels to a sample");
    head.of.push_back({int(info.downsampled_width),
                       int(info.downsampled_height),
                       jpeg.max_h_samp_factor / info.h_samp_factor,
                       jpeg.max_v_samp_factor / info.v_samp_factor,
                       0,
                       0,
                       {}});
  }
  head.layout = layout_of(jpeg);
  head.why_host = why_host(jpeg);
  head.orientation = orientation_of(jpeg);
  if (!head.why_host.empty()) return head;
  if (head.layout.blocks_in_unit > scan_layout::most_in_unit)
    throw jpeg_refused("a unit has more than " + std::to_string(scan_layout::most_in_unit) + " blocks");
  take_codes(jpeg, head);
  head.scan_begin = file.size() - jpeg.src->bytes_in_buffer;
  return head;
}

std::vector<std::vector<std::int16_t>> read_levels_on_host(std::span<const std::uint8_t> file,
                                                           jpeg_head& head) {
  open_jpeg opened(file);
  jpeg_decompress_struct& jpeg = opened.jpeg;
  jvirt_barray_ptr* arrays = nullptr;
  opened.run([&] { arrays = jpeg_read_coefficients(&jpeg); });
  std::vector<std::vector<std::int16_t>> levels;
  const auto lacks = [&](int c) {
    return std::any_of(jpeg.coef_bits[c] + 1, jpeg.coef_bits[c] + 64, [](int bits) { return bits != 0; });
  };
  for (int c = 0; c < jpeg.num_components; ++c) {
    const jpeg_component_info& info = jpeg.comp_info[c];
    if (jpeg.progressive_mode && lacks(c)) return {};
    if (info.quant_table == nullptr) throw jpeg_refused("a component has no scan");
    std::copy(std::begin(info.quant_table->quantval), std::end(info.quant_table->quantval),
              head.of[std::size_t(c)].steps.begin());
    std::vector<std::int16_t>& mine = levels.emplace_back();
    mine.reserve(std::size_t(64) * info.width_in_blocks * info.height_in_blocks);
    for (JDIMENSION row = 0; row < info.height_in_blocks; ++row) {
      JBLOCKARRAY blocks = nullptr;
      opened.run([&] {
        blocks =
            jpeg.mem->access_virt_barray(reinterpret_cast<j_common_ptr>(&jpeg), arrays[c], row, 1, FALSE);
      });
      mine.insert(mine.end(), blocks[0][0], blocks[0][0] + std::size_t(64) * info.width_in_blocks);
    }
  }
  return levels;
}

image decode_jpeg_on_host(std::span<const std::uint8_t> file) {
  open_jpeg opened(file);
  jpeg_decompress_struct& jpeg = opened.jpeg;
  const jpeg_colors colors = colors_of(jpeg);
  const int channels = colors.is_printed ? 4 : jpeg.num_components;
  jpeg.out_color_space = channels == 4 ? JCS_CMYK : channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  const std::size_t row_bytes = std::size_t(channels) * jpeg.image_width;
  std::vector<std::uint8_t> samples(row_bytes * jpeg.image_height);
  opened.run([&] {
    jpeg_start_decompress(&jpeg);
    while (jpeg.output_scanline < jpeg.output_height) {
      JSAMPROW row = samples.data() + row_bytes * jpeg.output_scanline;
      jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_decompress(&jpeg);
  });
  if (channels == 4) {
    const auto light = [&](std::uint8_t ink) { return colors.is_inverted ? int{ink} : 255 - ink; };
    for (std::size_t i = 0; i < samples.size() / 4; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        samples[3 * i + k] =
            std::uint8_t((light(samples[4 * i + k]) * light(samples[4 * i + 3]) + 127) / 255);
    samples.resize(samples.size() / 4 * 3);
  }
  return {int(jpeg.image_width), int(jpeg.image_height), std::min(channels, 3), std::move(samples)};
}

}  // namespace tutorial
