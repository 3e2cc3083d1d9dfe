// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_errors.hpp"  // before jerror.h, which needs jpeglib.h

#include <jerror.h>

#include "exif.hpp"
#include "image_formats.hpp"

namespace tutorial::detail {
namespace {

using std::filesystem::path;

class jpeg_reader {
 public:
  explicit jpeg_reader(jpeg_report& report) { jpeg_.err = &report.manager; }
  // Right even if jpeg_create_decompress() has not been reached: `mem` is still null then.
  ~jpeg_reader() { jpeg_destroy_decompress(&jpeg_); }
  jpeg_reader(const jpeg_reader&) = delete;

  j_decompress_ptr jpeg() { return &jpeg_; }

 private:
  jpeg_decompress_struct jpeg_{};
};

[[noreturn]] void fail_channels(const jpeg_decompress_struct& jpeg, const path& file) {
  fail_image(file, "this JPEG has " + std::to_string(jpeg.num_components) +
                       " channels, neither gray nor RGB: save it as RGB");
}

[[noreturn]] void fail_jpeg(const jpeg_report& report, const jpeg_decompress_struct& jpeg, std::FILE* stream,
                            const path& file) {
  switch (report.code) {
    case JWRN_JPEG_EOF:
    case JERR_INPUT_EOF:
    case JERR_INPUT_EMPTY:
      fail_truncated(stream, file);
    case JERR_BAD_PRECISION:
      fail_image(file, "this JPEG does not have 8 bits per channel: save it with 8");
    case JERR_SOF_UNSUPPORTED:
    case JERR_UNKNOWN_MARKER:
    case JERR_FRACT_SAMPLE_NOTIMPL:
      fail_image(
          file,
          "this JPEG is lossless, hierarchical or of another rare kind: save it as a usual JPEG, or as PNG");
    case JERR_EMPTY_IMAGE:
      if (jpeg.image_width != 0 && jpeg.num_components != 0)
        fail_image(file,
                   "this JPEG gives its height behind the pixels (DNL): save it as a usual JPEG, or as PNG");
      fail_image(file, "the JPEG has no pixels (its header says a width or height of 0): get it again");
    case JERR_IMAGE_TOO_BIG:
      fail_image(file, "this JPEG is more than 65,500 pixels wide or high: scale or crop it first");
    case JERR_COMPONENT_COUNT:
      fail_channels(jpeg, file);
    case JERR_NO_IMAGE:
    case JERR_NO_QUANT_TABLE:
    case JERR_NO_HUFF_TABLE:
      fail_image(file, "this is a part of a JPEG, tables or a picture alone: the rest is in another file");
    case JERR_NO_SOI: {
      const int second = report.manager.msg_parm.i[1];
      fail_kind(file, second == 0x0A ? "a JPEG XL" : second == 0x4F ? "a JPEG 2000" : "something else");
    }
    case JERR_OUT_OF_MEMORY:
      fail_image(file, "not enough memory for this picture: scale or crop it first");
    default:
      fail_image(file, std::string("the JPEG is damaged (") + report.text + "): get it again");
  }
}

int orientation_of(const jpeg_decompress_struct& jpeg) {
  for (auto segment = jpeg.marker_list; segment != nullptr; segment = segment->next) {
    const int orientation = exif_orientation({segment->data, segment->data_length});
    if (orientation != 1) return orientation;
  }
  return 1;
}

}  // namespace

image parse_jpeg(std::FILE* stream, const path& file, const image_limits& limits) {
  jpeg_report report;
  jpeg_reader reader(report);
  const j_decompress_ptr jpeg = reader.jpeg();
  const auto run = [&](const auto& calls) {
    if (!completes(report.give_up, calls)) fail_jpeg(report, *jpeg, stream, file);
  };

  run([&] {
    jpeg_create_decompress(jpeg);
    jpeg_stdio_src(jpeg, stream);
    jpeg_save_markers(jpeg, JPEG_APP0 + 1, 0xFFFF);  // EXIF
    jpeg_read_header(jpeg, TRUE);
  });
  switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE:
      jpeg->out_color_space = JCS_GRAYSCALE;
      break;
    case JCS_YCbCr:
    case JCS_RGB:
      jpeg->out_color_space = JCS_RGB;
      break;
    case JCS_CMYK:
    case JCS_YCCK:
      fail_image(file, "this JPEG is CMYK, colors for a printer: save it as RGB");
    default:
      fail_channels(*jpeg, file);
  }
  incoming_pixels pixels(file, jpeg->image_width, jpeg->image_height,
                         jpeg->out_color_space == JCS_RGB ? 3 : 1, limits);
  const int orientation = orientation_of(*jpeg);  // with the end of the file, libjpeg forgets the segments
  jpeg->dct_method = JDCT_ISLOW;
  jpeg->do_fancy_upsampling = TRUE;
  run([&] { jpeg_start_decompress(jpeg); });
  while (jpeg->output_scanline < jpeg->output_height) {
    JSAMPROW row = pixels.add_row();
    run([&] { jpeg_read_scanlines(jpeg, &row, 1); });
  }
  // To the end marker: without it the file is truncated, even though all pixels are there.
  run([&] { jpeg_finish_decompress(jpeg); });
  return upright(std::move(pixels).finish(), orientation);
}

}  // namespace tutorial::detail
