// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One-dimensional arrays in files that NumPy, spreadsheets and editors read: .npy, .txt, .csv, by extension.
//
// .npy: versions 1 to 3, one dimension, either byte order; f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8.
// .txt, .csv: numbers separated by white space or commas; # begins a comment; nan and inf are numbers.
//
// Every function here throws input_error: one line that names the file, the place in it and what to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "element_type.hpp"
#include "input_error.hpp"

namespace tutorial {

using any_array = std::variant<std::vector<std::int32_t>, std::vector<float>, std::vector<double>>;

/// The type that a file's content has by itself: int32 for every integer .npy, float for f2 and f4,
/// double for f8 and for text.
element_type stored_type(const std::filesystem::path& file);

/// The file's elements in its own type: stored_type(). Never empty: a file without a number is an error.
any_array read_array(const std::filesystem::path& file);

/// The file's elements as T. To double and from int32 to float: the nearest value. From double to float: the
/// nearest value, but a finite number beyond float's range is an error. To int32: every element must be a
/// whole number in range, otherwise an error that names the first one which is not.
template <class T>
std::vector<T> read_array_as(const std::filesystem::path& file);

/// For a text file: "" if each line holds one number at most, else a remark on how the others were read, as
/// in "2 numbers per line, read one after the other". For other files: "".
std::string layout_remark(const std::filesystem::path& file);

/// Writes .npy (version 1, little endian) or text (one number a line, with as many digits as it takes to read
/// the same value back). All or nothing: see output_file.
template <class T>
void write_array(const std::filesystem::path& file, std::span<const T> values);

/// Writes .npy with two dimensions: rows of `columns` values each. std::invalid_argument unless they fill the
/// rows; input_error for any other name. All or nothing.
void write_array_2d(const std::filesystem::path& file, std::span<const float> values, std::size_t columns);

/// Throws input_error unless the name ends in .npy, .txt or .csv: to refuse a name before the work is done.
void require_array_extension(const std::filesystem::path& file);

}  // namespace tutorial
