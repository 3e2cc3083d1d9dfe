// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "common/files/image_formats.hpp"
#include "common/files/jpeg_errors.hpp"

namespace tutorial::judge {
namespace {

/// Runs calls(jpeg) on a libjpeg object of kind Struct; destroy(jpeg) in any case.
template <class Struct, class Destroy, class Calls>
void with_libjpeg(const Destroy& destroy, const Calls& calls) {
  detail::jpeg_report report;
  Struct jpeg{};
  jpeg.err = &report.manager;
  const bool complete = detail::completes(report.give_up, [&] { calls(&jpeg); });
  destroy(&jpeg);
  if (!complete) throw std::runtime_error(std::string("libjpeg: ") + report.text);
}

template <class Calls>
void compressing(const Calls& calls) {
  with_libjpeg<jpeg_compress_struct>([](j_compress_ptr jpeg) { jpeg_destroy_compress(jpeg); },
                                     [&](j_compress_ptr jpeg) {
                                       jpeg_create_compress(jpeg);
                                       calls(jpeg);
                                     });
}

/// With the file's header read.
template <class Calls>
void decompressing(const bytes& file, const Calls& calls) {
  with_libjpeg<jpeg_decompress_struct>([](j_decompress_ptr jpeg) { jpeg_destroy_decompress(jpeg); },
                                       [&](j_decompress_ptr jpeg) {
                                         jpeg_create_decompress(jpeg);
                                         jpeg_mem_src(jpeg, const_cast<unsigned char*>(file.data()),
                                                      (unsigned long)(file.size()));
                                         jpeg_read_header(jpeg, TRUE);
                                         calls(jpeg);
                                       });
}

/// What stands in the header. `planes` get room for whole 8x8 blocks, and a row of pointers each.
struct header {
  int width = 0, height = 0, components = 0, precision = 0;
  bool sequential = false, jfif = false;
  struct component {
    int h = 0, v = 0, width = 0, height = 0, blocks_wide = 0, blocks_high = 0;
  };
  std::array<component, MAX_COMPONENTS> of = {};

  void take(j_decompress_ptr jpeg) {
    width = int(jpeg->image_width), height = int(jpeg->image_height), components = jpeg->num_components;
    precision = jpeg->data_precision;
    sequential = !jpeg->progressive_mode && !jpeg->arith_code;
    jfif = jpeg->saw_JFIF_marker;
    for (int c = 0; c < components; ++c) {
      const jpeg_component_info& info = jpeg->comp_info[c];
      of[std::size_t(c)] = {info.h_samp_factor,          info.v_samp_factor,
                            int(info.downsampled_width), int(info.downsampled_height),
                            int(info.width_in_blocks),   int(info.height_in_blocks)};
    }
  }
};

header header_of(const bytes& file) {
  header result;
  decompressing(file, [&](j_decompress_ptr jpeg) { result.take(jpeg); });
  return result;
}

template <class T>
std::string first_difference(const plane<T>& got, const plane<T>& expected, int allowed) {
  for (int row = 0; row < expected.height; ++row)
    for (int col = 0; col < expected.width; ++col)
      if (std::abs(int(got.at(row, col)) - int(expected.at(row, col))) > allowed)
        return "row " + std::to_string(row) + ", column " + std::to_string(col) + ": " +
               std::to_string(got.at(row, col)) + ", expected " + std::to_string(expected.at(row, col));
  return "";
}

plane<std::uint8_t> as_plane(const image& picture) {
  return {int(picture.stride()), picture.height(), {picture.pixels().begin(), picture.pixels().end()}};
}

}  // namespace

quantization_table table_of_libjpeg(component_kind kind, int quality) {
  quantization_table result{};
  compressing([&](j_compress_ptr jpeg) {
    jpeg->in_color_space = JCS_YCbCr;
    jpeg->input_components = 3;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, quality, TRUE);
    const JQUANT_TBL* table = jpeg->quant_tbl_ptrs[kind == component_kind::luminance ? 0 : 1];
    std::copy(table->quantval, table->quantval + 64, result.begin());
  });
  return result;
}

bytes file_of_libjpeg(const image& picture, int quality, chroma_sampling sampling, libjpeg_ways ways) {
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  compressing([&](j_compress_ptr jpeg) {
    jpeg_mem_dest(jpeg, &memory, &size);
    jpeg->image_width = JDIMENSION(picture.width());
    jpeg->image_height = JDIMENSION(picture.height());
    jpeg->input_components = picture.channels();
    jpeg->in_color_space = picture.channels() == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, quality, TRUE);
    if (ways == libjpeg_ways::nearest_to_ours) {
      jpeg->optimize_coding = TRUE;
      jpeg->dct_method = JDCT_FLOAT;
    }
    if (picture.channels() == 3)
      jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor =
          sampling == chroma_sampling::s420 ? 2 : 1;
    jpeg_start_compress(jpeg, TRUE);
    const JSAMPLE* row = picture.pixels().data();
    for (int count = 0; count < picture.height(); ++count, row += picture.stride()) {
      JSAMPROW pointer = const_cast<JSAMPROW>(row);
      jpeg_write_scanlines(jpeg, &pointer, 1);
    }
    jpeg_finish_compress(jpeg);
  });
  bytes result(memory, memory + size);
  std::free(memory);
  return result;
}

compressed_picture levels_in(const bytes& file) {
  const header head = header_of(file);
  // Baseline: Huffman codes, sequential, 8 bits, tables of 8-bit numbers; the marker FF C0 says so.
  const std::array<std::uint8_t, 2> start_of_baseline_frame = {0xFF, 0xC0};
  const bool baseline = std::search(file.begin(), file.end(), start_of_baseline_frame.begin(),
                                    start_of_baseline_frame.end()) != file.end();
  if (!head.sequential || !baseline || head.precision != 8 || !head.jfif)
    throw std::runtime_error("the file is not baseline JFIF");
  compressed_picture result{.width = head.width, .height = head.height, .components = {}};
  const bool halves = head.components == 3 && head.of[0].h == 2 && head.of[0].v == 2;
  if (halves) result.sampling = chroma_sampling::s420;
  for (int c = 0; c < head.components; ++c) {
    const header::component& of = head.of[std::size_t(c)];
    if (of.h != (halves && c == 0 ? 2 : 1) || of.v != of.h) throw std::runtime_error("another sampling");
    compressed_component one{.width = of.width, .height = of.height, .levels = {}};
    one.levels = plane<std::int16_t>(8 * of.blocks_wide, 8 * of.blocks_high);
    result.components.push_back(std::move(one));
  }
  decompressing(file, [&](j_decompress_ptr jpeg) {
    jvirt_barray_ptr* arrays = jpeg_read_coefficients(jpeg);
    for (int c = 0; c < head.components; ++c) {
      compressed_component& one = result.components[std::size_t(c)];
      const JQUANT_TBL* table = jpeg->comp_info[c].quant_table;
      std::copy(table->quantval, table->quantval + 64, one.steps.begin());
      for (int row = 0; row < one.levels.height; ++row) {
        JBLOCKARRAY blocks = jpeg->mem->access_virt_barray(reinterpret_cast<j_common_ptr>(jpeg), arrays[c],
                                                           JDIMENSION(row / 8), 1, FALSE);
        for (int col = 0; col < one.levels.width; ++col)
          one.levels.at(row, col) = blocks[0][col / 8][8 * (row % 8) + col % 8];
      }
    }
    jpeg_finish_decompress(jpeg);
  });
  return result;
}

std::vector<plane<std::uint8_t>> samples_in(const bytes& file) {
  const header head = header_of(file);
  int most_h = 1, most_v = 1;
  for (const header::component& of : head.of)
    most_h = std::max(most_h, of.h), most_v = std::max(most_v, of.v);
  // libjpeg delivers rows of MCUs, which are whole 8x8 blocks of every component.
  const auto units = [](int pixels, int factor) { return (pixels + 8 * factor - 1) / (8 * factor); };
  std::vector<plane<std::uint8_t>> whole, result;
  for (int c = 0; c < head.components; ++c) {
    const header::component& of = head.of[std::size_t(c)];
    whole.emplace_back(8 * of.h * units(head.width, most_h), 8 * of.v * units(head.height, most_v));
  }
  std::vector<JSAMPROW> rows(std::size_t(head.components) * 8 * std::size_t(most_v));
  decompressing(file, [&](j_decompress_ptr jpeg) {
    jpeg->raw_data_out = TRUE;
    jpeg->dct_method = JDCT_FLOAT;
    jpeg->do_fancy_upsampling = FALSE;
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
      JSAMPARRAY arrays[3] = {};
      for (int c = 0; c < head.components; ++c) {
        const int v = head.of[std::size_t(c)].v, top = int(jpeg->output_scanline) / most_v * v;
        arrays[c] = rows.data() + 8 * most_v * c;
        for (int row = 0; row < 8 * v; ++row) arrays[c][row] = &whole[std::size_t(c)].at(top + row, 0);
      }
      jpeg_read_raw_data(jpeg, arrays, JDIMENSION(8 * most_v));
    }
    jpeg_finish_decompress(jpeg);
  });
  for (int c = 0; c < head.components; ++c) {
    plane<std::uint8_t> one(head.of[std::size_t(c)].width, head.of[std::size_t(c)].height);
    for (int row = 0; row < one.height; ++row)
      for (int col = 0; col < one.width; ++col) one.at(row, col) = whole[std::size_t(c)].at(row, col);
    result.push_back(std::move(one));
  }
  return result;
}

image pixels_in(const bytes& file, libjpeg_ways ways) {
  const header head = header_of(file);
  image result(head.width, head.height, head.components);
  decompressing(file, [&](j_decompress_ptr jpeg) {
    jpeg->out_color_space = head.components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    if (ways == libjpeg_ways::nearest_to_ours) {
      jpeg->dct_method = JDCT_FLOAT;
      jpeg->do_fancy_upsampling = FALSE;
    }
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
      JSAMPROW row = result.pixels().data() + jpeg->output_scanline * result.stride();
      jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_decompress(jpeg);
  });
  return result;
}

std::string verdict(const bytes& file, const compressed_picture& ours, const image& original, int quality) {
  const compressed_picture read = levels_in(file);
  if (read.width != ours.width || read.height != ours.height || read.sampling != ours.sampling ||
      read.components.size() != ours.components.size() || ours.width != original.width() ||
      ours.height != original.height())
    return "size: " + std::to_string(read.width) + " x " + std::to_string(read.height) + " pixels, " +
           std::to_string(read.components.size()) + " components";
  const std::vector<plane<std::uint8_t>> samples = samples_in(file);
  for (std::size_t c = 0; c < ours.components.size(); ++c) {
    const compressed_component &got = read.components[c], &expected = ours.components[c];
    const std::string of = "component " + std::to_string(c) + ", ";
    if (got.width != expected.width || got.height != expected.height ||
        got.levels.width != expected.levels.width || got.levels.height != expected.levels.height)
      return "size: of component " + std::to_string(c);
    if (got.steps != expected.steps) return "steps: of component " + std::to_string(c);
    if (const std::string where = first_difference(got.levels, expected.levels, 0); !where.empty())
      return "levels: " + of + where;
    const plane<std::uint8_t> decoded =
        decode_serial(expected.levels, expected.steps, expected.width, expected.height);
    if (const std::string where = first_difference(samples[c], decoded, 1); !where.empty())
      return "samples: " + of + where;
  }
  const image pixels = pixels_in(file);
  if (const std::string where = first_difference(as_plane(pixels), as_plane(reconstruct_serial(ours)),
                                                 original.channels() == 1 ? 1 : 3);
      !where.empty())
    return "pixels: " + where;

  const bytes theirs = file_of_libjpeg(original, quality, ours.sampling);
  const compressed_picture their_levels = levels_in(theirs);
  for (std::size_t c = 0; c < ours.components.size(); ++c)
    if (ours.components[c].steps != their_levels.components[c].steps)
      return "tables: of component " + std::to_string(c);
  if (padded(ours.width) / 8 * (padded(ours.height) / 8) < 256) return "";
  const double our_psnr = psnr(original, pixels), their_psnr = psnr(original, pixels_in(theirs));
  if (our_psnr != their_psnr && !(std::abs(our_psnr - their_psnr) <= 0.1))  // equal: both may be infinite
    return "psnr: " + std::to_string(our_psnr) + " dB, libjpeg " + std::to_string(their_psnr) + " dB";
  if (!(std::abs(double(file.size()) / double(theirs.size()) - 1) <= 0.02))
    return "bytes: " + std::to_string(file.size()) + ", libjpeg " + std::to_string(theirs.size());
  return "";
}

}  // namespace tutorial::judge
