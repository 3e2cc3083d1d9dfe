// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "plain_sentence.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string_view>
#include <utility>

namespace tutorial {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == line.npos) continue;
    lines.push_back(line.substr(begin, line.find_last_not_of(" \t") - begin + 1));
  }
  return lines;
}

/// Of a list, as summary() and joined() make it, the first line and how many more there are.
std::string first_of_list(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  if (lines.empty()) return "";
  std::size_t more = lines.size() - 1;
  int left_out = 0;
  if (more > 0 && std::sscanf(lines.back().c_str(), "and %d more", &left_out) == 1)
    more += std::size_t(left_out) - 1;
  if (more == 0) return lines.front();
  return lines.front() + "\n(" + std::to_string(more) + " more of this kind)";
}

bool is_list(const std::string& text) { return text.starts_with("\n  "); }

/// "WRONG: 3 of 257, the first ..." is "3 of 257 are wrong, the first ..."
std::string without_shouting(std::string text) {
  constexpr std::string_view mark = "WRONG: ";
  for (std::size_t at; (at = text.find(mark)) != text.npos;) {
    const std::size_t comma = text.find(", ", at);  // "1,792 of 2,051, the first"
    const std::string how_many = text.substr(at + mark.size(), comma - at - mark.size());
    const std::string verb = how_many.starts_with("1 of ") ? " is wrong" : " are wrong";
    if (comma == text.npos || how_many.find(" of ") == how_many.npos)
      text.erase(at, mark.size());
    else
      text.replace(at, comma - at, how_many + verb);
  }
  return text;
}

/// "1 samples" is "1 sample". The other words that end in -s are shorter, or do not come after a 1.
std::string with_singular(std::string text) {
  for (std::size_t at = 0; (at = text.find("1 ", at)) != text.npos; ++at) {
    if (at > 0 && std::strchr(" ([,=", text[at - 1]) == nullptr) continue;
    if (at > 1 && text[at - 2] == 'x') continue;  // 7 x 1 pixels
    std::size_t end = at + 2;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
    const bool whole = end == text.size() || std::strchr(" ,.:;)]", text[end]) != nullptr;
    if (whole && end - at - 2 > 4 && text[end - 1] == 's' && text[end - 2] != 's') text.erase(end - 1, 1);
  }
  return text;
}

/// Where a check itself knows what a result looks like, what compare() takes it for goes.
std::string with_one_cause(std::string text) {
  constexpr std::string_view mark = "It is as if ";
  const std::size_t first = text.find(mark), second = text.find(mark, first + 1);
  if (first == text.npos || second == text.npos ||
      !text.substr(first).starts_with("It is as if element i had "))
    return text;
  return text.erase(first, second - first);
}

/// "18446744073709551612" is what becomes of -4 in a std::size_t; the text says so.
std::string with_signs(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("0123456789", at)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    unsigned long long value = 0;
    const auto [last, error] = std::from_chars(text.data() + at, text.data() + end, value);
    at = end;
    if (error != std::errc() || last != text.data() + end || value < ~0ull / 2) continue;
    const std::string words =
        " (" + std::to_string(static_cast<long long>(value)) + " before it became unsigned)";
    text.insert(end, words);
    at += words.size();
  }
  return text;
}

/// Where `operation` is in `text` outside of brackets and quotes; npos if it is not there.
std::size_t find_outside(std::string_view text, std::string_view operation) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (quoted) continue;
    if (depth == 0 && text.substr(i).starts_with(operation)) return i;
    if (std::strchr("([{", text[i]) != nullptr) ++depth;
    if (std::strchr(")]}", text[i]) != nullptr) --depth;
  }
  return text.npos;
}

bool is_literal(std::string_view text) {
  if (text.empty()) return false;
  const bool plain = text.find_first_of(" *+/(") == text.npos;
  return (plain && std::strchr("-0123456789", text.front()) != nullptr) || text.front() == '"' ||
         text.front() == '\'' || text == "true" || text == "false" || text.starts_with("Approx") ||
         text.starts_with("doctest::Approx");
}

/// "Approx( 0.625 )" is "about 0.625".
std::string plain_value(std::string text) {
  constexpr std::string_view mark = "Approx( ";
  if (text.starts_with(mark) && text.ends_with(" )"))
    return "about " + text.substr(mark.size(), text.size() - mark.size() - 2);
  return text;
}

/// A comparison in words; "" where there is no comparison in it that shows values.
std::string comparison_in_words(const std::string& expression, const std::string& values) {
  constexpr std::pair<const char*, const char*> operations[] = {
      {" == ", "should be "},          {" != ", "should be anything but "}, {" <= ", "should be at most "},
      {" >= ", "should be at least "}, {" < ", "should be less than "},     {" > ", "should be more than "}};
  for (const auto& [sign, words] : operations) {
    const std::size_t at = find_outside(expression, sign), between = values.find(sign);
    if (at == expression.npos || between == values.npos) continue;
    const std::size_t width = std::strlen(sign);
    const std::string left = expression.substr(0, at), right = expression.substr(at + width);
    const std::string got = values.substr(0, between), wanted = plain_value(values.substr(between + width));
    if (right == "\"\"") return is_list(got) ? first_of_list(got) : got;  // a text that says what is wrong
    if (got.find("{?}") != got.npos || wanted.find("{?}") != wanted.npos) return "";
    std::string text = left + " is " + got + "; it " + words + wanted;
    if (!is_literal(right) && right != wanted) text += ", which is " + right;
    return text + ".";
  }
  return "";
}

/// What a failed check says about exceptions; "" where none has come, and none should have.
std::string about_exceptions(const doctest::AssertData& data) {
  using namespace doctest::assertType;
  std::string what = data.m_exception.c_str();
  if (what.size() >= 2 && what.front() == '"') what = what.substr(1, what.size() - 2);
  const std::string call = data.m_expr;
  if ((data.m_at & (is_throws | is_throws_as)) != 0)
    return call + " should throw " +
           (*data.m_exception_type == '\0' ? "an exception" : data.m_exception_type) +
           (data.m_threw ? ", but it threw something else: " + what : ", but it threw nothing");
  return data.m_threw ? call + " ended with an error: " + what : "";
}

}  // namespace

std::vector<std::string> said_now() {
  std::vector<std::string> said;
  for (int i = 0; i < doctest::IReporter::get_num_active_contexts(); ++i) {
    std::ostringstream text;
    doctest::IReporter::get_active_contexts()[i]->stringify(&text);
    said.push_back(text.str());
  }
  return said;
}

bool is_capture(const std::string& text) { return text.find(" := ") != text.npos; }

/// "width = 5, height = 4"
std::string captures(const std::vector<std::string>& said) {
  std::string text;
  for (std::string each : said) {
    if (!is_capture(each)) continue;
    each.replace(each.find(" := "), 4, " = ");
    text += (text.empty() ? "" : ", ") + each;
  }
  return text;
}

std::string plain_sentence(const std::string& expression, const std::string& values,
                           const std::vector<std::string>& said) {
  std::string message;
  for (const std::string& each : said)
    if (!is_capture(each))
      message += (message.empty() ? "" : " ") + (is_list(each) ? first_of_list(each) : each);
  if (message.empty()) message = comparison_in_words(expression, values);
  if (message.empty()) message = "This should be true, but it isn't: " + expression;
  const std::string given = captures(said);
  return with_one_cause(
      with_signs(with_singular(without_shouting((given.empty() ? "" : given + ": ") + message))));
}

std::string plain_sentence(const doctest::AssertData& data) {
  const std::string of_exception = about_exceptions(data), given = captures(said_now());
  return of_exception.empty() ? plain_sentence(data.m_expr, data.m_decomp.c_str(), said_now())
                              : (given.empty() ? "" : given + ": ") + of_exception;
}

}  // namespace tutorial
