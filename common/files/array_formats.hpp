// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The two formats behind array_file.hpp, between bytes and elements. T is std::int32_t, float or double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "element_type.hpp"

namespace tutorial::detail {

enum class format { npy, text };
/// By the name's extension. Throws input_error where it is none of ours.
format format_of(const std::filesystem::path& file);

/// What the first bytes of an .npy file say;
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
struct npy_header {
  char kind = 'f';  ///< f floating point, i signed, u unsigned
  std::size_t element_size = 8;
  bool big_endian = false;
  std::size_t count = 0;
  std::size_t data_offset = 0;
};

/// The most bytes before the elements. A header of one dimension has some hundred.
constexpr std::size_t longest_npy_header = 1 << 17;

/// `bytes`: the file, or its first longest_npy_header. `file` is for messages. Throws input_error; nothing is
/// allocated by what the header claims.
npy_header parse_npy_header(std::string_view bytes, const std::filesystem::path& file);
/// Throws input_error unless that many bytes after the header are exactly its elements.
void require_npy_size(const npy_header& header, std::uint64_t bytes, const std::filesystem::path& file);
/// The elements from number `first` on, whose bytes begin at `data`, as T. Throws input_error for one that is
/// no T.
template <class T>
void convert_npy(const char* data, const npy_header& header, std::size_t first, std::span<T> to,
                 const std::filesystem::path& file);
template <class T>
std::vector<T> parse_npy(std::string_view bytes, const std::filesystem::path& file);
/// The bytes before the elements, which follow little endian. `shape`: one size for each dimension.
template <class T>
std::string npy_prefix(const std::vector<std::size_t>& shape);

template <class T>
std::vector<T> parse_text(std::string_view bytes, const std::filesystem::path& file);
/// One number a line.
template <class T>
std::string print_text(std::span<const T> values);

/// Whether `value` becomes a T by the rule of read_array_as(), and why not.
enum class conversion { fits, not_whole, out_of_range };
template <class T, class Source>
conversion convert(Source value, T& result);

}  // namespace tutorial::detail
