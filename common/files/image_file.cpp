// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "image_file.hpp"

#include <cerrno>
#include <new>
#include <string_view>

#include "image_formats.hpp"
#include "input_file.hpp"
#include "numbers.hpp"

namespace tutorial {
namespace {

using std::filesystem::path;

// A name for what is no picture of ours, so that the message can say more than "unknown".
std::string_view name_of(std::string_view begin) {
  const auto has = [&](std::string_view magic, std::size_t at = 0) {
    return begin.size() >= at + magic.size() && begin.substr(at, magic.size()) == magic;
  };
  if (has("GIF8")) return "a GIF";
  if (has("BM")) return "a BMP";
  if (has("RIFF") && has("WEBP", 8)) return "a WebP";
  if (has("II*") || has(std::string_view("MM\0*", 4))) return "a TIFF";
  if (has("ftyp", 4)) return "an AVIF, HEIC or video";
  if (has("jP  ", 4)) return "a JPEG 2000";
  if (has("JXL ", 4)) return "a JPEG XL";
  if (has("%PDF")) return "a PDF";
  if (has("<svg") || has("<?xml")) return "an SVG or another XML file";
  if (has("\x93NUMPY")) return "an array of numbers (.npy)";
  return "something else";
}

}  // namespace

namespace detail {

void fail_image(const path& file, const std::string& why) { throw input_error(file.string() + ": " + why); }

void fail_kind(const path& file, const std::string& kind) {
  fail_image(file, "this is " + kind + ", not PNG, JPEG, PGM or PPM: save the picture as one of these");
}

void fail_truncated(std::FILE* stream, const path& file) {
  if (std::ferror(stream)) fail_reading(file, errno);
  fail_image(file, "the file ends before the picture does: it is truncated; get it again");
}

incoming_pixels::incoming_pixels(const path& file, std::uint64_t width, std::uint64_t height, int channels,
                                 const image_limits& limits) {
  const std::string size = grouped(width) + " x " + grouped(height) + " pixels";
  if (width == 0 || height == 0) fail_image(file, size + ": a picture has at least one pixel");
  // No format here can say 2^31, so that the product of the first two is below 2^62.
  const std::uint64_t pixels = width * height;
  if (pixels > limits.pixel_bytes / std::uint64_t(channels))
    fail_image(file, size + (channels == 1 ? " of 1 byte" : " of 3 bytes") + " are more than the " +
                         bytes_text(double(limits.pixel_bytes)) +
                         " allowed here: scale or crop it first, or allow more with --max-image");
  width_ = int(width);
  height_ = int(height);
  channels_ = channels;
  stride_ = std::size_t(width) * std::size_t(channels);
  try {
    pixels_.reserve(stride_ * std::size_t(height));
  } catch (const std::bad_alloc&) {
    fail_image(file, "not enough memory for " + size + ": scale or crop it first");
  }
}

std::uint8_t* incoming_pixels::add_row() {
  const std::size_t begin = pixels_.size();
  pixels_.resize(begin + stride_);
  return pixels_.data() + begin;
}

image incoming_pixels::finish() && { return image(width_, height_, channels_, std::move(pixels_)); }

}  // namespace detail

image read_image(const path& file, const image_limits& limits) {
  const input_stream stream = open_input(file);
  // One byte tells the formats apart, and one byte can always be put back, even into a pipe.
  const int first = std::getc(stream.get());
  if (first == EOF) {
    if (std::ferror(stream.get())) fail_reading(file, errno);
    detail::fail_image(file, "the file is empty");
  }
  std::ungetc(first, stream.get());
  if (first == 0x89) return detail::parse_png(stream.get(), file, limits);
  if (first == 0xFF) return detail::parse_jpeg(stream.get(), file, limits);
  if (first == 'P') return detail::parse_pnm(stream.get(), file, limits);
  char begin[16];
  const std::size_t count = std::fread(begin, 1, sizeof begin, stream.get());
  detail::fail_kind(file, std::string(name_of({begin, count})));
}

void write_png(const path& file, const image& picture) {
  output_file out(file);
  detail::print_png(out, picture);
  out.commit();
}

void write_pnm(const path& file, const image& picture) {
  output_file out(file);
  out.write((picture.channels() == 1 ? "P5\n" : "P6\n") + std::to_string(picture.width()) + " " +
            std::to_string(picture.height()) + "\n255\n");
  out.write(picture.pixels().data(), picture.pixels().size());
  out.commit();
}

}  // namespace tutorial
