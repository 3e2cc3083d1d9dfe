// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "input_file.hpp"

#include <cerrno>
#include <cstring>

namespace tutorial {

input_stream open_input(const std::filesystem::path& file) {
  input_stream stream(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!stream) fail_reading(file, errno);
  return stream;
}

void fail_reading(const std::filesystem::path& file, int error) {
  const char* what = error == ENOENT   ? "there is no such file: check the name and the folder"
                     : error == EISDIR ? "this is a folder: give the name of a file"
                     : error == EACCES ? "no permission to read it"
                                       : std::strerror(error);
  throw input_error(file.string() + ": " + what);
}

}  // namespace tutorial
