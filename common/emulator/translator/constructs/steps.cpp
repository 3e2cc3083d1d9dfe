// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "steps.hpp"

#include <array>
#include <set>
#include <string_view>
#include <vector>

namespace cuda_emulator::translator {
namespace {

constexpr std::string_view line_note = "::cuda_emulator::note_line()";

constexpr std::array<std::string_view, 14> words_of_types = {
    "auto",  "bool",   "char",     "double",  "float",   "int",      "long",
    "short", "signed", "unsigned", "wchar_t", "char8_t", "char16_t", "char32_t"};
constexpr std::array<std::string_view, 17> words_left_alone = {
    "struct", "class", "union", "enum",     "using",  "typedef", "static_assert", "asm",     "__asm__",
    "__asm",  "goto",  "break", "continue", "delete", "throw",   "co_return",     "template"};
constexpr std::array<std::string_view, 9> assignments = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};

/// A variable that a declaration declares.
struct declared_variable {
  place name;
  bool initialized, is_array;
};

class noter {
 public:
  noter(editor& text, const noted_function& function) : text_(text), function_(function) {}

  void run() {
    if (function_.parameters != nowhere) parameters();
    statements(function_.body);
  }

 private:
  std::string shown(place name) const {
    const std::string own(text_[name].spelling);
    return in_quotes(function_.is_kernel ? own : function_.name + "." + own);
  }
  std::string note(place name) const {
    return "::cuda_emulator::note(" + shown(name) + ", " + std::string(text_[name].spelling) + ")";
  }
  bool is_local(place i) const { return text_.is_name(i) && locals_.contains(text_[i].spelling); }

  void parameters() {
    const place end = text_.partner(function_.parameters);
    std::string notes;
    for (place i = function_.parameters + 1; i < end;) {
      place name = nowhere, next = i;
      bool reference = false, in_default = false, has_type = false;
      for (; next < end && !text_.is(next, ","); next = text_.after_item(next)) {
        in_default |= text_.is(next, "=");
        if (in_default) continue;
        if (text_.is(next, "(") && text_.is(next + 1, "&") && text_.is(next + 3, ")"))
          locals_.insert(text_[next + 2].spelling);  // T (&values)[8]
        reference |=
            text_.is(next, "&") || text_.is(next, "&&") || text_.is(next, "(") || text_.is(next, "...");
        if (text_.is_name(next) && has_type) name = next;
        has_type = true;
      }
      if (name != nowhere && !reference) {
        locals_.insert(text_[name].spelling);
        if (function_.is_kernel)
          notes += " ::cuda_emulator::note_parameter(" + shown(name) + ", " +
                   std::string(text_[name].spelling) + ");";
      }
      i = next + 1;
    }
    if (!notes.empty()) text_.insert_after(function_.body, notes);
  }

  /// Between the braces at `open`.
  void statements(place open) {
    for (place i = open + 1; i < text_.partner(open);) i = statement(i, text_.partner(open), true);
  }

  /// The statement at `i`, at most up to `end`; the place behind it. `in_block`: another one may be put
  /// behind it.
  place statement(place i, place end, bool in_block) {
    if (i >= end) return end;
    while (text_.is(i, "[") && text_.is(i + 1, "[")) i = text_.after_group(i);
    if (text_.is(i, ";")) return i + 1;
    if (text_.is(i, "{")) {
      statements(i);
      return text_.after_group(i);
    }
    if (text_.is(i, "if")) return if_statement(i, end);
    if (text_.is(i, "for") && text_.is(i + 1, "(")) {
      for_head(i + 1);
      return statement(text_.after_group(i + 1), end, false);
    }
    if ((text_.is(i, "while") || text_.is(i, "switch")) && text_.is(i + 1, "(")) {
      condition(i + 1);
      return statement(text_.after_group(i + 1), end, false);
    }
    if (text_.is(i, "do")) {
      i = statement(i + 1, end, false);
      if (text_.is(i, "while") && text_.is(i + 1, "(")) condition(i + 1);
      return semicolon(i, end) + 1;
    }
    if (text_.is(i, "else")) return statement(i + 1, end, false);
    if (text_.is(i, "case") || text_.is(i, "default") || (text_.is_name(i) && text_.is(i + 1, ":"))) {
      while (i < end && !text_.is(i, ":")) i = text_.after_item(i);
      return statement(i + 1, end, in_block);
    }
    const place last = semicolon(i, end);
    if (last >= end) return end;
    if (text_.is(i, "return")) {
      if (function_.is_kernel && last == i + 1) text_.insert_after(i, " " + std::string(line_note));
      return last + 1;
    }
    if (contains(words_left_alone, text_[i].spelling)) return last + 1;
    if (in_block && shared_declaration(i, last)) return last + 1;
    std::vector<declared_variable> variables;
    if (declaration(i, last, &variables)) {
      std::string notes;
      for (const declared_variable& each : variables)
        if (each.is_array)
          notes += " ::cuda_emulator::note_local(" + shown(each.name) + ", " +
                   std::string(text_[each.name].spelling) + (each.initialized ? ", true);" : ", false);");
        else if (each.initialized)
          notes += " " + note(each.name) + ";";
        else
          notes += " ::cuda_emulator::note_unset(" + std::string(text_[each.name].spelling) + ");";
      if (in_block && !notes.empty()) text_.insert_after(last, notes);
      return last + 1;
    }
    if (const std::string assigned = assigned_note(i, last); !assigned.empty())
      text_.insert_after(last - 1, ", " + assigned);
    return last + 1;
  }

  place semicolon(place i, place end) const {
    while (i < end && !text_.is(i, ";")) i = text_.after_group(i);
    return i;
  }

  place if_statement(place i, place end) {
    ++i;
    const bool at_compile_time = text_.is(i, "constexpr");
    if (at_compile_time) ++i;
    if (!text_.is(i, "(")) return semicolon(i, end) + 1;
    if (!at_compile_time) condition(i);
    i = statement(text_.after_group(i), end, false);
    return text_.is(i, "else") ? statement(i + 1, end, false) : i;
  }

  /// (condition) becomes (note, (condition)).
  void condition(place open) {
    const place close = text_.partner(open);
    if (close == open + 1 || semicolon(open + 1, close) != close || declaration(open + 1, close, nullptr))
      return;
    text_.insert_after(open, std::string(line_note) + ", (");
    text_.insert_after(close - 1, ")");
  }

  /// for (int k = 0; k < n; ++k): the value of k is noted before each look at the condition.
  void for_head(place open) {
    const place close = text_.partner(open), first = semicolon(open + 1, close);
    if (first == close) return;  // over a range
    const place second = semicolon(first + 1, close);
    if (second == close || declaration(first + 1, second, nullptr)) return;
    std::string notes;
    std::vector<declared_variable> variables;
    if (declaration(open + 1, first, &variables)) {
      for (const declared_variable& each : variables)
        if (each.initialized && !each.is_array) notes += note(each.name) + ", ";
    } else if (const std::string assigned = assigned_note(open + 1, first); !assigned.empty()) {
      notes = assigned + ", ";
    }
    if (notes.empty()) notes = std::string(line_note) + ", ";
    if (second == first + 1) {
      text_.insert_after(first, " " + notes + "true");
    } else {
      text_.insert_after(first, " " + notes + "(");
      text_.insert_after(second - 1, ")");
    }
  }

  /// __shared__ float tile[8][33];
  bool shared_declaration(place i, place last) {
    bool shared = false;
    std::string notes;
    for (place at = i; at < last; at = text_.after_item(at)) {
      shared |= text_.is(at, "__shared__");
      const bool ends = text_.is(at + 1, "[") || text_.is(at + 1, ",") || at + 1 == last;
      if (shared && at > i && text_.is_name(at) && ends && !text_.is(at, "__shared__"))
        notes += " ::cuda_emulator::note_shared(" + in_quotes(text_[at].spelling) + ", " +
                 std::string(text_[at].spelling) + ");";
    }
    if (shared && !notes.empty()) text_.insert_after(last, notes);
    return shared || text_.is(i, "static") || text_.is(i, "extern") || text_.is(i, "constexpr");
  }

  /// Is [i, end) a declaration of variables? Then they are local ones from now on.
  bool declaration(place i, place end, std::vector<declared_variable>* variables) {
    bool has_type = false, deduced = false;
    for (; i < end; ++i) {
      if (text_.is(i, "const") || text_.is(i, "volatile") || text_.is(i, "typename") ||
          text_.is(i, "register"))
        continue;
      if (contains(words_of_types, text_[i].spelling)) {
        has_type = true;
        deduced |= text_.is(i, "auto");
      } else if (!has_type && (text_.is_name(i) || text_.is(i, "::"))) {
        has_type = true;
        while (i + 1 < end && (text_.is(i, "::") || text_.is(i + 1, "::") || text_.is_angle(i + 1))) {
          if (text_.is_angle(i + 1)) {
            const place after = text_.after_angles(i + 1);
            if (after == nowhere || after > end) return false;
            i = after - 1;
            if (!text_.is(i + 1, "::")) break;
          } else {
            ++i;
          }
        }
      } else {
        break;
      }
    }
    if (!has_type || i >= end) return false;
    for (bool first = true;; first = false) {
      bool reference = false;
      while (i < end && (text_.is(i, "*") || text_.is(i, "&") || text_.is(i, "&&") || text_.is(i, "const") ||
                         text_.is(i, "__restrict__"))) {
        reference |= text_.is(i, "&") || text_.is(i, "&&");
        ++i;
      }
      if (i >= end || !text_.is_name(i))
        return !first || (deduced && text_.is(i, "["));  // a structured binding
      const place name = i++;
      const bool is_array = i < end && text_.is(i, "[");
      while (i < end && text_.is(i, "[")) i = text_.after_group(i);
      const bool initialized = i < end && (text_.is(i, "=") || text_.is(i, "{") || text_.is(i, "("));
      if (i < end && !initialized && !text_.is(i, ",")) return false;
      if (variables == nullptr) return true;
      if (!reference) {
        variables->push_back({name, initialized, is_array});
        locals_.insert(text_[name].spelling);
      }
      while (i < end && !text_.is(i, ",")) i = text_.after_item(i);
      if (i >= end) return true;
      ++i;
    }
  }

  /// What notes the variable that the expression [i, last) assigns; empty if it is none that is known.
  std::string assigned_note(place i, place last) const {
    if ((text_.is(i, "++") || text_.is(i, "--")) && is_local(i + 1) && i + 2 == last) return note(i + 1);
    if (!is_local(i)) return "";
    const place name = i++;
    place bound = nowhere;
    if (text_.is(i, "[")) {
      bound = i;
      i = text_.after_group(i);
    }
    if (bound == nowhere && text_.is(i, ".") && text_.is_name(i + 1)) i += 2;  // p.x = 1
    const bool steps = (text_.is(i, "++") || text_.is(i, "--")) && i + 1 == last;
    std::string shift;  // << and >> are two tokens
    for (place at = i; at < last && at < i + 3; ++at) {
      shift += text_[at].spelling;
      if (!text_.adjacent(at)) break;
    }
    if (i >= last || !(steps || contains(assignments, text_[i].spelling) || shift.starts_with("<<=") ||
                       shift.starts_with(">>=")))
      return "";
    if (bound == nowhere) return note(name);
    // The index is looked at once more: it must not do anything.
    for (place at = bound + 1; at < text_.partner(bound); ++at)
      if (text_.is(at, "(") || text_.is(at, "[") || text_.is(at, "++") || text_.is(at, "--") ||
          text_.is(at, "=") || text_.is(at, ","))
        return "";
    return "::cuda_emulator::note_element(" + std::string(text_[name].spelling) + ", " +
           text_.text(bound + 1, text_.partner(bound)) + ")";
  }

  editor& text_;
  const noted_function& function_;
  std::set<std::string_view> locals_;
};

}  // namespace

void note_steps(editor& text, const noted_function& function) { noter(text, function).run(); }

}  // namespace cuda_emulator::translator
