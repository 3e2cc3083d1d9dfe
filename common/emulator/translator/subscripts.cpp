// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "subscripts.hpp"

#include <algorithm>

namespace cuda_emulator::translator {
namespace {

// Whether the brackets that end at i hold nothing but a zero: m[0][k] goes through all rows of m.
bool is_zero(const editor& text, place i) {
  return text.is(i, "]") && text.partner(i) == i - 2 && text.is(i - 1, "0");
}

}  // namespace

void subscripts::collect(const editor& text, place open) {
  for (place i = open + 1; i < text.partner(open); ++i) {
    if (!text.is(i, "[") || text.is(i + 1, "[") || text.is(i + 1, "]") || text[i].of_system) continue;
    if (is_zero(text, i - 1)) continue;
    place base = i;
    while (text.is(base - 1, "]")) base = text.partner(base - 1);
    if (!text.is_name(--base) || base <= open) continue;
    place begin = base;
    while (text.is(begin - 1, ".") || text.is(begin - 1, "->")) {
      place before = begin - 2;
      while (before > open && (text.is(before, "]") || text.is(before, ")")))
        before = text.partner(before) - 1;
      if (before <= open || (!text.is_name(before) && !text.is(before, "this"))) break;
      begin = before;
    }
    found_.push_back({begin, base, i});
  }
}

std::string subscripts::table(const editor& text, const std::string& result,
                              const std::vector<shared_name>& shared) const {
  std::string lines;
  std::string_view file;
  for (const subscript& s : found_) {
    const std::string_view base = text[s.begin].spelling;
    const bool of_device =
        left_out_.contains(base) || std::any_of(shared.begin(), shared.end(), [&](auto& v) {
          return v.name == base && v.begin <= s.begin && s.begin < v.end;
        });
    if (of_device) continue;
    const place close = text.partner(s.open);
    const auto column = [&](place i) {
      const std::size_t position = text.place_in_result(i);
      const std::size_t newline = position == 0 ? result.npos : result.rfind('\n', position - 1);
      return std::to_string(newline == result.npos ? position + 1 : position - newline);
    };
    if (text[close].file != file) {
      file = text[close].file;
      lines.append("{").append(file).append(",0,0,0,0},");
    }
    lines += "{" + quoted(text.text(s.begin, s.open)) + "," + std::to_string(text[close].line) + "," +
             column(s.open) + "," + column(close) + "," + column(s.base) + "},";
  }
  if (lines.empty()) return {};
  return " namespace { constexpr ::cuda_emulator::subscript emulator_subscripts[] = {" + lines +
         "}; const ::cuda_emulator::subscripts emulator_known_subscripts(emulator_subscripts); }\n";
}

}  // namespace cuda_emulator::translator
