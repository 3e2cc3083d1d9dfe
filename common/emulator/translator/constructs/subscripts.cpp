// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "subscripts.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace cuda_emulator::translator {
namespace {

// Whether the brackets that end at i hold nothing but a zero: m[0][k] goes through all rows of m.
bool is_zero(const editor& text, place i) {
  return text.is(i, "]") && text.partner(i) == i - 2 && text.is(i - 1, "0");
}

// `type name[`, at the beginning of a statement: not float and its like, which have no assignment of their
// own.
bool declares(const editor& text, place bracket) {
  const place name = bracket - 1;
  place type = name - 1;
  if (!text.is_name(name)) return false;
  if (text.is(type, ">")) {
    const place begin = text.angles_begin(type);
    if (begin == nowhere || begin == 0) return false;
    type = begin - 1;
  }
  if (!text.is_name(type) || text.word(type) != cuda_word::none) return false;
  while (text.is(type - 1, "::") && text.is_name(type - 2)) type -= 2;
  for (const char* before : {";", "{", "}", ")", "const"}) {
    if (text.is(type - 1, before)) return true;
  }
  return false;
}

}  // namespace

void subscripts::collect(editor& text, place open, bool of_both_sides) {
  std::unordered_map<std::string_view, place> arrays;  // of classes, and where their blocks end
  for (place i = open + 1; i < text.partner(open); ++i) {
    if (!text.is(i, "[") || text.is(i + 1, "[") || text.is(i + 1, "]") || text[i].of_system) continue;
    if (is_zero(text, i - 1) || !seen_.insert(i).second) continue;
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
    if (of_both_sides || text.is_changed(i) || base + 1 != i) continue;
    if (declares(text, i)) {
      arrays[text[base].spelling] = text.block_end(i);
      continue;
    }
    const auto array = arrays.find(text[base].spelling);
    const bool is_place = text.is(begin - 1, "&") || text.is(begin - 1, "::");
    if (array == arrays.end() || array->second < i || begin != base || is_place) continue;
    const std::string name(text[base].spelling);
    text.insert_after(i, "::cuda_emulator::element(" + name + ", (");
    text.insert_after(text.partner(i) - 1, "), " + in_quotes(name) + ")");
  }
}

std::string subscripts::table(const editor& text, const std::string& result,
                              const std::vector<shared_name>& shared) const {
  std::unordered_map<std::string_view, std::vector<const shared_name*>> shared_by_name;
  for (const shared_name& s : shared) shared_by_name[s.name].push_back(&s);
  std::vector<std::size_t> lines_begin = {0};
  for (std::size_t i = 0; i < result.size(); ++i)
    if (result[i] == '\n') lines_begin.push_back(i + 1);
  const auto column = [&](place i) {
    const std::size_t at = text.place_in_result(i);
    return std::to_string(at - *std::prev(std::upper_bound(lines_begin.begin(), lines_begin.end(), at)) + 1);
  };
  std::string rows;
  std::string_view file;
  for (const subscript& s : found_) {
    const std::string_view base = text[s.begin].spelling;
    const auto known = shared_by_name.find(base);
    const bool of_device =
        left_out_.contains(base) || text.is_changed(s.begin) ||
        (known != shared_by_name.end() &&
         std::any_of(known->second.begin(), known->second.end(),
                     [&](const shared_name* v) { return v->begin <= s.begin && s.begin < v->end; }));
    if (of_device) continue;
    const place close = text.partner(s.open);
    if (text[close].file != file) {
      file = text[close].file;
      rows.append("{").append(file).append(",0,0,0,0},");
    }
    rows += "{" + in_quotes(text.text(s.begin, s.open)) + "," + std::to_string(text[close].line) + "," +
            column(s.open) + "," + column(close) + "," + column(s.base) + "},";
  }
  if (rows.empty()) return {};
  return " namespace { constexpr ::cuda_emulator::subscript emulator_subscripts[] = {" + rows +
         "}; const ::cuda_emulator::subscripts emulator_known_subscripts(emulator_subscripts); }\n";
}

}  // namespace cuda_emulator::translator
