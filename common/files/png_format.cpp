// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <png.h>

#include <cstring>
#include <exception>
#include <new>
#include <optional>

#include "exif.hpp"
#include "image_formats.hpp"

namespace tutorial::detail {
namespace {

using std::filesystem::path;

// What libpng's callbacks, which are called from C and must not throw, leave for us.
struct png_report {
  std::jmp_buf give_up;
  char error[128] = "";
  char header_warning[128] = "";  // the reason behind the bare "Invalid IHDR data"
  bool animated = false;
  int orientation = 1;
  output_file* out = nullptr;
  std::exception_ptr write_failure;
};

png_report& report_of(png_structp png) { return *static_cast<png_report*>(png_get_error_ptr(png)); }

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  png_report& report = report_of(png);
  std::snprintf(report.error, sizeof report.error, "%s", message);
  std::longjmp(report.give_up, 1);
}

void on_warning(png_structp png, png_const_charp message) {
  png_report& report = report_of(png);
  if (std::strstr(message, "IHDR") != nullptr)
    std::snprintf(report.header_warning, sizeof report.header_warning, "%s", message);
}

// libpng calls it for every chunk that it does not know, and for ours. A reader may skip these, but the first
// picture of an animation is not what somebody means who gives one, nor a picture that lies on its side.
int on_unknown_chunk(png_structp png, png_unknown_chunkp chunk) {
  png_report& report = *static_cast<png_report*>(png_get_user_chunk_ptr(png));
  if (std::memcmp(chunk->name, "acTL", 4) == 0) report.animated = true;
  if (std::memcmp(chunk->name, "eXIf", 4) == 0)
    report.orientation = exif_orientation({chunk->data, chunk->size});
  return 1;  // taken care of: do not keep it
}

// Apart from on_write(), so that no exception and no destructor is alive where that one jumps.
bool write_without_throwing(png_report& report, const void* bytes, std::size_t size) noexcept {
  try {
    report.out->write(bytes, size);
    return true;
  } catch (...) {
    report.write_failure = std::current_exception();
    return false;
  }
}

void on_write(png_structp png, png_bytep bytes, std::size_t size) {
  png_report& report = *static_cast<png_report*>(png_get_io_ptr(png));
  if (!write_without_throwing(report, bytes, size)) png_error(png, "write");
}

void on_flush(png_structp) {}

class png_reader {
 public:
  explicit png_reader(png_report& report)
      : png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &report, on_error, on_warning)),
        info_(png_ != nullptr ? png_create_info_struct(png_) : nullptr) {
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
  }
  ~png_reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  png_reader(const png_reader&) = delete;

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }

 private:
  png_structp png_;
  png_infop info_;
};

class png_writer {
 public:
  explicit png_writer(png_report& report)
      : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, &report, on_error, on_warning)),
        info_(png_ != nullptr ? png_create_info_struct(png_) : nullptr) {
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, nullptr);
      throw std::bad_alloc();
    }
  }
  ~png_writer() { png_destroy_write_struct(&png_, &info_); }
  png_writer(const png_writer&) = delete;

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }

 private:
  png_structp png_;
  png_infop info_;
};

[[noreturn]] void fail_png(const png_report& report, std::FILE* stream, const path& file) {
  if (std::feof(stream) || std::ferror(stream)) fail_truncated(stream, file);
  fail_image(file, std::string("the PNG is damaged (") +
                       (report.header_warning[0] != '\0' ? report.header_warning : report.error) +
                       "): get it again");
}

}  // namespace

image parse_png(std::FILE* stream, const path& file, const image_limits& limits) {
  png_report report;
  const png_reader reader(report);
  const png_structp png = reader.png();
  const png_infop info = reader.info();
  const auto run = [&](const auto& calls) {
    if (!completes(report.give_up, calls)) fail_png(report, stream, file);
  };

  png_uint_32 width = 0, height = 0;
  int depth = 0, color = 0, interlaced = 0;
  bool transparent = false;
  run([&] {
    png_init_io(png, stream);
    // Our own limit decides, with its own words.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // A chunk that is damaged may be the one that says that pixels are transparent.
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_chunk_malloc_max(png, 0);  // a chunk that we skip may be long
    // libpng may know these itself, and would not show them to us.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, reinterpret_cast<png_const_bytep>("acTL\0eXIf"),
                                2);
    png_set_read_user_chunk_fn(png, &report, on_unknown_chunk);
    png_read_info(png, info);
    png_get_IHDR(png, info, &width, &height, &depth, &color, &interlaced, nullptr, nullptr);
    transparent = (color & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0;
  });
  if (report.animated)
    fail_image(file, "this PNG is an animation: save one of its pictures as a file of its own");
  if (transparent)
    fail_image(file, "this PNG has transparency (an alpha channel or a transparent color): save it without");
  if (depth == 16)
    fail_image(file, "this PNG has 16 bits per channel, and only 8 can be used here: save it with 8");

  // libpng would turn indices into RGB itself, but with black for an index that the palette does not have.
  const bool indexed = color == PNG_COLOR_TYPE_PALETTE;
  const int channels = (color & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1;
  incoming_pixels pixels(file, width, height, channels, limits);
  std::optional<incoming_pixels> indices;
  if (indexed) indices.emplace(file, width, height, 1, limits);
  incoming_pixels& read = indexed ? *indices : pixels;

  int passes = 1;
  std::size_t stride = 0;
  run([&] {
    if (indexed)
      png_set_packing(png);  // to one byte each
    else
      png_set_expand_gray_1_2_4_to_8(png);
    passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    stride = png_get_rowbytes(png, info);
  });
  if (stride != read.stride()) fail_image(file, "this kind of PNG is not read here: save it as 8-bit RGB");

  // The passes of an interlaced picture come back to the same rows.
  std::uint8_t* first_row = nullptr;
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t row = 0; row < height; ++row) {
      std::uint8_t* const here = pass == 0 ? read.add_row() : first_row + row * stride;
      if (first_row == nullptr) first_row = here;
      run([&] { png_read_row(png, here, nullptr); });
    }
  // To the last chunk: without it the file is truncated, even though all pixels are there.
  run([&] { png_read_end(png, info); });
  if (!indexed) return upright(std::move(pixels).finish(), report.orientation);

  png_colorp palette = nullptr;
  int colors = 0;
  run([&] { png_get_PLTE(png, info, &palette, &colors); });
  for (std::size_t row = 0; row < height; ++row) {
    std::uint8_t* to = pixels.add_row();
    for (std::size_t col = 0; col < width; ++col) {
      const int index = first_row[row * stride + col];
      if (index >= colors)
        fail_image(file,
                   "the PNG is damaged (a pixel has a color that its palette does not have): get it again");
      *to++ = palette[index].red;
      *to++ = palette[index].green;
      *to++ = palette[index].blue;
    }
  }
  return upright(std::move(pixels).finish(), report.orientation);
}

void print_png(output_file& out, const image& picture) {
  png_report report;
  report.out = &out;
  const png_writer writer(report);
  const png_structp png = writer.png();
  const png_infop info = writer.info();
  const bool complete = completes(report.give_up, [&] {
    png_set_write_fn(png, &report, on_write, on_flush);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png, info, png_uint_32(picture.width()), png_uint_32(picture.height()), 8,
                 picture.channels() == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // Said outright, so that another default of another libpng does not change the bytes.
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
    png_set_compression_level(png, 6);
    png_write_info(png, info);
    const std::uint8_t* row = picture.pixels().data();
    for (int count = 0; count < picture.height(); ++count, row += picture.stride()) png_write_row(png, row);
    png_write_end(png, info);
  });
  if (report.write_failure) std::rethrow_exception(report.write_failure);
  if (!complete) throw std::runtime_error(std::string("libpng cannot write this picture: ") + report.error);
}

}  // namespace tutorial::detail
