// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "array_formats.hpp"
#include "input_error.hpp"

namespace tutorial::detail {
namespace {

using std::filesystem::path;

[[noreturn]] void fail(const path& file, const std::string& what) {
  throw input_error(file.string() + ": " + what);
}

constexpr std::string_view blanks = " \t\r\n";

// The header is one Python dictionary. Returns what follows the key and its colon.
std::string_view value_of(std::string_view dictionary, std::string_view key, const path& file) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = quote + std::string(key) + quote;
    const std::size_t at = dictionary.find(quoted);
    if (at == std::string_view::npos) continue;
    const std::size_t colon = dictionary.find_first_not_of(blanks, at + quoted.size());
    if (colon == std::string_view::npos || dictionary[colon] != ':') continue;
    const std::size_t value = dictionary.find_first_not_of(blanks, colon + 1);
    if (value != std::string_view::npos) return dictionary.substr(value);
  }
  fail(file, "the .npy header has no '" + std::string(key) +
                 "': the file is damaged; save it again with numpy.save");
}

// '<f8' and the like.
void parse_type(std::string_view value, npy_header& header, const path& file) {
  std::string text(value.substr(0, value.find_first_of(",}")));
  if (value.front() == '\'' || value.front() == '"') {
    const std::size_t end = value.find(value.front(), 1);
    text = std::string(value.substr(1, end == std::string_view::npos ? end : end - 1));
  }
  const std::string_view good[] = {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"};
  const bool known = text.size() == 3 && std::strchr("<>|=", text[0]) != nullptr &&
                     std::find(std::begin(good), std::end(good), text.substr(1)) != std::end(good);
  if (!known)
    fail(file, "elements of type " + text.substr(0, 40) +
                   " are not numbers that can be used here: save it with " +
                   "numpy.save(name, a.astype('float64'))");
  header.big_endian = text[0] == '>';
  header.kind = text[1];
  header.element_size = std::size_t(text[2] - '0');
}

// (3,) and the like.
void parse_shape(std::string_view value, npy_header& header, const path& file) {
  const std::size_t end = value.find(')');
  if (value.front() != '(' || end == std::string_view::npos)
    fail(
        file,
        "the .npy header has a shape that is not a list: the file is damaged; save it again with numpy.save");
  std::vector<std::size_t> sizes;
  const char* at = value.data() + 1;
  const char* const last = value.data() + end;
  while (at != last) {
    if (*at == ',' || blanks.find(*at) != blanks.npos) {
      ++at;
      continue;
    }
    std::size_t size = 0;
    const auto [next, error] = std::from_chars(at, last, size);
    if (error != std::errc())
      fail(file,
           "the .npy header has a shape that is not a list of sizes: the file is damaged; save it again");
    sizes.push_back(size);
    at = next + (next != last && *next == 'L');  // a long integer of Python 2
  }
  if (sizes.size() != 1)
    fail(file, "the array has " + std::to_string(sizes.size()) +
                   " dimensions, here it must have one: save it with " +
                   "numpy.save(name, a.ravel()), or one row of it");
  header.count = sizes[0];
  if (header.count == 0) fail(file, "the array has no element: there is nothing to convolve");
}

float half_to_float(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const float magnitude = exponent == 31  ? (fraction ? std::numeric_limits<float>::quiet_NaN()
                                                      : std::numeric_limits<float>::infinity())
                          : exponent == 0 ? std::ldexp(float(fraction), -24)
                                          : std::ldexp(float(1024 + fraction), exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

template <class Source>
Source load(const char* bytes, bool big_endian) {
  char copy[sizeof(Source)];
  std::memcpy(copy, bytes, sizeof copy);
  if (big_endian != (std::endian::native == std::endian::big)) std::reverse(copy, copy + sizeof copy);
  return std::bit_cast<Source>(copy);
}

template <class Source, class T>
void convert_all(const char* data, const npy_header& header, std::size_t first, std::span<T> to,
                 const path& file) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    Source source;
    if constexpr (std::is_same_v<Source, float>) {
      source = header.element_size == 2 ? half_to_float(load<std::uint16_t>(data + 2 * i, header.big_endian))
                                        : load<float>(data + 4 * i, header.big_endian);
    } else {
      source = load<Source>(data + sizeof(Source) * i, header.big_endian);
    }
    const conversion result = convert(source, to[i]);
    if (result == conversion::fits) continue;
    const std::string type(name(element_type_of<T>()));
    fail(file, "element " + std::to_string(first + i) + " (" + std::to_string(source) + ") " +
                   (result == conversion::not_whole ? "is not a whole number: use --type double"
                                                    : "does not fit into " + type + ": use --type double"));
  }
}

}  // namespace

npy_header parse_npy_header(std::string_view bytes, const path& file) {
  if (bytes.empty()) fail(file, "the file is empty: an .npy file is written by numpy.save");
  if (!bytes.starts_with("\x93NUMPY"))
    fail(file,
         "this is not an .npy file (it does not begin with \\x93NUMPY): write it with numpy.save, or name a "
         "file " +
             std::string("of numbers as text .txt or .csv"));
  const auto byte = [&](std::size_t i) { return std::size_t(static_cast<unsigned char>(bytes[i])); };
  const auto cut_short = [&] {
    fail(file, "the file ends within its header: it is cut short; save it again");
  };
  if (bytes.size() < 10) cut_short();
  if (byte(6) < 1 || byte(6) > 3)
    fail(file, ".npy version " + std::to_string(byte(6)) +
                   " is not read here, only 1 to 3: save it with numpy.save");
  const std::size_t begin = byte(6) == 1 ? 10 : 12;
  if (bytes.size() < begin) cut_short();
  const std::size_t length =
      byte(8) + (byte(9) << 8) + (begin == 12 ? (byte(10) << 16) + (byte(11) << 24) : 0);
  if (length > longest_npy_header - begin)
    fail(file, "the .npy header is longer than 128 KiB: save it again with numpy.save");
  if (bytes.size() - begin < length) cut_short();
  const std::string_view dictionary = bytes.substr(begin, length);
  npy_header header;
  header.data_offset = begin + length;
  parse_type(value_of(dictionary, "descr", file), header, file);
  parse_shape(value_of(dictionary, "shape", file), header, file);
  // One dimension is the same in both orders.
  const std::string_view order = value_of(dictionary, "fortran_order", file);
  if (!order.starts_with("True") && !order.starts_with("False"))
    fail(file,
         "the .npy header does not say whether the order is Fortran's: the file is damaged; save it again");
  return header;
}

void require_npy_size(const npy_header& header, std::uint64_t bytes, const path& file) {
  // Divided, not multiplied: a header may claim any number of elements.
  if (bytes / header.element_size < header.count)
    fail(file, "the header promises " + std::to_string(header.count) + " elements, the file holds " +
                   std::to_string(bytes / header.element_size) + ": it is cut short; save or copy it again");
  if (bytes != header.count * header.element_size)
    fail(file, std::to_string(bytes - header.count * header.element_size) +
                   " bytes follow the last element: save a single array per file");
}

template <class T>
void convert_npy(const char* data, const npy_header& header, std::size_t first, std::span<T> to,
                 const path& file) {
  if (header.kind == 'f')
    return header.element_size == 8 ? convert_all<double>(data, header, first, to, file)
                                    : convert_all<float>(data, header, first, to, file);
  const bool is_signed = header.kind == 'i';
  switch (header.element_size) {
    case 1:
      return is_signed ? convert_all<std::int8_t>(data, header, first, to, file)
                       : convert_all<std::uint8_t>(data, header, first, to, file);
    case 2:
      return is_signed ? convert_all<std::int16_t>(data, header, first, to, file)
                       : convert_all<std::uint16_t>(data, header, first, to, file);
    case 4:
      return is_signed ? convert_all<std::int32_t>(data, header, first, to, file)
                       : convert_all<std::uint32_t>(data, header, first, to, file);
    default:
      return is_signed ? convert_all<std::int64_t>(data, header, first, to, file)
                       : convert_all<std::uint64_t>(data, header, first, to, file);
  }
}

template <class T>
std::vector<T> parse_npy(std::string_view bytes, const path& file) {
  const npy_header header = parse_npy_header(bytes, file);
  const std::string_view data = bytes.substr(header.data_offset);
  require_npy_size(header, data.size(), file);
  std::vector<T> values(header.count);
  convert_npy<T>(data.data(), header, 0, values, file);
  return values;
}

template <class T>
std::string npy_prefix(const std::vector<std::size_t>& shape) {
  const char* type = std::is_integral_v<T> ? "<i4" : sizeof(T) == 4 ? "<f4" : "<f8";
  std::string dictionary = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (";
  for (const std::size_t size : shape) dictionary += std::to_string(size) + (shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1) dictionary.resize(dictionary.size() - 2);  // (2,) but (2, 3)
  dictionary += "), }";
  // The elements begin at a multiple of 64, so that they can be mapped into memory.
  while ((10 + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string prefix("\x93NUMPY\x01\x00", 8);
  prefix += char(dictionary.size() & 255);
  prefix += char(dictionary.size() >> 8);
  return prefix + dictionary;
}

template void convert_npy(const char*, const npy_header&, std::size_t, std::span<std::int32_t>, const path&);
template void convert_npy(const char*, const npy_header&, std::size_t, std::span<float>, const path&);
template void convert_npy(const char*, const npy_header&, std::size_t, std::span<double>, const path&);
template std::vector<std::int32_t> parse_npy(std::string_view, const path&);
template std::vector<float> parse_npy(std::string_view, const path&);
template std::vector<double> parse_npy(std::string_view, const path&);
template std::string npy_prefix<std::int32_t>(const std::vector<std::size_t>&);
template std::string npy_prefix<float>(const std::vector<std::size_t>&);
template std::string npy_prefix<double>(const std::vector<std::size_t>&);

}  // namespace tutorial::detail
