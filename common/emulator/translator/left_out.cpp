// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "left_out.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cuda_emulator::translator {
namespace {

// From an #if to its #endif: numbers of the lines of both.
struct conditional {
  int begin = 0, end = 0;
  bool for_a_gpu = false;  // and for no older one
  bool has_code = false;
  std::size_t around = no_conditional;  // number of the one that this one stands in

  static constexpr std::size_t no_conditional = ~std::size_t{0};
};

// In the order of their first lines. A condition that goes on in the next line is read to the end of its
// first.
std::vector<conditional> conditionals(std::istream& file) {
  std::vector<conditional> all;
  std::vector<std::size_t> open;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos) continue;
    if (line[first] != '#') {
      if (line.compare(first, 2, "//") != 0) {
        for (const std::size_t i : open) all[i].has_code = true;
      }
      continue;
    }
    const std::size_t word = std::min(line.find_first_not_of(" \t", first + 1), line.size());
    const std::string_view directive = std::string_view(line).substr(word);
    if (directive.starts_with("if")) {
      const std::string_view condition = directive.substr(0, directive.find("//"));
      conditional c;
      c.begin = number;
      c.for_a_gpu = condition.find("__CUDA_ARCH__") != condition.npos && !condition.starts_with("ifndef") &&
                    condition.find_first_of("!<") == condition.npos;
      if (!open.empty()) c.around = open.back();
      open.push_back(all.size());
      all.push_back(c);
    } else if (directive.starts_with("endif") && !open.empty()) {
      all[open.back()].end = number;
      open.pop_back();
    }
  }
  return all;
}

}  // namespace

void warn_of_code_left_out(editor& text) {
  std::map<std::string_view, std::vector<place>> files;  // tokens, in the order of their lines in most files
  for (place i = 0; i < text.size(); ++i) {
    if (!text[i].of_system && text[i].kind != token_kind::end) files[text[i].file].push_back(i);
  }
  for (auto& entry : files) {
    const std::string_view name = entry.first;
    std::vector<place>& tokens = entry.second;
    std::ifstream file(unquoted(name), std::ios::binary);
    const std::vector<conditional> all = conditionals(file);
    if (std::none_of(all.begin(), all.end(), [](const conditional& c) { return c.for_a_gpu; })) continue;
    std::stable_sort(tokens.begin(), tokens.end(),
                     [&](place a, place b) { return text[a].line < text[b].line; });
    const auto after = [&](int line) {
      return std::upper_bound(tokens.begin(), tokens.end(), line,
                              [&](int l, place i) { return l < text[i].line; });
    };
    const auto is_left = [&](const conditional& c) {
      const auto next = after(c.begin);
      return next != tokens.end() && text[*next].line < c.end;
    };
    bool is_said = false;
    for (const conditional& c : all) {
      if (!c.for_a_gpu || !c.has_code || is_left(c)) continue;
      if (c.around != conditional::no_conditional && !is_left(all[c.around])) continue;  // for another reason
      const auto next = after(c.begin);
      text.say(
          severity::warning, next != tokens.end() ? *next : tokens.back(), c.begin,
          is_said
              ? "so is what is left out here"
              : "what is left out here is for a GPU: __CUDA_ARCH__ is not defined on the emulated device, "
                "which compiles once for both sides; -D__CUDA_ARCH__=900 brings it in, for the host, too");
      is_said = true;
    }
  }
}

}  // namespace cuda_emulator::translator
