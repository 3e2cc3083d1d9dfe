// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "array_file.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "array_formats.hpp"
#include "input_file.hpp"
#include "output_file.hpp"

namespace tutorial {
namespace {

using std::filesystem::path;

using detail::format;
using detail::format_of;

// The first `limit` bytes.
std::string read_bytes(const path& file, std::size_t limit = std::numeric_limits<std::size_t>::max()) {
  const input_stream stream = open_input(file);
  std::string bytes;
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(file, unknown);
  if (!unknown) bytes.reserve(std::size_t(std::min<std::uintmax_t>(size + 1, limit)));
  char block[1 << 16];
  while (bytes.size() < limit) {
    const std::size_t count =
        std::fread(block, 1, std::min(sizeof block, limit - bytes.size()), stream.get());
    bytes.append(block, count);
    if (count == 0) break;
  }
  if (std::ferror(stream.get())) fail_reading(file, errno);
  return bytes;
}

}  // namespace

namespace detail {

template <class T, class Source>
conversion convert(Source value, T& result) {
  if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_integral_v<Source>) {
      if (!std::in_range<T>(value)) return conversion::out_of_range;
    } else {
      if (!std::isfinite(value) || std::trunc(value) != value) return conversion::not_whole;
      if (value < Source(std::numeric_limits<T>::min()) ||
          double(value) > double(std::numeric_limits<T>::max()))
        return conversion::out_of_range;
    }
  }
  // A conversion whose result lies beyond float is undefined in C++, hence the comparison before it. What
  // rounds to the largest float is let in: half a step above it, 2^128 - 2^103, is where infinity begins.
  if constexpr (std::is_same_v<T, float> && std::is_same_v<Source, double>) {
    if (std::isfinite(value) && std::abs(value) >= 0x1.ffffffp127) return conversion::out_of_range;
  }
  result = T(value);
  return conversion::fits;
}

#define TUTORIAL_FROM(Source)                         \
  template conversion convert(Source, std::int32_t&); \
  template conversion convert(Source, float&);        \
  template conversion convert(Source, double&);
TUTORIAL_FROM(float)
TUTORIAL_FROM(double)
TUTORIAL_FROM(std::int8_t)
TUTORIAL_FROM(std::uint8_t)
TUTORIAL_FROM(std::int16_t)
TUTORIAL_FROM(std::uint16_t)
TUTORIAL_FROM(std::int32_t)
TUTORIAL_FROM(std::uint32_t)
TUTORIAL_FROM(std::int64_t)
TUTORIAL_FROM(std::uint64_t)
#undef TUTORIAL_FROM

}  // namespace detail

element_type stored_type(const path& file) {
  if (format_of(file) == format::text) return element_type::float64;
  const detail::npy_header header =
      detail::parse_npy_header(read_bytes(file, detail::longest_npy_header), file);
  if (header.kind != 'f') return element_type::int32;
  return header.element_size == 8 ? element_type::float64 : element_type::float32;
}

any_array read_array(const path& file) {
  return with_type(stored_type(file), [&]<class T>(T) -> any_array { return read_array_as<T>(file); });
}

template <class T>
std::vector<T> read_array_as(const path& file) {
  const format kind = format_of(file);
  const std::string bytes = read_bytes(file);
  return kind == format::npy ? detail::parse_npy<T>(bytes, file) : detail::parse_text<T>(bytes, file);
}

std::string layout_remark(const path& file) {
  if (format_of(file) != format::text) return {};
  const std::string bytes = read_bytes(file);
  std::size_t fewest = std::numeric_limits<std::size_t>::max(), most = 0;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view line(bytes.data() + begin, std::min(end, bytes.find('#', begin)) - begin);
    std::size_t numbers = 0;
    bool inside = false;
    for (const char c : line) {
      const bool separates = c == ',' || c == ' ' || (c >= '\t' && c <= '\r');
      numbers += !separates && !inside;
      inside = !separates;
    }
    if (numbers > 0) {
      fewest = std::min(fewest, numbers);
      most = std::max(most, numbers);
    }
    begin = end + 1;
  }
  if (most <= 1) return {};
  return (fewest == most ? std::to_string(most) : std::to_string(fewest) + " to " + std::to_string(most)) +
         " numbers per line, read one after the other";
}

template <class T>
void write_array(const path& file, std::span<const T> values) {
  const format kind = format_of(file);
  output_file out(file);
  if (kind == format::text) {
    constexpr std::size_t at_once = 1 << 20;  // text is longer than its numbers: not all of it at a time
    for (std::size_t begin = 0; begin < values.size(); begin += at_once)
      out.write(detail::print_text(values.subspan(begin, std::min(at_once, values.size() - begin))));
  } else {
    static_assert(std::endian::native == std::endian::little,
                  "the elements are written as they are in memory");
    out.write(detail::npy_prefix<T>({values.size()}));
    out.write(values.data(), values.size_bytes());
  }
  out.commit();
}

void write_array_2d(const path& file, std::span<const float> values, std::size_t columns) {
  if (format_of(file) != format::npy)
    throw input_error(file.string() + ": two dimensions are written as .npy only: use that extension");
  if (columns == 0 || values.size() % columns != 0)
    throw std::invalid_argument("write_array_2d: the values do not fill the rows");
  output_file out(file);
  out.write(detail::npy_prefix<float>({values.size() / columns, columns}));
  out.write(values.data(), values.size_bytes());
  out.commit();
}

template std::vector<std::int32_t> read_array_as(const path&);
template std::vector<float> read_array_as(const path&);
template std::vector<double> read_array_as(const path&);
template void write_array(const path&, std::span<const std::int32_t>);
template void write_array(const path&, std::span<const float>);
template void write_array(const path&, std::span<const double>);

}  // namespace tutorial
