// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The names that a function declares, as far as can be told without knowing what names mean.
#include <array>

#include "body_check.hpp"
#include "constructs/lambdas.hpp"

namespace cuda_emulator::translator {
namespace {

// Words behind which an expression begins, and no name is declared.
constexpr std::array<std::string_view, 20> before_expressions = {
    "return", "co_return", "co_yield", "co_await", "else", "do",    "case", "throw",  "sizeof", "delete",
    "new",    "not",       "and",      "or",       "xor",  "compl", "goto", "bitand", "bitor",  "in"};

}  // namespace

bool host_device_checks::body_check::ends_operand(place i) const {
  const token& t = text_[i];
  if (t.kind == token_kind::number || t.kind == token_kind::text) return true;
  if (t.kind == token_kind::name)
    return text_.is_name(i) ? !contains(before_expressions, t.spelling) : t.spelling == "this";
  return t.spelling == ")" || t.spelling == "]";
}

bool host_device_checks::body_check::is_of_parameters(place open) const {
  if (open == function_.parameters) return true;
  if (!text_.is(open, "(") || open == 0) return false;
  for (const char* word : {"]", "for", "catch", "__device__", "__host__", "if", "while", "switch"}) {
    if (text_.is(open - 1, word)) return true;
  }
  return false;
}

// Could the > at i be a bracket? Only what stands near is looked at.
bool host_device_checks::body_check::closes_angles(place i) const {
  int depth = 1;
  for (int steps = 0; i-- > function_.begin && steps < 50; ++steps) {
    if (text_.is(i, ")") || text_.is(i, "]") || text_.is(i, "}")) i = text_.partner(i);
    if (text_.is(i, ";") || text_.is(i, "(") || text_.is(i, "{")) return false;
    if (text_.is(i, ">")) ++depth;
    if (text_.is(i, "<") && --depth == 0) return true;
  }
  return false;
}

// Type * name, Type& name, ... and not factor * name.
bool host_device_checks::body_check::declares_behind_star(place i, const std::vector<place>& open) const {
  place j = i - 1;
  const auto is_mark = [&](place at) {
    for (const char* mark : {"*", "&", "&&", "const", "volatile"}) {
      if (text_.is(at, mark)) return true;
    }
    return false;
  };
  while (j > function_.begin && is_mark(j)) --j;
  const place around = open.empty() ? function_.body : open.back();
  if (text_.is(j, "(")) return text_.is(i + 1, ")") && (text_.is(i + 2, "(") || text_.is(i + 2, "["));
  if (text_.is(j, ",")) return text_.is(around, "{") || text_.is(around, "[") || is_of_parameters(around);
  if (text_.is(j, ">") || text_.is(j, "...")) return true;
  if (text_[j].kind != token_kind::name || contains(before_expressions, text_[j].spelling)) return false;
  if (!text_.is_name(j)) return true;  // a keyword: int, auto
  while (j > function_.begin + 1 && text_.is(j - 1, "::")) {
    --j;
    if (text_.is_name(j - 1)) --j;
  }
  if (j <= function_.begin) return true;
  const place before = j - 1;
  if (text_[before].kind == token_kind::name) {
    return !contains(before_expressions, text_[before].spelling);
  }
  if (text_.is(before, ";") || text_.is(before, "{") || text_.is(before, "}")) return true;
  if (text_.is(before, "(") || text_.is(before, ",")) return is_of_parameters(around);
  return text_.is(before, "<") || text_.is(before, ">");  // template <int* p>
}

// Whether the function may declare the name at i, there. In doubt it does.
bool host_device_checks::body_check::declares(place i, const std::vector<place>& open) const {
  if (i < 2 || i == function_.name) return false;
  const token& before = text_[i - 1];
  const place around = open.empty() ? nowhere : open.back();
  if (before.kind == token_kind::name) {
    return before.spelling == "goto" || !contains(before_expressions, before.spelling);
  }
  if (before.spelling == "...") return true;
  if (before.spelling == ">") return closes_angles(i - 1);
  if (before.spelling == "*" || before.spelling == "&" || before.spelling == "&&") {
    return declares_behind_star(i, open);
  }
  if (before.spelling == ",") {
    if (around == nowhere) return true;
    if (text_.is(around, "{")) return true;
    if (text_.is(around, "[")) return begins_lambda(text_, around) || !ends_operand(around - 1);
    return around > 0 && text_.is(around - 1, "for");
  }
  if (before.spelling == "[") {
    return text_.is(i - 2, "auto") || text_.is(i - 2, "&") || text_.is(i - 2, "&&") ||
           begins_lambda(text_, i - 1);
  }
  if (before.spelling == "{") {  // of an enum
    for (place j = i - 2; j > function_.body && j + 8 > i && !text_.is(j, ";"); --j) {
      if (text_.is(j, "enum")) return true;
    }
  }
  return false;
}

void host_device_checks::body_check::for_each_declared(const std::function<void(place)>& take) const {
  std::vector<place> open;
  for (place i = function_.begin; i < end_; ++i) {
    while (!open.empty() && text_.partner(open.back()) <= i) open.pop_back();
    if (text_.is(i, "(") || text_.is(i, "[") || text_.is(i, "{")) open.push_back(i);
    if (text_.is_name(i) && declares(i, open)) take(i);
  }
}

void host_device_checks::body_check::collect_own_names() {
  std::vector<place> open;
  for (place i = function_.begin; i < end_; ++i) {
    while (!open.empty() && text_.partner(open.back()) <= i) open.pop_back();
    if (text_.is(i, "(") || text_.is(i, "[") || text_.is(i, "{")) open.push_back(i);
    if (text_[i].kind != token_kind::name) continue;
    const std::string_view name = text_[i].spelling;
    const bool is_type = is_builtin_type(name) || name == "auto";
    if (is_type && i + 1 < end_ && text_.is_name(i + 1) && i >= function_.parameters) {
      const bool is_fixed =
          text_.is(i - 1, "const") || text_.is(i - 1, "constexpr") || text_.is(i - 1, "static");
      if (!is_fixed) varying_.insert(text_[i + 1].spelling);
    }
    if (text_.is_name(i) && !own_.contains(name) && declares(i, open)) own_.insert(name);
  }
}

}  // namespace cuda_emulator::translator
