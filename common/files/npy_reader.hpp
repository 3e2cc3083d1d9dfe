// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// An .npy file that is read in pieces: for arrays that do not fit into memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "array_formats.hpp"
#include "element_type.hpp"
#include "input_file.hpp"

namespace tutorial {

/// One array of one dimension, as array_file.hpp has it. Everything here throws input_error: one line that
/// names the file and says what to do.
class npy_reader {
 public:
  /// Reads the header, and compares it with the length of the file.
  explicit npy_reader(const std::filesystem::path& file);

  /// Elements.
  std::size_t size() const { return header_.count; }
  /// Bytes of all elements, in the file.
  std::size_t bytes() const { return header_.count * header_.element_size; }
  /// to[i] = element number first + i, by the rule of read_array_as(). All of them must exist: it is not
  /// checked. T is std::int32_t, float or double.
  template <class T>
  void read(std::size_t first, std::span<T> to);

 private:
  std::filesystem::path file_;
  input_stream in_;
  detail::npy_header header_;
  std::vector<char> raw_;
};

}  // namespace tutorial
