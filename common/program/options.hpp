// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The command line of every chapter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/files/element_type.hpp"
#include "common/files/image_file.hpp"
#include "common/files/input_error.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

struct chapter_options;

/// An option that one chapter has.
struct own_option {
  /// An input stands in for --image; an output is a file that is written.
  enum class role { setting, input, output };
  std::string name, meaning;     ///< "--restart", and what --help says of it.
  std::string placeholder = {};  ///< "N"; empty for a flag.
  role is = role::setting;
};

/// The reader's own input that a chapter takes. What signals have in common, and what pictures have, is known
/// here; the rest is the chapter's.
struct own_data {
  enum class kind { none, signal, picture };
  kind of = kind::none;
  std::string input = {}, output = {};  ///< What --help says of --signal or --image, and of --output.
  std::string output_name = "FILE";
  bool quality = false;                    ///< There are --quality and --sampling.
  bool variants = true;                    ///< --variant chooses what is done with it.
  bool drawn = false;                      ///< --picture may show it.
  std::vector<own_option> options = {};    ///< What only this chapter has.
  std::vector<std::string> examples = {};  ///< Of command lines, behind "chapters/run NN ".
  /// Throws usage_error for what does not fit together. Called when all else is well, before the work.
  std::function<void(const chapter_options&)> accept = {};
};

/// The picture that a chapter draws of its results: none, or one that is of times, which only a GPU has, or
/// one that any device can give.
enum class own_picture { none, of_times, of_results };

/// The command line of a chapter, read and checked.
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

  // of signals
  std::filesystem::path signal, filter;
  std::optional<std::size_t> length, taps;
  std::uint64_t seed = 1;
  convolution_mode mode = convolution_mode::same;
  std::optional<element_type> type;

  // of pictures
  std::filesystem::path image;
  image_limits limits;
  int quality = 75;    ///< 1..100
  int sampling = 420;  ///< 444 or 420

  std::filesystem::path output;

  std::map<std::string, std::string> typed;  ///< Options of the reader's own data, as they were typed.
  bool own_input = false;                    ///< One of the chapter's own is an input.

  /// What was typed for that option; empty where it is not there, and "true" for a flag.
  std::string own(const std::string& name) const {
    const auto found = typed.find(name);
    return found == typed.end() ? "" : found->second;
  }
  /// The reader has given input: no checks, no demo, only that.
  bool has_own_data() const { return !signal.empty() || length || !image.empty() || own_input; }
};

/// What parse_options() has to know of a chapter.
struct command_line {
  std::string program;  ///< "02_direct_kernel"
  std::string title;    ///< "Direct kernel"
  own_data accepts = {};
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

/// Throws usage_error unless the text is a whole number within these limits.
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least,
                           std::uint64_t most);
/// Throws usage_error with these words, and the file's name, unless it has one of these endings, in capitals
/// or not, or is empty.
void require_ending(const std::filesystem::path& file, std::initializer_list<std::string_view> endings,
                    const std::string& otherwise);

/// What --help prints.
std::string help_text(const command_line& command);

}  // namespace tutorial
