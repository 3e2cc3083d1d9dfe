// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "older.hpp"

#include <string>

namespace cuda_emulator::translator {
namespace {

constexpr std::array<std::string_view, 7> new_keywords = {"concept",  "requires",  "consteval", "constinit",
                                                          "co_await", "co_return", "co_yield"};

// A keyword is never followed by these.
bool is_used_as_name(const editor& text, place i) {
  for (const char* mark : {"=", ";", ",", ")", "[", "]", ".", "->", "+", "-", "*", "/", "<", ">", "?"})
    if (text.is(i + 1, mark)) return true;
  return false;
}

void rename_new_keywords(editor& text) {
  for (const std::string_view word : new_keywords) {
    bool is_name = false;
    for (place i = 0; i < text.size() && !is_name; ++i)
      is_name = !text[i].of_system && text.is(i, word) && is_used_as_name(text, i);
    for (place i = 0; is_name && i < text.size(); ++i)
      if (!text[i].of_system && text.is(i, word)) text.replace(i, "emulator_" + std::string(word));
  }
}

// S<T>(...) {...} in S, or S<T>::S<T>(...): the name at i, which template arguments follow.
bool declares_constructor(const editor& text, place i, std::string_view class_name) {
  if (!text.is(i, class_name) || !text.is(i + 1, "<")) return false;
  const place open = text.after_angles(i + 1);
  if (open == nowhere || !text.is(open, "(")) return false;
  // What follows the parameters of a constructor, and no other call.
  const place after = text.after_group(open);
  const bool may_end = text.is(after, "{") || text.is(after, ";") || text.is(after, ":") ||
                       text.is(after, "=") || text.is(after, "noexcept");
  if (!may_end || i == 0) return false;
  for (const char* before : {"{", "}", ";", ":", "~", "explicit", "inline", "constexpr", "__host__",
                             "__device__", "__forceinline__", ")"})
    if (text.is(i - 1, before)) return true;
  return false;
}

void erase_arguments_of_constructors(editor& text) {
  for (place i = 1; i + 1 < text.size(); ++i) {
    if (text[i].of_system) continue;
    // S<T>::S<T>(...)
    if (text.is(i, "::") && text.is_name(i + 1) && text.is(i + 2, "<") && text.is(i - 1, ">")) {
      const place angles = text.angles_begin(i - 1), open = text.after_angles(i + 2);
      if (angles != nowhere && angles > 0 && open != nowhere && text.is(open, "(") &&
          text.is(angles - 1, text[i + 1].spelling))
        text.erase(i + 2, open);
    }
    if ((!text.is(i, "class") && !text.is(i, "struct")) || !text.is_name(i + 1) || text.is(i - 1, "enum"))
      continue;
    place brace = i + 2;
    while (brace < text.size() && !text.is(brace, "{") && !text.is(brace, ";") && !text.is(brace, "(") &&
           !text.is(brace, ")") && !text.is(brace, "="))
      brace = text.after_item(brace);
    if (!text.is(brace, "{")) continue;
    for (place j = brace + 1; j < text.partner(brace); j = text.after_group(j)) {
      const std::string_view name = text[i + 1].spelling;
      if (declares_constructor(text, j, name)) text.erase(j + 1, text.after_angles(j + 1));
    }
  }
}

void erase_exception_specifications(editor& text) {
  for (place i = 1; i + 1 < text.size(); ++i) {
    if (text[i].of_system || !text.is(i, "throw") || !text.is(i + 1, "(")) continue;
    const place parameters = text.is(i - 1, "const") ? i - 2 : i - 1;
    if (!text.is(parameters, ")")) continue;
    const place open = text.partner(parameters);
    if (open == 0 || !text.is_name(open - 1)) continue;  // if (x) throw(y);
    const place after = text.after_group(i + 1);
    const bool ends =
        text.is(after, ";") || text.is(after, "{") || text.is(after, ":") || text.is(after, "=");
    if (ends && after > i + 3) text.erase(i, after);
  }
}

}  // namespace

void accept_older_standards(editor& text) {
  rename_new_keywords(text);
  erase_arguments_of_constructors(text);
  erase_exception_specifications(text);
}

}  // namespace cuda_emulator::translator
