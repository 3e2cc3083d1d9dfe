// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "libjpeg_files.hpp"

#include <cstddef>
#include <cstdio>  // before jpeglib.h, which needs FILE
#include <cstdlib>

#include <jpeglib.h>

namespace tutorial {
namespace {

using bytes = std::vector<std::uint8_t>;

}  // namespace

// libjpeg's own errors end the program: these files are good.
bytes file_by_libjpeg(const image& picture, const libjpeg_kind& kind) {
  jpeg_error_mgr errors;
  jpeg_compress_struct jpeg{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &memory, &size);
  const bool has_black = kind.colors == libjpeg_kind::cmyk || kind.colors == libjpeg_kind::ycck;
  jpeg.image_width = JDIMENSION(picture.width());
  jpeg.image_height = JDIMENSION(picture.height());
  jpeg.input_components = has_black ? 4 : picture.channels();
  jpeg.in_color_space = has_black ? JCS_CMYK : picture.channels() == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&jpeg);
  if (kind.colors == libjpeg_kind::rgb) jpeg_set_colorspace(&jpeg, JCS_RGB);
  if (kind.colors == libjpeg_kind::ycck) jpeg_set_colorspace(&jpeg, JCS_YCCK);
  jpeg_set_quality(&jpeg, kind.quality, kind.is_baseline ? TRUE : FALSE);
  for (std::size_t c = 0; c < kind.sampling.size() && int(c) < jpeg.num_components; ++c) {
    jpeg.comp_info[c].h_samp_factor = kind.sampling[c] / 10;
    jpeg.comp_info[c].v_samp_factor = kind.sampling[c] % 10;
  }
  jpeg.restart_interval = unsigned(kind.restart_interval);
  jpeg.optimize_coding = kind.is_optimized ? TRUE : FALSE;
  jpeg.arith_code = kind.is_arithmetic ? TRUE : FALSE;
  if (kind.is_progressive) jpeg_simple_progression(&jpeg);
  jpeg_scan_info scans[4] = {};
  if (kind.has_scans) {
    for (int c = 0; c < jpeg.num_components; ++c) scans[c] = {1, {c}, 0, 63, 0, 0};
    jpeg.scan_info = scans;
    jpeg.num_scans = jpeg.num_components;
  }
  jpeg_start_compress(&jpeg, TRUE);
  for (int row = 0; row < picture.height(); ++row) {
    bytes line;
    for (int col = 0; col < picture.width(); ++col) {
      for (int c = 0; c < picture.channels(); ++c)
        line.push_back(std::uint8_t(has_black ? 255 - picture.at(row, col, c) : picture.at(row, col, c)));
      if (has_black) line.push_back(std::uint8_t(5 * row + 3 * col));
    }
    JSAMPROW pointer = line.data();
    jpeg_write_scanlines(&jpeg, &pointer, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  const bytes result(memory, memory + size);
  std::free(memory);
  return result;
}

bytes inks_by_libjpeg(const bytes& file) {
  jpeg_error_mgr errors;
  jpeg_decompress_struct jpeg{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, file.data(), static_cast<unsigned long>(file.size()));
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = JCS_CMYK;
  jpeg_start_decompress(&jpeg);
  const std::size_t stride = std::size_t(jpeg.output_width) * 4;
  bytes result(stride * jpeg.output_height);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = result.data() + jpeg.output_scanline * stride;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
  return result;
}

bytes exif_with_orientation(int orientation) {
  return {0xFF, 0xE1, 0, 34, 'E', 'x', 'i', 'f', 0, 0, 'M', 'M', 0, 42, 0,
          0,    0,    8, 0,  1,   1,   18,  0,   3, 0, 0,   0,   1, 0,  std::uint8_t(orientation),
          0,    0,    0, 0,  0,   0};
}

}  // namespace tutorial
