// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "syntax.hpp"

#include <algorithm>
#include <array>

namespace cuda_emulator::translator {
namespace {

// Keywords that can stand where a name could.
constexpr std::array<std::string_view, 58> keywords = {
    "alignas",  "alignof",  "auto",      "bool",      "break",     "case",     "catch",    "char",
    "class",    "const",    "consteval", "constexpr", "constinit", "continue", "co_await", "co_return",
    "co_yield", "decltype", "default",   "delete",    "do",        "double",   "else",     "enum",
    "explicit", "extern",   "float",     "for",       "friend",    "goto",     "if",       "inline",
    "int",      "long",     "mutable",   "namespace", "new",       "noexcept", "operator", "requires",
    "return",   "short",    "signed",    "sizeof",    "static",    "struct",   "switch",   "template",
    "throw",    "typedef",  "typename",  "union",     "unsigned",  "using",    "virtual",  "void",
    "volatile", "while"};

// Words whose parentheses belong to them and are never a list of parameters.
constexpr std::array<std::string_view, 20> specifiers = {
    "__attribute__", "__attribute",  "alignas",           "_Alignas",    "decltype", "__decltype",
    "__typeof__",    "typeof",       "__asm__",           "asm",         "noexcept", "throw",
    "explicit",      "requires",     "__launch_bounds__", "__maxnreg__", "__typeof", "__underlying_type",
    "__declspec",    "static_assert"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

syntax::syntax(std::string_view source, std::string_view file) : tokens_(tokenize(source, file)) {
  partners_.assign(tokens_.size(), nowhere);
  const auto fail = [this](place i, const std::string& message) {
    throw source_error(tokens_[i].file, tokens_[i].line,
                       "'" + std::string(tokens_[i].spelling) + "' " + message);
  };
  std::vector<place> open;
  for (place i = 0; i < size(); ++i) {
    if (tokens_[i].spelling.size() != 1) continue;
    const char c = tokens_[i].spelling.front();
    if (c == '(' || c == '[' || c == '{') open.push_back(i);
    if (c != ')' && c != ']' && c != '}') continue;
    if (open.empty()) fail(i, "was never opened");
    const char expected = is(open.back(), "(") ? ')' : is(open.back(), "[") ? ']' : '}';
    if (c != expected) {
      fail(open.back(), std::string("is closed by '") + c + "' on line " + std::to_string(tokens_[i].line));
    }
    partners_[i] = open.back();
    partners_[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty()) fail(open.back(), "is never closed");
}

bool syntax::is_name(place i) const {
  return tokens_[i].kind == token_kind::name && !contains(keywords, tokens_[i].spelling);
}

place syntax::after_angles(place i) const {
  int depth = 0;
  while (i < size()) {
    const std::string_view t = tokens_[i].spelling;
    if (t == "<") {
      if (is(i + 1, "<") && adjacent(i)) {  // a shift: no template argument begins with <
        i += 2;
        continue;
      }
      ++depth;
    } else if (t == ">") {
      if (--depth == 0) return i + 1;
    } else if (t == ";" || t == ")" || t == "]" || t == "}") {
      return nowhere;
    }
    i = after_group(i);
  }
  return nowhere;
}

place syntax::angles_begin(place i) const {
  int depth = 0;
  for (;; --i) {
    const std::string_view t = tokens_[i].spelling;
    if (t == ">") {
      ++depth;
    } else if (t == "<") {
      if (i > 0 && is(i - 1, "<") && adjacent(i - 1)) {
        --i;
      } else if (--depth == 0) {
        return i;
      }
    } else if (t == ")" || t == "]" || t == "}") {
      i = partner(i);
    } else if (t == ";" || t == "(" || t == "[" || t == "{") {
      return nowhere;
    }
    if (i == 0) return nowhere;
  }
}

place syntax::after_specifier(place i) const {
  if (contains(specifiers, tokens_[i].spelling) && is(i + 1, "(")) return after_group(i + 1);
  if (is(i, "[") && is(i + 1, "[")) return after_group(i);
  return i;
}

outline syntax::outline_of(place begin, place end) const {
  outline result;
  bool named = false;  // the token before i can be the name of a function
  place name = nowhere;
  for (place i = begin; i < end;) {
    const std::string_view t = tokens_[i].spelling;
    if (const place next = after_specifier(i); next != i) {
      i = next;
      named = false;
    } else if (t == "(") {
      // T (*pointer)(int): a name in parentheses is a declarator, no list of parameters.
      if (named && !result.has_initializer && result.parameters == nowhere && !is(i + 1, "*") &&
          !is(i + 1, "&")) {
        result.name = name;
        result.parameters = i;
      }
      i = after_group(i);
      named = false;
    } else if (t == "template" && is(i + 1, "<") && after_angles(i + 1) != nowhere) {
      i = after_angles(i + 1);
    } else if (t == "operator") {
      result.has_operator = true;
      name = i++;
      if (is(i, "(") || is(i, "[")) {  // operator()
        i = after_group(i);
      } else if (is(i, "<") && is(i + 1, "<") && adjacent(i)) {  // operator<<
        i += 2;
      } else {
        ++i;  // an operator, new, or the first word of a type
      }
      named = true;
    } else if (tokens_[i].kind == token_kind::name) {
      if (result.parameters == nowhere) {
        result.has_namespace |= t == "namespace";
        result.has_enum |= t == "enum";
        result.has_class |= t == "class" || t == "struct" || t == "union";
      }
      const bool keyword = !is_name(i);
      if (!keyword && !result.has_operator) name = i;
      named = result.has_operator || !keyword;
      ++i;
      if (!keyword && is(i, "<") && !result.has_initializer) {
        if (const place next = after_angles(i); next != nowhere) i = next;
      }
    } else {
      result.has_initializer |= t == "=";
      result.has_member_initializers |= t == ":" && result.parameters != nowhere && !result.has_initializer;
      named = result.has_operator && t != "=";
      if (result.has_operator && t == "<") {  // the arguments of operator<<T> and of a converted-to template
        const place next = after_angles(i);
        i = next == nowhere ? i + 1 : next;
      } else {
        i = after_group(i);
      }
    }
  }
  return result;
}

std::string syntax::text(place begin, place end) const {
  std::string result;
  for (place i = begin; i < end; ++i) {
    if (i > begin && !adjacent(i - 1)) result += ' ';
    result += tokens_[i].spelling;
  }
  return result;
}

}  // namespace cuda_emulator::translator
