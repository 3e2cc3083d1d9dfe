// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "constructors.hpp"

namespace cuda_emulator::translator {
namespace {

// S() or S(int x = 3), but not S(int x)
bool needs_no_arguments(const editor& text, place open) {
  bool given = true;  // whether the parameter before i has a value
  for (place i = open + 1; i < text.partner(open); i = text.after_item(i)) {
    if (text.is(i, ",") && !given) return false;
    if (text.is(i, ",") || i == open + 1) given = false;
    given |= text.is(i, "=") || (text.is(i, "void") && text.is(i + 1, ")")) || text.is(i, "...");
  }
  return given;
}

// The default constructor in the class body at `open` is there, and is neither empty nor defaulted nor
// constexpr.
bool works(const editor& text, place open, std::string_view name) {
  bool constant = false;
  for (place i = open + 1; i < text.partner(open); i = text.after_group(i)) {
    if (text.is(i, ";") || text.is(i, "}")) constant = false;
    constant |= text.is(i, "constexpr") || text.is(i, "consteval");
    const bool declares =
        text.is(i, name) && text.is(i + 1, "(") && !text.is(i - 1, "~") && !text.is(i - 1, "::");
    if (!declares || !needs_no_arguments(text, i + 1)) continue;
    place behind = text.after_group(i + 1);
    while (!text.is(behind, "{") && !text.is(behind, ";") && !text.is(behind, ":") && !text.is(behind, "=") &&
           behind < text.partner(open)) {
      behind = text.after_item(behind);
    }
    if (text.is(behind, "=")) return false;  // default, delete
    return !constant && !(text.is(behind, "{") && text.partner(behind) == behind + 1);
  }
  return false;
}

bool search(const editor& text, std::string_view name) {
  bool found = false;
  for (place i = 1; i < text.size(); ++i) {
    if (!text.is(i, name)) continue;
    place key = i - 1;  // behind attributes such as __align__(16)
    while (key > 0 && (text.is(key, ")") || text.is(key, "]"))) {
      const place open = text.partner(key);
      key = text.is(key, ")") && open > 0 ? open - 2 : open - 1;
      if (open < 2) return false;
    }
    if (!text.is(key, "struct") && !text.is(key, "class")) continue;
    place body = text.after_item(i);
    while (body < text.size() && !text.is(body, "{") && !text.is(body, ";") && !text.is(body, ")") &&
           !text.is(body, ">") && !text.is(body, "=")) {
      body = text.after_item(body);
    }
    if (!text.is(body, "{")) continue;  // struct S; struct S s;
    if (!works(text, body, name)) return false;
    found = true;
  }
  return found;
}

}  // namespace

bool has_working_constructor(const editor& text, std::string_view name) {
  const auto [known, is_new] = text.known_constructors().try_emplace(name, false);
  if (is_new) known->second = search(text, name);
  return known->second;
}

}  // namespace cuda_emulator::translator
