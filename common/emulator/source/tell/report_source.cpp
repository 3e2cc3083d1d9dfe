// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "report_source.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

namespace cuda_emulator {
namespace {

namespace fs = std::filesystem;

constexpr int lines_around = 3;
constexpr std::size_t most_places = 12, longest_line = 300;
constexpr std::uintmax_t largest_file = 16 << 20;

bool is_digit(char each) { return each >= '0' && each <= '9'; }

bool is_source(std::string_view file) {
  constexpr std::string_view endings[] = {".cu", ".cuh", ".cpp", ".cc",  ".cxx",
                                          ".c",  ".h",   ".hpp", ".hxx", ".inl"};
  return std::any_of(std::begin(endings), std::end(endings),
                     [&](std::string_view ending) { return file.ends_with(ending); });
}

/// The file that ends where `line` ends. Names of files may have spaces in them: the longest one that is
/// there, or else the last word if it looks like a file.
std::string file_before(std::string_view line) {
  std::string found;
  const std::size_t last = line.find_last_of(" (") == line.npos ? 0 : line.find_last_of(" (") + 1;
  for (std::size_t begin = last;; begin = line.substr(0, begin - 1).find_last_of(" (") + 1) {
    const std::string_view candidate = line.substr(begin);
    std::error_code error;
    if (!candidate.empty() && fs::is_regular_file(fs::path(candidate), error)) found = candidate;
    if (begin == 0) break;
  }
  return found.empty() && is_source(line.substr(last)) ? std::string(line.substr(last)) : found;
}

/// Lines that are named, by file, in the order in which the files are. True: something happened there.
struct named_lines {
  std::string file;
  std::map<int, bool> lines;
};

/// A message also says where things come from.
bool is_origin(std::string_view before) {
  return before.ends_with("declared at ") || before.ends_with("made at ") ||
         before.ends_with("allocated at ");
}

std::vector<named_lines> named_in(const std::string& text) {
  std::vector<named_lines> result;
  std::size_t places = 0;
  for (std::size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
    std::size_t end = colon + 1;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == colon + 1 || end > colon + 9 || places == most_places) continue;
    const std::size_t line_begin = text.rfind('\n', colon) == text.npos ? 0 : text.rfind('\n', colon) + 1;
    const std::string_view line = std::string_view(text).substr(line_begin, colon - line_begin);
    const std::string file = file_before(line);
    if (file.empty()) continue;
    const auto same = std::find_if(result.begin(), result.end(),
                                   [&](const named_lines& each) { return each.file == file; });
    named_lines& in = same != result.end() ? *same : result.emplace_back(named_lines{file, {}});
    const auto [place, fresh] = in.lines.emplace(std::stoi(text.substr(colon + 1, end - colon - 1)), false);
    places += fresh;
    place->second |= !is_origin(line.substr(0, line.size() - file.size()));
  }
  return result;
}

std::string without_tabs(const std::string& line) {
  std::string result;
  for (const char each : line) {
    if (each == '\t')
      result.append(4 - result.size() % 4, ' ');
    else if (each != '\r')
      result += each;
  }
  if (result.size() > longest_line) result = result.substr(0, longest_line) + " ...";
  return result;
}

bool newer_than_the_program(const fs::path& file) {
  std::error_code error;
  const auto program = fs::last_write_time("/proc/self/exe", error);
  if (error) return false;
  const auto source = fs::last_write_time(file, error);
  return !error && source > program;
}

void read(const named_lines& named, std::vector<source_excerpt>& to) {
  std::error_code error;
  std::ifstream in;
  if (fs::file_size(named.file, error) <= largest_file && !error) in.open(named.file);
  if (!in.is_open()) {
    to.push_back(
        {named.file, {}, "The file could not be read when the program ended: its lines are not shown."});
    return;
  }
  const std::string remark =
      newer_than_the_program(named.file)
          ? "The file is newer than the program: lines may have moved since it was compiled."
          : "";
  const std::size_t first = to.size();
  int number = 0;
  std::string line;
  while (std::getline(in, line)) {
    ++number;
    const auto near = named.lines.lower_bound(number - lines_around);
    if (near == named.lines.end()) break;
    if (near->first > number + lines_around) continue;
    if (to.size() == first || to.back().lines.back().number + 1 != number)
      to.push_back({named.file, {}, remark});
    const auto self = named.lines.find(number);
    to.back().lines.push_back({number, without_tabs(line),
                               self == named.lines.end() ? source_line::near
                               : self->second            ? source_line::marked
                                                         : source_line::named});
  }
  if (named.lines.rbegin()->first > number)
    to.push_back({named.file,
                  {},
                  "The file has only " + std::to_string(number) +
                      " lines by now: it is not the one that was compiled."});
}

}  // namespace

std::vector<source_excerpt> excerpts_of(const std::string& text) {
  std::vector<source_excerpt> result;
  for (const named_lines& each : named_in(text)) read(each, result);
  return result;
}

}  // namespace cuda_emulator
