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

// A string or character literal of several lines on one line, with the same value.
std::string on_one_line(std::string_view literal) {
  std::string result;
  const std::size_t quote = literal.find_first_of("\"'");
  const bool is_raw =
      quote != literal.npos && quote > 0 && literal[quote] == '"' && literal[quote - 1] == 'R';
  if (!is_raw) {  // the backslash in front of the newline continues it
    for (std::size_t i = 0; i < literal.size(); ++i) {
      if (literal[i] == '\\' && i + 1 < literal.size() && literal[i + 1] == '\n') {
        ++i;
      } else {
        result += literal[i];
      }
    }
    return result;
  }
  // R"delimiter(characters)delimiter"suffix
  const std::size_t open = literal.find('(', quote), close = literal.rfind('"');
  const std::size_t begin = open + 1, end = close - (begin - quote) + 1;
  result.append(literal.substr(0, quote - 1)).append("\"");
  for (const char c : literal.substr(begin, end - begin)) {
    if (c == '"' || c == '\\' || c == '?') result += '\\';  // ?: no trigraphs
    if (c == '\n' || c == '\r') {
      result.append(c == '\n' ? "\\n" : "\\r");
    } else {
      result += c;
    }
  }
  return result.append(literal.substr(close));
}

}  // namespace

syntax::syntax(std::string_view source, std::string_view file) : tokens_(tokenize(source, file)) {
  partners_.assign(tokens_.size(), nowhere);
  after_angles_.assign(tokens_.size(), unknown);
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
  block_ends_.assign(tokens_.size(), size());
  std::vector<place> ends;  // of the blocks around i
  for (place i = 0; i < size(); ++i) {
    if (is(i, "{")) ends.push_back(partners_[i]);
    if (!ends.empty()) block_ends_[i] = ends.back();
    if (is(i, "}")) ends.pop_back();
  }
}

bool syntax::is_name(place i) const {
  return tokens_[i].kind == token_kind::name && !contains(keywords, tokens_[i].spelling);
}

bool syntax::is_angle(place i) const {
  if (!is(i, "<") || i == 0) return false;
  const bool shift = (is(i + 1, "<") && adjacent(i)) || (is(i - 1, "<") && adjacent(i - 1));
  return !shift && (is_name(i - 1) || is(i - 1, "template"));
}

place syntax::after_angles(place i) const {
  if (after_angles_[i] != unknown) return after_angles_[i];
  const place first = i;
  std::vector<place> open = {first};
  for (++i; i < size() && !open.empty(); i = after_group(i)) {
    if (is_angle(i)) {
      open.push_back(i);
    } else if (is(i, ">")) {
      after_angles_[open.back()] = i + 1;
      open.pop_back();
    } else if (is(i, ";") || is(i, ")") || is(i, "]") || is(i, "}")) {
      break;
    }
  }
  for (const place less : open) after_angles_[less] = nowhere;
  return after_angles_[first];
}

place syntax::angles_begin(place i) const {
  int depth = 1;
  while (i-- > 0) {
    if (is(i, ")") || is(i, "]") || is(i, "}")) {
      i = partner(i);
    } else if (is(i, ">")) {
      ++depth;
    } else if (is_angle(i)) {
      if (--depth == 0) return i;
    } else if (is(i, ";") || is(i, "(") || is(i, "[") || is(i, "{")) {
      return nowhere;
    }
  }
  return nowhere;
}

place syntax::after_specifier(place i) const {
  if (contains(specifiers, tokens_[i].spelling) && is(i + 1, "(")) return after_group(i + 1);
  if (is(i, "[") && is(i + 1, "[")) return after_group(i);
  return i;
}

place syntax::after_item(place i) const {
  if (const place next = after_specifier(i); next != i) return next;
  if (is_angle(i + 1)) {
    if (const place next = after_angles(i + 1); next != nowhere) return next;
  }
  return after_group(i);
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
      place inner = i + 1;
      while (is(inner, "*") || is(inner, "&")) ++inner;
      const bool open = result.parameters == nowhere && !result.has_initializer;
      if (open && named && inner == i + 1) {
        result.name = name;
        result.parameters = i;
      } else if (open && inner > i + 1 && is_name(inner) && is(inner + 1, "(")) {
        result.name = inner;  // int (&function(float))[3], in contrast to int (*variable)(float)
        result.parameters = inner + 1;
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

bool syntax::is_function(const outline& seen) const {
  if (seen.has_operator) return true;
  if (seen.parameters == nowhere) return false;
  const token_kind first = tokens_[seen.parameters + 1].kind;  // int v(3) is no function
  return first != token_kind::number && first != token_kind::text;
}

bool syntax::opens_body(const outline& seen, place brace) const {
  if (seen.parameters == nowhere || seen.has_initializer || seen.has_enum) return false;
  if (opens_requirements(brace)) return false;
  // In S() : a{1}, b{2} {} only the last brace is the body: the others follow a name.
  return !(seen.has_member_initializers && follows_name(brace));
}

// requires { ... } and requires (T t) { ... }, but not the body behind `f() requires (condition)`
bool syntax::opens_requirements(place brace) const {
  if (is(brace - 1, "requires")) return true;
  if (!is(brace - 1, ")")) return false;
  const place open = partner(brace - 1);
  if (open < 2 || !is(open - 1, "requires")) return false;
  for (const char* mark : {"requires", "=", "&&", "||", "!", "("}) {
    if (is(open - 2, mark)) return true;
  }
  return false;
}

bool syntax::begins_statement(place i) const {
  if (is(i - 1, ")")) {  // of an if, say, but not of an attribute
    const place open = partner(i - 1);
    return open == 0 || after_specifier(open - 1) != i;
  }
  for (const char* mark : {";", "{", "}", ":", "else", "do"}) {
    if (is(i - 1, mark)) return true;
  }
  return false;
}

// The place before i, where brackets count as one.
place syntax::before(place i) const { return is(i - 1, ")") || is(i - 1, "]") ? partner(i - 1) : i - 1; }

place syntax::statement_begin(place i, place open) const {
  while (i > open + 1 && !begins_statement(i)) i = before(i);
  return i;
}

std::string syntax::text(place begin, place end) const {
  std::string result;
  for (place i = begin; i < end; ++i) {
    if (i > begin && !adjacent(i - 1)) result += ' ';
    const std::string_view spelling = tokens_[i].spelling;
    const bool has_lines = spelling.find('\n') != spelling.npos;
    result.append(has_lines ? on_one_line(spelling) : std::string(spelling));
  }
  return result;
}

}  // namespace cuda_emulator::translator
