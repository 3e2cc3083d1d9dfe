// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the compiler says of a build that failed, on one screen: its messages without what the build tool
// prints around them, what the first of them means, and its place; and which of its warnings may be why a
// check fails.
#pragma once

#include <string>
#include <vector>

#include "where_to_look.hpp"

namespace tutorial {

/// What the compiler and the linker say in the log of a build; paths begin at the repository's folder.
source_lines compiler_messages(const source_lines& log, const std::string& root);

/// Each error once: a kernel's name that is misspelled is an error in several places of what is made of its
/// launch.
source_lines each_error_once(const source_lines& messages);

/// An error in plain words.
struct error_words {
  std::string text;
  int line = 0;  ///< Where that is another line than the error's own, else 0.
};
/// What the error in this line of the file says to somebody who has not met it before. Empty where it is
/// clear by itself.
error_words error_in_words(const std::string& message, const source_lines& file, int line,
                           bool is_kernel_file);

/// A build that failed, for failed_build_screen().
struct failed_build {
  std::string root;            ///< Of the repository.
  std::string log;             ///< Its file.
  std::string file;            ///< Where to look where no error has a place; may be empty.
  source_lines solution;       ///< Of the exercise in that file, with its marks; empty where it is none.
  int width = 100'000;         ///< Letters in a line.
  bool all_is_wanted = false;  ///< All messages.
  std::string shows_all;       ///< What shows them; empty: the log.
};

/// The messages and what to read in them, without a line break at the end.
std::string failed_build_screen(const failed_build& build);

/// Of the log of a build, what the compiler warned of in the file `name`, as far as a wrong result may come
/// from it.
std::vector<compiler_warning> warnings_about(const source_lines& log, const std::string& root,
                                             const std::string& name);

}  // namespace tutorial
