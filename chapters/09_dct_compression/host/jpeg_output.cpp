// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_output.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/files/image_formats.hpp"
#include "common/files/input_error.hpp"
#include "common/files/jpeg_errors.hpp"
#include "common/files/numbers.hpp"
#include "common/files/output_file.hpp"

#include <jerror.h>  // needs jpeglib.h, which comes with jpeg_errors.hpp

namespace tutorial {
namespace {

static_assert(most_jpeg_pixels == JPEG_MAX_DIMENSION);

bool too_large(const compressed_picture& picture) {
  return picture.width > most_jpeg_pixels || picture.height > most_jpeg_pixels;
}

std::string size_refused(const compressed_picture& picture) {
  return grouped(std::uint64_t(picture.width)) + " x " + grouped(std::uint64_t(picture.height)) +
         " pixels: a JPEG can have at most " + grouped(most_jpeg_pixels) + " in each direction";
}

/// What libjpeg would not notice, and would read or write beyond our arrays for, or write as another number.
void require_baseline(const compressed_picture& picture, const libjpeg_coding& coding) {
  const auto require = [](bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(std::string("jpeg_bytes: ") + what);
  };
  require(0 <= coding.restart_interval && coding.restart_interval <= 65535,
          "an interval between restart markers that is not 0 to 65535");
  require(picture.width >= 1 && picture.height >= 1, "a picture without pixels");
  if (too_large(picture)) throw std::invalid_argument("jpeg_bytes: " + size_refused(picture));
  require(picture.components.size() == 1 || picture.components.size() == 3,
          "neither one component nor three");
  for (std::size_t c = 0; c < picture.components.size(); ++c) {
    const compressed_component& one = picture.components[c];
    const bool halves = c > 0 && picture.sampling == chroma_sampling::s420;
    require(one.width == (halves ? half_as_many(picture.width) : picture.width) &&
                one.height == (halves ? half_as_many(picture.height) : picture.height),
            "a component's size does not fit the picture's");
    require(one.levels.width == padded(one.width) && one.levels.height == padded(one.height),
            "a component's levels do not fill whole 8x8 blocks");
    for (const std::uint16_t step : one.steps)
      require(step >= 1 && step <= 255, "a step that is not 1 to 255");
    for (int row = 0; row < one.levels.height; ++row)
      for (int col = 0; col < one.levels.width; ++col) {
        const int level = one.levels.at(row, col);
        const bool dc = row % 8 == 0 && col % 8 == 0;
        require(level <= 1023 && level >= (dc ? -1024 : -1023), "a level that baseline has no code for");
      }
  }
}

/// A libjpeg destination that collects bytes.
struct byte_sink {
  jpeg_destination_mgr manager{};  // first: libjpeg knows only this part
  std::vector<std::uint8_t> bytes;
  JOCTET buffer[1 << 14];

  byte_sink() {
    manager.init_destination = [](j_compress_ptr jpeg) { of(jpeg).reset(); };
    manager.empty_output_buffer = [](j_compress_ptr jpeg) -> boolean {
      take(jpeg, sizeof buffer);
      of(jpeg).reset();
      return TRUE;
    };
    manager.term_destination = [](j_compress_ptr jpeg) {
      take(jpeg, sizeof buffer - of(jpeg).manager.free_in_buffer);
    };
  }
  byte_sink(const byte_sink&) = delete;

 private:
  static byte_sink& of(j_compress_ptr jpeg) { return *reinterpret_cast<byte_sink*>(jpeg->dest); }

  void reset() {
    manager.next_output_byte = buffer;
    manager.free_in_buffer = sizeof buffer;
  }
  // Apart from take(), so that no exception is alive where that one jumps.
  bool append_without_throwing(std::size_t count) noexcept {
    try {
      bytes.insert(bytes.end(), buffer, buffer + count);
      return true;
    } catch (...) {
      return false;
    }
  }
  static void take(j_compress_ptr jpeg, std::size_t count) {
    if (of(jpeg).append_without_throwing(count)) return;
    jpeg->err->msg_code = 0;  // what jpeg_report hands on as its code: no error of libjpeg's own
    jpeg->err->error_exit(reinterpret_cast<j_common_ptr>(jpeg));
  }
};

class jpeg_writer {
 public:
  explicit jpeg_writer(detail::jpeg_report& report) { jpeg_.err = &report.manager; }
  // Right even if jpeg_create_compress() has not been reached: `mem` is still null then.
  ~jpeg_writer() { jpeg_destroy_compress(&jpeg_); }
  jpeg_writer(const jpeg_writer&) = delete;

  j_compress_ptr jpeg() { return &jpeg_; }

 private:
  jpeg_compress_struct jpeg_{};
};

/// Everything about the file but its levels.
void describe_file(j_compress_ptr jpeg, const compressed_picture& picture, const libjpeg_coding& coding) {
  jpeg->image_width = JDIMENSION(picture.width);
  jpeg->image_height = JDIMENSION(picture.height);
  jpeg->input_components = int(picture.components.size());
  jpeg->in_color_space = picture.components.size() == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
  jpeg_set_defaults(jpeg);  // JFIF, and the file's colors are those just named
  jpeg->optimize_coding = coding.optimized ? TRUE : FALSE;
  jpeg->restart_interval = unsigned(coding.restart_interval);
#if JPEG_LIB_VERSION >= 80
  // This version could scale pictures while it compresses them, and expects to be told that it does not.
  jpeg->jpeg_width = jpeg->image_width;
  jpeg->jpeg_height = jpeg->image_height;
#endif
#if JPEG_LIB_VERSION >= 70
  jpeg->min_DCT_h_scaled_size = jpeg->min_DCT_v_scaled_size = DCTSIZE;
#endif
  for (std::size_t c = 0; c < picture.components.size(); ++c) {
    jpeg_component_info& info = jpeg->comp_info[c];
    info.h_samp_factor = info.v_samp_factor =
        c == 0 && picture.components.size() == 3 && picture.sampling == chroma_sampling::s420 ? 2 : 1;
    // The file holds each table once: Cb and Cr usually share theirs.
    info.quant_tbl_no = c == 2 && picture.components[2].steps == picture.components[1].steps ? 1 : int(c);
    unsigned table[64];  // in the order of the matrix: libjpeg itself brings it into zig-zag order
    std::copy(picture.components[c].steps.begin(), picture.components[c].steps.end(), table);
    jpeg_add_quant_table(jpeg, info.quant_tbl_no, table, 100, TRUE);
  }
}

/// libjpeg's array of 8x8 blocks for a component. For 4:2:0 its unit is 2 x 2 blocks of Y: the number is
/// rounded up to that. libjpeg itself fills the blocks beyond the picture with the DC before them and zeros.
jvirt_barray_ptr request_blocks(j_compress_ptr jpeg, int c, const compressed_component& one) {
  const auto rounded_up = [](int blocks, int factor) {
    return JDIMENSION((blocks + factor - 1) / factor * factor);
  };
  const jpeg_component_info& info = jpeg->comp_info[c];
  return jpeg->mem->request_virt_barray(reinterpret_cast<j_common_ptr>(jpeg), JPOOL_IMAGE, TRUE,
                                        rounded_up(one.levels.width / 8, info.h_samp_factor),
                                        rounded_up(one.levels.height / 8, info.v_samp_factor),
                                        JDIMENSION(info.v_samp_factor));
}

void copy_blocks(j_compress_ptr jpeg, jvirt_barray_ptr to, const compressed_component& one) {
  for (int block_row = 0; block_row < one.levels.height / 8; ++block_row) {
    JBLOCKARRAY blocks = jpeg->mem->access_virt_barray(reinterpret_cast<j_common_ptr>(jpeg), to,
                                                       JDIMENSION(block_row), 1, TRUE);
    for (int block = 0; block < one.levels.width / 8; ++block)
      for (int v = 0; v < 8; ++v)
        std::memcpy(blocks[0][block] + 8 * v, &one.levels.at(8 * block_row + v, 8 * block),
                    8 * sizeof(JCOEF));
  }
}

static_assert(sizeof(JCOEF) == sizeof(std::int16_t));

}  // namespace

std::vector<std::uint8_t> jpeg_bytes(const compressed_picture& picture, const libjpeg_coding& coding) {
  require_baseline(picture, coding);
  byte_sink sink;
  detail::jpeg_report report;
  jpeg_writer writer(report);
  const j_compress_ptr jpeg = writer.jpeg();
  const bool complete = detail::completes(report.give_up, [&] {
    // [write]
    jpeg_create_compress(jpeg);
    jpeg->dest = &sink.manager;
    describe_file(jpeg, picture, coding);
    jvirt_barray_ptr arrays[3] = {};
    const int components = int(picture.components.size());
    for (int c = 0; c < components; ++c)
      arrays[c] = request_blocks(jpeg, c, picture.components[std::size_t(c)]);
    jpeg_write_coefficients(jpeg, arrays);  // makes the arrays, and writes what comes before the levels
    for (int c = 0; c < components; ++c) copy_blocks(jpeg, arrays[c], picture.components[std::size_t(c)]);
    jpeg_finish_compress(jpeg);
    // [write]
  });
  if (complete) return std::move(sink.bytes);
  if (report.code == 0 || report.code == JERR_OUT_OF_MEMORY) throw std::bad_alloc();
  throw std::runtime_error(std::string("libjpeg cannot write this picture: ") + report.text);
}

void write_jpeg(const std::filesystem::path& file, const compressed_picture& picture) {
  if (too_large(picture))
    throw input_error(file.string() + ": " + size_refused(picture) + "; scale or crop it first");
  const std::vector<std::uint8_t> bytes = jpeg_bytes(picture);
  output_file out(file);
  out.write(bytes.data(), bytes.size());
  out.commit();
}

}  // namespace tutorial
