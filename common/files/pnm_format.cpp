// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "image_formats.hpp"
#include "numbers.hpp"

namespace tutorial::detail {
namespace {

using std::filesystem::path;

// https://netpbm.sourceforge.net/doc/pgm.html and ppm.html
class pnm_reader {
 public:
  pnm_reader(std::FILE* stream, const path& file, const image_limits& limits)
      : stream_(stream), file_(file), limits_(limits) {}

  image read() {
    const bool plain = kind();
    const std::uint64_t width = number("the width", most_number);
    const std::uint64_t height = number("the height", most_number);
    largest_ = unsigned(number("the largest value", most_number));
    if (largest_ == 0) fail_image(file_, "the largest value is 0: it must be 1 to 255");
    if (largest_ > 255)
      fail_image(file_,
                 "values up to " + grouped(largest_) +
                     " take more than 8 bits per channel, and only 8 can be used here: save it with 8");
    end_of_header();
    incoming_pixels pixels(file_, width, height, channels_, limits_);
    for (int row = 0; row < pixels.height(); ++row) {
      std::uint8_t* const here = pixels.add_row();
      if (plain) {
        for (std::size_t n = 0; n < pixels.stride(); ++n)
          here[n] = std::uint8_t(number("a value", largest_, row));
      } else if (std::fread(here, 1, pixels.stride(), stream_) != pixels.stride()) {
        fail_truncated(stream_, file_);
      }
      scale(here, pixels.stride(), row);
    }
    if (skip_blanks(plain) != EOF)
      fail_image(file_,
                 "the file goes on after the last pixel: its header names another size, or it holds "
                 "several pictures; save one of them by itself");
    if (std::ferror(stream_)) fail_truncated(stream_, file_);
    return std::move(pixels).finish();
  }

 private:
  static constexpr std::uint64_t most_number = 2147483647;

  static bool blank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  // Sets channels_; true if the values are written as text.
  bool kind() {
    getc_unlocked(stream_);  // the P
    const int digit = getc_unlocked(stream_);
    if (digit == '1' || digit == '4')
      fail_image(file_, "this is a PBM, black and white only: save it as PGM");
    if (digit == '7' || digit == 'F' || digit == 'f')
      fail_image(file_, "this is a PAM or PFM: save it as PGM, PPM or PNG");
    if (digit != '2' && digit != '3' && digit != '5' && digit != '6') fail_kind(file_, "something else");
    channels_ = digit == '2' || digit == '5' ? 1 : 3;
    return digit == '2' || digit == '3';
  }

  // The first character behind white space and, with comments, what follows a # on its line.
  int skip_blanks(bool comments) {
    int c = getc_unlocked(stream_);
    while (blank(c) || (comments && c == '#')) {
      if (c == '#')
        while (c != '\n' && c != '\r' && c != EOF) c = getc_unlocked(stream_);
      else
        c = getc_unlocked(stream_);
    }
    return c;
  }

  std::uint64_t number(const char* what, std::uint64_t most, int row = -1) {
    int c = skip_blanks(true);
    if (c == EOF) fail_truncated(stream_, file_);
    const auto fail = [&](const std::string& is) {
      fail_image(file_, std::string(what) + (row < 0 ? "" : " in row " + grouped(std::uint64_t(row))) + is);
    };
    if (c < '0' || c > '9')
      fail(" is missing, and something else is in its place: only whole numbers are read");
    std::uint64_t value = 0;
    for (; c >= '0' && c <= '9'; c = getc_unlocked(stream_)) {
      value = value * 10 + std::uint64_t(c - '0');
      if (value > most) fail(" is more than " + grouped(most));
    }
    if (c != EOF && !blank(c) && c != '#') fail(" runs into something else: only whole numbers are read");
    std::ungetc(c, stream_);
    return value;
  }

  // Exactly one character: the next may be a pixel that looks like white space. A comment may come before.
  void end_of_header() {
    int c = getc_unlocked(stream_);
    if (c == '#')
      while (c != '\n' && c != '\r' && c != EOF) c = getc_unlocked(stream_);
    if (c == EOF) fail_truncated(stream_, file_);
  }

  void scale(std::uint8_t* values, std::size_t count, int row) const {
    if (largest_ == 255) return;
    for (std::size_t n = 0; n < count; ++n) {
      if (values[n] > largest_)
        fail_image(file_, "row " + grouped(std::uint64_t(row)) + " has the value " + grouped(values[n]) +
                              ", and the header says that the largest is " + grouped(largest_));
      values[n] = std::uint8_t((values[n] * 255 + largest_ / 2) / largest_);
    }
  }

  std::FILE* stream_;
  const path& file_;
  const image_limits& limits_;
  int channels_ = 1;
  unsigned largest_ = 255;
};

}  // namespace

image parse_pnm(std::FILE* stream, const path& file, const image_limits& limits) {
  return pnm_reader(stream, file, limits).read();
}

}  // namespace tutorial::detail
