// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The command line of every chapter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/files/element_type.hpp"
#include "common/files/image_file.hpp"
#include "common/files/input_error.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// The reader's own input that a chapter takes: a signal and a filter; the same, whose signal goes from file
/// to file in pieces; a picture whose coefficients come out;
/// a picture that becomes a JPEG file; the same, and a JPEG file that becomes a picture; a picture that
/// becomes what compression leaves of it.
enum class own_data {
  none,
  convolution,
  long_convolution,
  image_transform,
  image_compression,
  image_coding,
  image_round_trip
};

/// The picture that a chapter draws of its results: none, or one that is of times, which only a GPU has, or
/// one that any device can give.
enum class own_picture { none, of_times, of_results };

struct chapter_options {
  bool help = false, list = false;
  bool check = true, demo = true;  ///< Both only where nothing else is asked for.
  std::string variant;             ///< Empty: all of them.
  std::filesystem::path csv;       ///< Empty: not wanted. So for all paths.
  std::filesystem::path picture;
  std::filesystem::path trace, report;
  bool counts = false;
  bool explain = false;
  bool long_tables = false;
  std::vector<std::string> doctest_arguments;

  // own_data::convolution and long_convolution
  std::filesystem::path signal, filter;
  std::optional<std::size_t> length, taps;
  std::uint64_t seed = 1;
  convolution_mode mode = convolution_mode::same;
  std::optional<element_type> type;

  // own_data::image_...
  std::filesystem::path image;
  image_limits limits;

  // own_data::image_compression, image_coding and image_round_trip
  int quality = 75;    ///< 1..100
  int sampling = 420;  ///< 444 or 420

  // own_data::image_compression
  std::filesystem::path panels;

  // own_data::image_coding
  std::filesystem::path decode;
  int restart = 0;        ///< Units between two restart markers, 0 to 65535.
  bool optimize = false;  ///< Huffman codes made for the picture.

  std::filesystem::path output;

  /// The reader has given input: no checks, no demo, only that.
  bool has_own_data() const { return !signal.empty() || length || !image.empty() || !decode.empty(); }
};

/// What parse_options() has to know of a chapter.
struct command_line {
  std::string program;  ///< "02_direct_kernel"
  std::string title;    ///< "Direct kernel"
  own_data accepts = own_data::none;
  std::vector<std::string> variants;  ///< What --variant may name.
  own_picture picture = own_picture::none;
  bool has_long_tables = false;  ///< Some take minutes on a GPU, and are left out without --long.
  bool explains = false;         ///< Some variant chooses, and can say what and why: --explain.
  bool on_host = false;          ///< No kernel runs: there is nothing to count or to draw.
};

/// Throws usage_error (an option that does not exist, a bad value, a contradiction) or input_error (a file
/// that is not there, a folder to write into that is not there): one line that says what to do.
/// `arguments` without the program's name.
chapter_options parse_options(std::span<const char* const> arguments, const command_line& command);

/// What --help prints.
std::string help_text(const command_line& command);

}  // namespace tutorial
