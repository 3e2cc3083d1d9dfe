// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "array_file.hpp"
#include "array_formats.hpp"

namespace tutorial {

detail::format detail::format_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  if (extension == ".npy") return format::npy;
  if (extension == ".txt" || extension == ".csv") return format::text;
  throw input_error(file.string() + ": " +
                    (extension.empty() ? "the name has no extension" : "files ending in " + extension) +
                    (extension.empty() ? "" : " are not read or written here") + ": use .npy, .txt or .csv");
}

void require_array_extension(const std::filesystem::path& file) { detail::format_of(file); }

}  // namespace tutorial
