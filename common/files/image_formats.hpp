// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The formats behind image_file.hpp, and what they share.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "image_file.hpp"
#include "output_file.hpp"

namespace tutorial::detail {

image parse_png(std::FILE* stream, const std::filesystem::path& file, const image_limits& limits);
image parse_jpeg(std::FILE* stream, const std::filesystem::path& file, const image_limits& limits);
image parse_pnm(std::FILE* stream, const std::filesystem::path& file, const image_limits& limits);
void print_png(output_file& out, const image& picture);

[[noreturn]] void fail_image(const std::filesystem::path& file, const std::string& why);
/// "this is `kind`, not PNG, ...".
[[noreturn]] void fail_kind(const std::filesystem::path& file, const std::string& kind);
/// "the file ends before the picture does": after a read error, that one instead.
[[noreturn]] void fail_truncated(std::FILE* stream, const std::filesystem::path& file);

/// Pixels on their way in. Memory is set apart at once, if the limit allows, but used only as rows arrive: a
/// small file that claims to be a large picture costs nothing.
class incoming_pixels {
 public:
  incoming_pixels(const std::filesystem::path& file, std::uint64_t width, std::uint64_t height, int channels,
                  const image_limits& limits);

  int width() const { return width_; }
  int height() const { return height_; }
  std::size_t stride() const { return stride_; }
  /// The place of the next row. Valid to the end: nothing moves.
  std::uint8_t* add_row();
  /// Call it when every row is there.
  image finish() &&;

 private:
  int width_, height_, channels_;
  std::size_t stride_;
  std::vector<std::uint8_t> pixels_;
};

/// Runs calls into a C library that gives up by std::longjmp to `give_up`; false if it did.
/// A jump must not leave out a destructor: whatever has one stays outside, and `calls` refers to it. Nothing
/// that `calls` changes lives in this function, so that nothing is indeterminate after a jump.
template <class Calls>
[[gnu::noinline]] bool completes(std::jmp_buf& give_up, const Calls& calls) {
  static_assert(std::is_trivially_destructible_v<Calls>);
  if (setjmp(give_up) != 0) return false;
  calls();
  return true;
}

}  // namespace tutorial::detail
