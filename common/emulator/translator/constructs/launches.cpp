// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "launches.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace cuda_emulator::translator {
namespace {

// Does the parenthesis at `open` follow the condition of an if? Then it begins a statement and calls nothing.
bool follows_condition(const editor& text, place open) {
  if (open == 0 || !text.is(open - 1, ")")) return false;
  const place condition = text.partner(open - 1);
  if (condition == 0) return false;
  for (const char* keyword : {"if", "constexpr", "for", "while", "switch"}) {
    if (text.is(condition - 1, keyword)) return true;
  }
  return false;
}

// Where the expression begins that ends before the <<< at `open`: a name with its qualifiers and template
// arguments, or an expression in parentheses, and before it any number of (...), [...], . and ->.
place callee_begin(const editor& text, place open) {
  const auto stop = [&] { text.fail(open, "cannot find the kernel that is launched here"); };
  place i = open;
  for (;;) {
    if (i == 0) stop();
    --i;
    if (text.is(i, ">")) {
      i = text.angles_begin(i);
      if (i == nowhere) stop();
      --i;
    }
    if (text.is(i, ")") || text.is(i, "]")) {
      i = text.partner(i);
      const bool postfix = i > 0 && (text.is_name(i - 1) || text.is(i - 1, ">") || text.is(i - 1, "]") ||
                                     (text.is(i - 1, ")") && !follows_condition(text, i)));
      if (postfix) continue;
      if (text.is(i, "[") || text.partner(i) == i + 1) stop();
    } else if (!text.is_name(i)) {
      stop();
    }
    if (i > 0 && text.is(i - 1, "template")) --i;
    if (i > 0 && text.is(i - 1, "::")) {
      --i;
      const bool qualified =
          i > 0 && (text.is_name(i - 1) || (text.is(i - 1, ">") && text.angles_begin(i - 1) != nowhere));
      if (!qualified) return i;
    } else if (i > 0 && (text.is(i - 1, ".") || text.is(i - 1, "->"))) {
      --i;
    } else {
      return i;
    }
  }
}

// The first > of the >>> that ends the configuration of `kernel`.
place configuration_end(const editor& text, place open, const std::string& kernel) {
  std::size_t angles = 0;  // template arguments that are open
  place short_of = 0;      // what follows >( or >>(...)
  place i = open + 3;
  while (i < text.size()) {
    if (text.is(i, ";") || text.is(i, "}") || text.is(i, ")") || text.is(i, "]")) break;
    angles += text.is_angle(i);
    place end = i;
    while (text.is(end, ">")) ++end;
    const std::size_t run = end - i;
    // The preprocessor may print >>> as >> >, but a > before >> is something else.
    const bool three = run >= 3 && text.adjacent(end - 3) && text.is(end, "(");
    // In f<A<B<int>>>(x) the run closes template arguments, in a<b>>>(x) only its first one does.
    if (three && run > angles) return end - 3;
    if (run > angles && run < 3 && text.is(end, "(")) short_of = text.after_group(end);
    angles -= std::min(angles, run);
    i = run > 0 ? end : text.after_group(i);
  }
  // The end of a statement: else (...) is an operand, as in n >> (1 + 2).
  if (short_of == i)
    text.fail(open, "a launch has three brackets on each side: " + kernel + "<<<blocks, threads>>>(...)");
  text.fail(open, "cannot find the end of this launch: >>> and arguments in parentheses");
}

// Is [begin, end) the name of a function, n::k<T> or (k)? It may be the name of several: they have no value,
// and which one is meant is known only when it is called. Any other expression is evaluated once, as on a
// GPU.
bool names_function(const editor& text, place begin, place end) {
  while (text.is(begin, "(") && text.after_group(begin) == end) ++begin, --end;
  for (place i = begin; i < end; i = text.after_item(i)) {
    if (!text.is_name(i) && !text.is(i, "::") && !text.is(i, "template")) return false;
  }
  return true;
}

// The arguments in parentheses at `open`, and for each whether it is a 0 alone, which may stand for a null
// pointer. Empty where there is none, or where their number is not known.
std::vector<bool> lone_zeros(const editor& text, place open) {
  std::vector<bool> found;
  bool some = false;
  const place close = text.partner(open);
  for (place i = open + 1; i < close;) {
    const place first = i;
    for (; i < close && !text.is(i, ","); i = text.after_item(i))
      if (text.is(i, "...")) return {};
    found.push_back(i == first + 1 && text.is(first, "0"));
    some |= found.back();
    if (i < close) ++i;
  }
  return some ? found : std::vector<bool>();
}

// The lambda that calls `kernel`. A lone 0 is written once more in the call: an int that is 0 is no pointer.
std::string call_of(const std::string& kernel, const std::vector<bool>& zeros) {
  if (zeros.empty())
    return "[=](const auto&... emulator_arguments) { " + kernel + "(emulator_arguments...); }";
  std::string parameters, arguments;
  for (std::size_t i = 0; i < zeros.size(); ++i) {
    const std::string comma = i == 0 ? "" : ", ", name = "emulator_argument" + std::to_string(i);
    parameters += comma + "const auto&" + (zeros[i] ? "" : " " + name);
    arguments += comma + (zeros[i] ? "0" : name);
  }
  return "[=](" + parameters + ") { " + kernel + "(" + arguments + "); }";
}

// A number, or a name that is no operator.
bool is_operand(const editor& text, place i) {
  for (const char* word : {"and", "bitand", "bitor", "compl", "not", "not_eq", "or", "xor"})
    if (text.is(i, word)) return false;
  return text.is_name(i) || text[i].kind == token_kind::number;
}

// Where an operand follows another one, with nothing between them, as in <<<blocks threads>>>; or nowhere.
place missing_comma(const editor& text, place begin, place end) {
  for (place i = begin; i < end; i = text.after_group(i)) {
    const place next = text.after_group(i);
    if (next >= end) break;
    // (unsigned)n is a conversion, f(x) n is nothing.
    const bool is_call = text.is(i, "(") && i > begin && text.is_name(i - 1);
    if ((is_call || is_operand(text, i)) && is_operand(text, next)) return next;
  }
  return nowhere;
}

void translate_launch(editor& text, place open) {
  const place callee = callee_begin(text, open);
  const place close = configuration_end(text, open, text.text(callee, open));
  int commas = 0;
  bool one = true;  // argument, as far as brackets tell: n < 4, b > c has two, or one of a template
  for (place i = open + 3; i < close; i = text.after_item(i)) commas += text.is(i, ",");
  for (place i = open + 3; i < close; i = text.after_group(i)) one &= !text.is(i, ",") && !text.is(i, "...");
  if (commas > 3)
    text.fail(open, "too many arguments: kernel<<<blocks, threads, shared bytes, stream>>>(...)");
  if (one) {
    // CUDA documents two arguments at least. nvcc takes a second one of 1, which is hardly ever meant.
    const std::string blocks = text.text(open + 3, close);
    const place comma = missing_comma(text, open + 3, close);
    text.say(severity::error, open,
             "a launch needs blocks and threads: " + text.text(callee, open) + "<<<blocks, threads>>>(...)" +
                 (blocks.empty() ? ""
                  : comma != nowhere
                      ? ". In <<<" + blocks + ">>> a comma is missing before " + text.text(comma, comma + 1)
                      : ". <<<" + blocks + ">>> is the number of blocks only"));
    return;
  }
  for (place i = callee; i < open; ++i) {
    // The callee is copied into a function object, and nothing in it is translated.
    if (text.is(i, "{")) text.fail(i, "give what is launched here a name first");
  }
  const place arguments = close + 3;
  const std::string kernel = text.text(callee, open);
  // A space keeps `case 1:::cuda_emulator` apart.
  const std::string space = callee > 0 && text.is(callee - 1, ":") && text.adjacent(callee - 1) ? " " : "";

  text.replace(callee, space + "::cuda_emulator::launch(" + in_quotes(kernel) + ", " + text.where(callee) +
                           ", ::cuda_emulator::configuration(");
  text.erase(callee + 1, open + 3);
  text.replace(close, "), " + (names_function(text, callee, open)
                                   ? call_of(kernel, lone_zeros(text, arguments)) +
                                         ", [=](auto emulator_probe) -> decltype(emulator_probe(" + kernel +
                                         ")) { return emulator_probe(" + kernel + "); })"
                                   : kernel + ")"));
  text.erase(close + 1, arguments);
  // NULL on its own is a pointer for the kernel, but would be a number for a template.
  for (place i = arguments + 1; i < text.partner(arguments); i = text.after_group(i)) {
    const bool begins = i == arguments + 1 || text.is(i - 1, ",");
    const bool ends = text.is(i + 1, ",") || i + 1 == text.partner(arguments);
    if (text.is(i, "__null") && begins && ends) text.replace(i, "nullptr");
  }
}

}  // namespace

void translate_launches(editor& text) {
  for (place i = 1; i < text.size(); ++i) {
    const bool three = text.is(i, "<") && text.is(i + 1, "<") && text.is(i + 2, "<");
    if (three && !text.is(i - 1, "operator")) translate_launch(text, i);
  }
}

}  // namespace cuda_emulator::translator
