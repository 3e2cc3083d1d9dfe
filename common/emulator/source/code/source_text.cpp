// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "source_text.hpp"

#include <cctype>
#include <fstream>

namespace cuda_emulator {

std::string line_text(const source_place& place) {
  std::ifstream file(place.file);
  std::string line;
  for (int i = 0; i < place.line; ++i)
    if (!std::getline(file, line)) return "";
  return line;
}

bool has_word(std::string_view line, std::string_view word) {
  const auto of_name = [&](std::size_t i) {
    return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) || line[i] == '_');
  };
  for (std::size_t i = line.find(word); i != line.npos; i = line.find(word, i + 1))
    if (!of_name(i - 1) && !of_name(i + word.size())) return true;
  return false;
}

}  // namespace cuda_emulator
