// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A file that is there whole or not at all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "input_error.hpp"

namespace tutorial {

/// Writes into a temporary file beside the target; commit() puts it in the target's place in one step.
/// Without commit() nothing of it stays and what was there before is untouched, even if the program is ended
/// from outside (where the file system has files without a name, as most have). A target that is no regular
/// file (a device, a pipe) is written directly. Every failure is an input_error that says what to do.
class output_file {
 public:
  /// Opens the temporary file. Throws input_error where that is not possible.
  explicit output_file(const std::filesystem::path& target);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Appends. Throws input_error where the disk is full, for one.
  void write(const void* bytes, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Puts what was written in the place of the target. Throws input_error where that fails; to be called
  /// once.
  void commit();

  /// For libraries that want a FILE*. A failed write on it shows in commit() at the latest.
  std::FILE* stream() { return file_; }

 private:
  [[noreturn]] void fail(const char* doing, int error) const;

  std::filesystem::path target_;     // as given: for messages
  std::filesystem::path real_;       // symbolic links followed
  std::filesystem::path temporary_;  // empty: writing into real_ itself
  bool unnamed_ = false;             // the temporary file has no name before commit()
  std::FILE* file_ = nullptr;
};

/// Refuses early what output_file would refuse late: a folder that does not exist or may not be written into,
/// a target that is a folder.
void require_writable(const std::filesystem::path& target);

}  // namespace tutorial
