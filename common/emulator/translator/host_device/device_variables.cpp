// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Variables of the device in host code: what is done to them.
#include <array>

#include "body_check.hpp"

namespace cuda_emulator::translator {
namespace {

constexpr std::array<std::string_view, 21> binary = {
    "+", "-", "/",  "%",  "==", "!=", "<=", ">=", "<=>", "&&", "||",
    "^", "|", "+=", "-=", "*=", "/=", "%=", "&=", "|=",  "^="};
constexpr std::array<std::string_view, 12> writing = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "<<=", ">>=", "^=", "++"};

constexpr std::array<std::string_view, 10> copies = {
    "cudaMemcpy",      "cudaMemcpyAsync", "cudaMemcpy2D",      "cudaMemcpy2DAsync", "cudaMemset",
    "cudaMemsetAsync", "cudaMemset2D",    "cudaMemset2DAsync", "cudaMemcpyPeer",    "cudaMemcpyPeerAsync"};

}  // namespace

void host_device_checks::body_check::device_variable(place i, place first, const variable& v) {
  const bool is_value = v.is_const && v.bounds == 0;
  if (!warn_ || v.is_managed || v.is_reference || is_value) return;
  if (here() == side::both && (function_.is_template || function_.is_unchecked)) return;
  const touch what = touched(i, first, v);
  const std::string word(text_[i].spelling);
  if (what == touch::none || (here() == side::both && !is_sure(i, word))) return;
  const std::string variable =
      word + ", a " + (v.is_constant ? "__constant__" : "__device__") + " variable: ";
  if (what == touch::read) {
    say(severity::warning, i, word + " read",
        who() + " reads " + variable +
            "on a GPU the host has another one, which kernels do not change; use cudaMemcpyFromSymbol()");
  } else if (what == touch::write) {
    say(severity::warning, i, word + " write",
        who() + " writes " + variable +
            "on a GPU the host has another one, which kernels do not see; use cudaMemcpyToSymbol()");
  } else {
    say(severity::warning, i, word + " address",
        who() + " passes the address of " + variable +
            "on a GPU it is that of another one, which the host has; use cudaGetSymbolAddress()");
  }
}

// Like nvcc, this tells an element that is read or written from an array, a reference or an address that is
// only passed on.
host_device_checks::body_check::touch host_device_checks::body_check::touched(place i, place first,
                                                                              const variable& v) const {
  place left = first, right = i + 1;
  int depth = 0;
  bool of_member = false;
  for (;;) {
    if (text_.is(right, "[")) {
      right = text_.after_group(right);
      ++depth;
    } else if (text_.is(right, ".") && text_.is_name(right + 1)) {
      if (text_.is(right + 2, "(") || text_.is(right + 2, "<")) return touch::none;
      of_member = true;
      right += 2;
    } else if (text_.is(right, "->")) {
      return v.is_pointer && depth == v.bounds && !of_member ? touch::read : touch::none;
    } else if (text_.is(right, ")") && text_.is(left - 1, "(") && !ends_operand(left - 2) &&
               (text_[left - 2].kind != token_kind::name || text_.is(left - 2, "return"))) {
      --left;
      ++right;
    } else if (text_.is(left - 1, "*") && !ends_operand(left - 2) && !of_member) {
      if (v.is_pointer && depth == v.bounds) return touch::read;
      if (depth >= v.bounds) return touch::none;
      --left;
      ++depth;
    } else {
      break;
    }
  }
  if (!of_member && v.is_pointer && depth > v.bounds) return touch::read;
  if (!of_member && depth > v.bounds) return touch::none;
  return touched_as_value(left, right, of_member || depth == v.bounds, v);
}

// [left, right) is a variable, an element or a member, or an array where it is no value.
host_device_checks::body_check::touch host_device_checks::body_check::touched_as_value(
    place left, place right, bool is_value, const variable& v) const {
  const std::string_view before = text_[left - 1].spelling, after = text_[right].spelling;
  const auto read_if = [](bool condition) { return condition ? touch::read : touch::none; };
  if (before == "&" && (!ends_operand(left - 2) || text_.is(left - 2, ")"))) {
    return is_address_for_runtime(left - 1, right) ? touch::address : touch::none;
  }
  if (!is_value) return is_address_for_runtime(left, right) ? touch::address : touch::none;
  if (contains(writing, after) || after == "--" || before == "++" || before == "--") return touch::write;
  if (contains(binary, after) || after == "*" || after == "&" || after == "?" || after == "<")
    return touch::read;
  const bool in_angles = before == "<" || before == ",";
  if (after == ">") return read_if(!in_angles);
  if (before == "<") {
    const bool in_configuration = text_.is(left - 2, "<") && text_.is(left - 3, "<");
    return read_if(after != "," || in_configuration);
  }
  if (contains(binary, before) || before == ">" || before == "!" || before == "~") return touch::read;
  if ((before == "*" || before == "&") && ends_operand(left - 2)) return touch::read;
  if (before == "=") return read_if(reads_into(left - 1));

  // From here on it matters whether a class could be made of a reference.
  if (!v.is_builtin && !v.is_pointer) return touch::none;
  if (before == "return")
    return read_if(frames_.empty() ? function_.returns_value : frames_.back().returns_value);
  if (before == "[") return read_if(after == "]" && ends_operand(left - 2));
  if (before == ")") {
    const place open = text_.partner(left - 1);
    bool of_builtin = open + 2 <= left;
    for (place i = open + 1; i + 1 < left; ++i) of_builtin &= is_builtin_type(text_[i].spelling);
    return read_if(of_builtin && open + 1 < left - 1);
  }
  if (before == "(" && after == ")") {
    for (const char* word : {"if", "while", "switch"}) {
      if (text_.is(left - 2, word)) return touch::read;
    }
    if (is_builtin_type(text_[left - 2].spelling)) return touch::read;
    if (text_.is(left - 2, ">") && text_.is(left - 4, "<") && text_.is(left - 5, "static_cast")) {
      return read_if(is_builtin_type(text_[left - 3].spelling));
    }
  }
  if (before != "(" && before != ",") return touch::none;
  if (after != ")" && after != ",") return touch::none;
  return touched_by_call(left);
}

// An argument of a call: read where it is certainly passed by value.
host_device_checks::body_check::touch host_device_checks::body_check::touched_by_call(place left) const {
  auto around = open_.rbegin();
  while (around != open_.rend() && *around >= left) ++around;  // parentheses that belong to the argument
  if (around == open_.rend() || *around < 3 || !text_.is(*around, "(")) return touch::none;
  const place open = *around;
  const std::string_view callee = text_[open - 1].spelling;
  const bool is_launch = callee == ">" && text_.is(open - 2, ">") && text_.is(open - 3, ">");
  const bool prints =
      callee == "printf" || callee == "fprintf" || callee == "snprintf" || callee == "sprintf";
  const bool of_runtime =
      callee.starts_with("cuda") && callee.find("Symbol") == callee.npos && !own_.contains(callee);
  return is_launch || prints || of_runtime ? touch::read : touch::none;
}

// Whether the = copies a value, and does not bind a reference or make an object of a class.
bool host_device_checks::body_check::reads_into(place equals) const {
  place j = equals - 1;
  while (text_.is(j, "]")) j = text_.partner(j) - 1;
  if (!text_.is_name(j)) return false;
  place before = j - 1;
  while (text_.is(before, "::") && text_.is_name(before - 1)) before -= 2;
  if (text_.is(before, "&") || text_.is(before, "&&") || text_.is(before, ">")) return false;
  if (text_[before].kind != token_kind::name) return true;
  const std::string_view word = text_[before].spelling;
  return is_builtin_type(word) || word == "auto" || word == "const" || word == "else" || word == "do";
}

// An argument of a kernel, which gets a value, or of a copy.
bool host_device_checks::body_check::is_address_for_runtime(place left, place right) const {
  const bool alone = (text_.is(left - 1, "(") || text_.is(left - 1, ",")) &&
                     (text_.is(right, ")") || text_.is(right, ",") || text_.is(right, "+"));
  if (!alone || open_.empty()) return false;
  const place open = open_.back();
  if (open < 3 || open >= left || !text_.is(open, "(")) return false;
  const std::string_view callee = text_[open - 1].spelling;
  return contains(copies, callee) || (callee == ">" && text_.is(open - 2, ">") && text_.is(open - 3, ">"));
}

}  // namespace cuda_emulator::translator
