// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "source_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "text/editor.hpp"

namespace cuda_emulator::translator {
namespace {

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool is_word_of(std::string_view line, std::string_view word) {
  if (word.front() == '<') return line.find(word) != line.npos;
  for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part_of_name(line[at - 1])) && (end == line.size() || !is_part_of_name(line[end])))
      return true;
  }
  return false;
}

}  // namespace

const source_files::file& source_files::read(std::string_view name) {
  if (const auto found = files_.find(name); found != files_.end()) return found->second;
  file& f = files_[std::string(name)];
  const std::string path = unquoted(name);
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return f;
  std::ifstream stream(path, std::ios::binary);
  f.is_known = stream.good();
  std::string guard;       // of #ifndef in the first directive
  std::vector<bool> open;  // for each #if whether it may be about the side
  std::size_t directives = 0;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash != line.npos && line[hash] == '#') {
      const std::size_t word = std::min(line.find_first_not_of(" \t", hash + 1), line.size());
      const std::string_view rest = std::string_view(line).substr(word);
      const std::size_t name_at = rest.find_first_of(" \t");
      std::string_view argument = name_at == rest.npos ? "" : rest.substr(name_at);
      while (!argument.empty() && std::isspace(static_cast<unsigned char>(argument.front())))
        argument.remove_prefix(1);
      while (!argument.empty() && std::isspace(static_cast<unsigned char>(argument.back())))
        argument.remove_suffix(1);
      if (rest.starts_with("if")) {
        if (rest.starts_with("ifndef") && directives == 0) guard = argument;
        const bool of_cpp = argument == "__CUDACC__" || argument == "__cplusplus" || argument == "1" ||
                            argument == "defined(__CUDACC__)" || argument == "__NVCC__";
        open.push_back(!of_cpp);
      } else if (rest.starts_with("endif") && !open.empty()) {
        open.pop_back();
      } else if (rest.starts_with("define") && directives == 1 && !guard.empty() && !open.empty()) {
        if (argument.substr(0, argument.find_first_of(" \t")) == guard) open.front() = false;
      }
      if (!rest.starts_with("pragma") && !rest.starts_with("include")) ++directives;
    }
    f.is_conditional.push_back(std::find(open.begin(), open.end(), true) != open.end());
    f.lines.push_back(std::move(line));
  }
  return f;
}

bool source_files::shows(const token& what, std::string_view word) {
  const file& f = read(what.file);
  if (!f.is_known) return true;
  const std::size_t line = static_cast<std::size_t>(what.line) - 1;
  return what.line > 0 && line < f.lines.size() && !f.is_conditional[line] && is_word_of(f.lines[line], word);
}

bool source_files::shows_all(const syntax& text, place first, place last) {
  const file& f = read(text[first].file);
  if (!f.is_known) return true;
  while (first > 0 && text[first - 1].line == text[first].line && text[first - 1].file == text[first].file) {
    --first;  // what stands before it on its line must be as it is, too
  }
  std::vector<std::string_view> seen, written;
  for (place i = first; i <= last; ++i) {
    if (text[i].kind == token_kind::name) seen.push_back(text[i].spelling);
  }
  const std::size_t end = static_cast<std::size_t>(text[last].line);
  for (std::size_t n = static_cast<std::size_t>(text[first].line); n <= end && n <= f.lines.size(); ++n) {
    const std::string_view line = n > 0 ? std::string_view(f.lines[n - 1]) : "";
    for (std::size_t i = 0; i < line.size() && written.size() < seen.size();) {
      std::size_t length = 0;
      while (i + length < line.size() && is_part_of_name(line[i + length])) ++length;
      if (line.substr(i).starts_with("//")) break;
      if (length > 0 && !std::isdigit(static_cast<unsigned char>(line[i]))) {
        written.push_back(line.substr(i, length));
      }
      i += std::max<std::size_t>(length, 1);
    }
  }
  return seen == written;
}

}  // namespace cuda_emulator::translator
