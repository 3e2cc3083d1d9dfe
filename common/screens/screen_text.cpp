// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "screen_text.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace tutorial {
namespace {

source_lines lines_from(std::istream& stream) {
  source_lines result;
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    result.push_back(line);
  }
  return result;
}

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }  // of UTF-8

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_letter));
}

/// The bytes of the first `width` letters, up to behind their last space if they are not all.
std::size_t fitting(const std::string& line, std::size_t width) {
  std::size_t end = 0, count = 0;
  while (end < line.size() && (count += begins_letter(line[end])) <= width) ++end;
  if (end == line.size()) return end;
  const std::size_t space = line.rfind(' ', end - 1);
  return space == line.npos ? end : space + 1;
}

/// Whether a sentence ends behind the character `i`.
bool ends_sentence(const std::string& line, std::size_t i) {
  return (line[i] == '.' || line[i] == '?') && (i + 1 == line.size() || line[i + 1] == ' ') &&
         (i < 2 || line.compare(i - 2, 2, "..") != 0);
}

/// Leaves out what the last lines begin of a sentence.
void end_with_sentence(source_lines& lines) {
  for (std::size_t back = 1; back <= 3 && back <= lines.size(); ++back) {
    std::string line = lines[lines.size() - back];
    for (std::size_t i = line.size(); i-- > 0;) {
      if (!ends_sentence(line, i)) continue;
      lines.resize(lines.size() - back + 1);
      lines.back().resize(i + 1);
      return;
    }
  }
}

}  // namespace

source_lines lines_of_text(const std::string& text) {
  std::istringstream stream(text);
  return lines_from(stream);
}

source_lines lines_of_file(const std::string& file) {
  std::ifstream stream(file);
  return lines_from(stream);
}

std::string text_of_lines(const source_lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += (&line == &lines.front() ? "" : "\n") + line;
  return text;
}

std::string first_lines(const std::string& text, int most, int width, const std::string& all) {
  source_lines lines;
  for (std::string line : lines_of_text(text)) {
    while (letters(line) > static_cast<std::size_t>(width)) {
      const std::size_t end = fitting(line, static_cast<std::size_t>(width));
      lines.push_back(line.substr(0, end));
      line.erase(0, end);
    }
    lines.push_back(line);
  }
  const std::size_t limit = static_cast<std::size_t>(std::max(most, 1));
  if (lines.size() > limit) {
    const std::size_t count = lines.size();
    lines.resize(limit - 1);
    end_with_sentence(lines);
    const std::string more = "  ... and " + std::to_string(count - lines.size()) + " more lines: " + all;
    lines.push_back(letters(more) > static_cast<std::size_t>(width) ? "  ... more: " + all : more);
  }
  return text_of_lines(lines);
}

int rows_of(const std::string& text, int width) {
  int rows = 0;
  for (const std::string& line : lines_of_text(text))
    rows += line.empty() ? 1 : (static_cast<int>(letters(line)) - 1) / width + 1;
  return rows;
}

int count_lines(const std::string& text) { return static_cast<int>(lines_of_text(text).size()); }

std::string trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t\r"), end = line.find_last_not_of(" \t\r");
  return begin == line.npos ? "" : line.substr(begin, end - begin + 1);
}

std::string without(std::string text, const std::string& what) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos;) text.erase(at, what.size());
  return text;
}

}  // namespace tutorial
