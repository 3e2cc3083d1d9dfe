// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "ptx.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "ptx_text.hpp"

namespace cuda_emulator::translator {
namespace {

using ptx::type;

/// The characters that a string literal stands for.
std::string characters_of(std::string_view literal) {
  const std::size_t quote = literal.find('"');
  if (quote > 0 && literal[quote - 1] == 'R') {
    const std::size_t open = literal.find('('), close = literal.rfind(')');
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  std::string text;
  const std::size_t end = literal.rfind('"');
  for (std::size_t i = quote + 1; i < end; ++i) {
    if (literal[i] != '\\' || i + 1 >= end) {
      text += literal[i];
      continue;
    }
    switch (literal[++i]) {
      case 'n':
      case 'r':
        text += '\n';
        break;
      case 't':
        text += ' ';
        break;
      case '\n':  // goes on in the next line
        break;
      default:
        text += literal[i];
        break;
    }
  }
  return text;
}

/// One asm statement.
class assembly {
 public:
  assembly(editor& text, place begin, place end) : text_(text), begin_(begin), limit_(end) {}

  void run() {
    place at = begin_;
    try {
      open_ = begin_ + 1;
      while (open_ < limit_ && !text_.is(open_, "(")) {
        if (text_.is(open_, "goto")) throw ptx_error("asm goto is for CPUs: write the branch in C++");
        ++open_;
      }
      close_ = text_.partner(open_);
      read_sections();
      // What is empty, and without operands, only tells the compiler to keep the order.
      if (template_.find_first_not_of(" \n") == template_.npos && names_.operands.empty()) return;
      code_.assign(strings_.size(), "");
      read_template(at);
      check_outputs(at);
    } catch (const ptx_error& error) {
      text_.say(severity::error, at, std::string(text_[begin_].spelling) + ": " + error.what());
      text_.replace(begin_, std::string(text_[begin_].spelling));
      return;
    }
    write();
  }

 private:
  struct operand {
    std::string expression;
    bool is_output = false, is_input = false;
    char constraint = 'r';
  };

  void read_sections() {
    int section = 0;
    for (place i = open_ + 1; i < close_;) {
      if (text_.is(i, ":") || text_.is(i, "::")) {
        section += text_.is(i, ":") ? 1 : 2;
        ++i;
      } else if (section == 0) {
        if (text_[i].kind != token_kind::text) throw ptx_error("the instructions must be string literals");
        strings_.push_back({i, template_.size()});
        std::string characters = characters_of(text_[i].spelling);
        // A number that differs from statement to statement: labels here do so by themselves.
        for (std::size_t at; (at = characters.find("%=")) != characters.npos;)
          characters.replace(at, 2, "_s");
        template_ += characters;
        ++i;
      } else if (section <= 2 && !text_.is(i, ",")) {
        i = read_operand(i, section == 1);
      } else {
        ++i;  // commas, clobbers
      }
    }
    // "+r" counts once, as one register that is both.
    for (std::size_t k = 0; k < operands_.size(); ++k)
      names_.operands[k].cpp = "emulator_operand_" + std::to_string(k);
  }

  place read_operand(place i, bool is_output) {
    ptx_register r;
    operand o;
    const std::string number = std::to_string(operands_.size());
    r.shown = "%" + number;
    if (text_.is(i, "[")) throw ptx_error("names of operands ([x]) are not for PTX: count them, %0, %1, ...");
    std::string constraint;  // in one or several literals
    const place first = i;
    while (text_[i].kind == token_kind::text) constraint += characters_of(text_[i++].spelling);
    if (i == first || !text_.is(i, "("))
      throw ptx_error("operand " + r.shown + " is not a constraint and an expression: \"r\"(x)");
    o.is_output = is_output;
    o.is_input = !is_output;
    for (const char c : constraint) {
      switch (c) {
        case '=':
        case '&':
          break;
        case '+':
          o.is_input = true;
          break;
        case 'h':
        case 'r':
        case 'l':
        case 'f':
        case 'd':
        case 'n':
          o.constraint = c;
          break;
        default:
          throw ptx_error(
              "operand " + r.shown + " has the constraint \"" + constraint +
              "\"; those of PTX are h, r and l for integers of 16, 32 and 64 bits, f and d for float "
              "and double, and n for constants");
      }
    }
    const bool says_output = constraint.find_first_of("=+") != constraint.npos;
    if (says_output != is_output)
      throw ptx_error("operand " + r.shown +
                      (is_output ? " is an output: its constraint begins with = or +"
                                 : " is an input: its constraint has no = or +"));
    const char c = o.constraint;
    r.bits = c == 'h' ? 16 : c == 'l' || c == 'd' || c == 'n' ? 64 : 32;
    r.is_real = c == 'f' || c == 'd';
    r.is_constant = c == 'n';
    r.is_input = o.is_input;
    r.is_output = o.is_output;
    r.is_written = r.is_surely_written = o.is_input;
    o.expression = text_.text(i + 1, text_.partner(i));
    if (o.expression.empty()) throw ptx_error("operand " + r.shown + " has no expression");
    operands_.push_back(o);
    names_.operands.push_back(r);
    return text_.after_group(i);
  }

  // The string literal in which a character of the template stands.
  std::size_t string_at(std::size_t position) const {
    std::size_t s = 0;
    while (s + 1 < strings_.size() && strings_[s + 1].begin <= position) ++s;
    return s;
  }

  void read_template(place& at) {
    ptx_reader in(template_);
    while (!in.at_end()) {
      const std::size_t string = string_at(in.at());
      at = strings_[string].token;
      std::string& code = code_[string];
      if (in.take(';')) continue;
      if (in.take('{')) {
        names_.open_scope();
        code += " {";
        continue;
      }
      if (in.take('}')) {
        if (names_.depth() == 1) throw ptx_error("'}' closes nothing");
        names_.close_scope();
        code += " }";
        continue;
      }
      code += " " + statement(in);
    }
    if (names_.depth() != 1) throw ptx_error("a '{' is never closed");
  }

  std::string statement(ptx_reader& in) {
    ptx_instruction i;
    if (in.take('@')) i.guard = names_.parse_operand(in);
    in.skip_blanks();
    if (in.peek() == '.') return directive(in);
    // Waiting in a loop is what mbarrier.try_wait is made for; other loops read better in C++.
    const bool may_branch = template_.find("mbarrier.try_wait") != template_.npos ||
                            template_.find("mbarrier.test_wait") != template_.npos;
    if (ptx_reader label = in; may_branch && i.guard.is == ptx_operand::kind::none) {
      const std::string name = label.word();
      label.skip_blanks();
      if (!name.empty() && label.take(':') && label.peek() != ':') {
        in = label;
        return label_of(name) + ": __attribute__((unused));";
      }
    }
    i.name = in.word(".:");
    if (may_branch && (i.name == "bra" || i.name == "bra.uni")) {
      in.skip_blanks();
      const std::string target = in.word();
      if (target.empty() || !in.take(';')) throw ptx_error("bra needs a label");
      if (i.guard.is == ptx_operand::kind::none) return "goto " + label_of(target) + ";";
      if (i.guard.is != ptx_operand::kind::reg || i.guard.reg->bits != 1)
        throw ptx_error("bra is guarded by " + i.guard.text + ", which is not a predicate");
      read(i.guard);
      return "if (" + std::string(i.guard.is_negated ? "!" : "") + i.guard.reg->cpp + ") goto " +
             label_of(target) + ";";
    }
    if (i.name.ends_with(":") || (in.take(':')))
      throw ptx_error("labels and branches in PTX are not emulated: write the loop or the branch in C++");
    if (i.name.empty())
      throw ptx_error("an instruction is missing before '" + std::string(in.rest().substr(0, 12)) + "'");
    for (std::size_t begin = 0; begin <= i.name.size();) {
      const std::size_t end = std::min(i.name.find('.', begin), i.name.size());
      i.words.push_back(i.name.substr(begin, end - begin));
      begin = end + 1;
    }
    try {
      if (const std::string advice = advice_for(i.name); !advice.empty())
        throw ptx_error("is not emulated: " + advice);
      if (!in.at_end() && in.peek() != ';' && in.peek() != '}') {
        do i.operands.push_back(names_.parse_operand(in));
        while (in.take(','));
      }
      if (!in.take(';') && !in.at_end()) {
        in.skip_blanks();
        if (in.peek() != '}') throw ptx_error("does not end with ';'");
      }
      const bool guarded = i.guard.is != ptx_operand::kind::none;
      std::vector<bool> before;
      if (guarded && (i.guard.is != ptx_operand::kind::reg || i.guard.reg->bits != 1))
        throw ptx_error("is guarded by " + i.guard.text + ", which is not a predicate");
      if (guarded) read(i.guard);
      mark_reads(i);
      std::string code = translate_instruction(i, number_++);
      if (guarded)
        code = "if (" + std::string(i.guard.is_negated ? "!" : "") + i.guard.reg->cpp + ") {" + code + "}";
      return code;
    } catch (const ptx_error& error) {
      throw ptx_error(i.name + " " + error.what());
    }
  }

  /// Different in each asm statement.
  std::string label_of(const std::string& name) const {
    return "emulator_label_" + std::to_string(begin_) + "_" + name;
  }

  static void read(const ptx_operand& o) {
    if (o.is == ptx_operand::kind::reg && !o.reg->is_written)
      throw ptx_error("reads " + o.reg->shown + ", to which nothing has been written" +
                      (o.reg->is_output
                           ? std::string(o.reg->declared == type::none
                                             ? " (\"+\" in place of \"=\" also makes it an input)"
                                             : "")
                           : ""));
    for (const ptx_operand& part : o.parts) read(part);
  }

  // The first operand is the target, except where it is memory or there is none.
  void mark_reads(const ptx_instruction& i) {
    static constexpr std::array<std::string_view, 17> without_target = {
        "st",        "red",  "stmatrix", "cp",        "bar",     "barrier", "membar", "fence",  "prefetch",
        "nanosleep", "trap", "brkpt",    "prefetchu", "pmevent", "exit",    "ret",    "discard"};
    bool first = true;
    const bool of_shared_barrier =
        i.words[0] == "mbarrier" && !i.operands.empty() && i.operands[0].is == ptx_operand::kind::memory;
    const bool has_target = !of_shared_barrier && (!contains(without_target, i.words[0]) ||
                                                   (i.words.size() > 1 && i.words[1] == "red"));
    const bool of_barrier = i.words[0] == "bar" && i.words.size() > 1 && i.words[1] == "red";
    for (const ptx_operand& o : i.operands) {
      if (!(first && (has_target || of_barrier))) read(o);
      first = false;
    }
    if (!(has_target || of_barrier) || i.operands.empty()) return;
    const bool guarded = i.guard.is != ptx_operand::kind::none;
    const auto write = [&](const ptx_operand& o) {
      if (o.is != ptx_operand::kind::reg) return;
      if (!o.reg->is_output)
        throw ptx_error("writes to " + o.reg->shown +
                        ", which is an input: make it an output, \"=r\" or \"+r\"");
      o.reg->is_written = true;
      // One of @p and @!p always holds, as long as p stays.
      const bool other_half =
          guarded && o.reg->guard == i.guard.reg && o.reg->guard_is_negated != i.guard.is_negated;
      o.reg->is_surely_written = o.reg->is_surely_written || !guarded || other_half;
      if (guarded) o.reg->guard = i.guard.reg, o.reg->guard_is_negated = i.guard.is_negated;
      for (ptx_register& r : names_.operands)
        if (r.guard == o.reg) r.guard = nullptr;
    };
    write(i.operands[0]);
    for (const ptx_operand& part : i.operands[0].parts) write(part);
  }

  // .reg .b32 a, b;
  std::string directive(ptx_reader& in) {
    const std::string name = in.word(".");
    if (name != ".reg") throw ptx_error("the directive " + name + " is not emulated: only .reg is");
    in.skip_blanks();
    const std::string word = in.word(".");
    const type t = ptx_type(word.empty() ? word : std::string_view(word).substr(1));
    const int bits = ptx::bits_of(t);
    if (t == type::none || bits == 8) throw ptx_error(".reg " + word + " is not a type of registers");
    std::string code;
    do {
      in.skip_blanks();
      std::string base = in.word("%");
      if (base.starts_with("%%")) base = base.substr(1);
      std::vector<std::string> declared = {base};
      if (in.take('<')) {
        const unsigned long count = std::strtoul(in.word().c_str(), nullptr, 10);
        if (!in.take('>') || count > 4096) throw ptx_error(".reg " + base + "<...> is not understood");
        declared.clear();
        for (unsigned long k = 0; k < count; ++k) declared.push_back(base + std::to_string(k));
      }
      for (const std::string& each : declared) {
        const ptx_register& r = names_.declare(each, t, number_++);
        code += "[[maybe_unused]] " + std::string(cpp_register(bits)) + " " + r.cpp + " = 0; ";
      }
    } while (in.take(','));
    if (!in.take(';')) throw ptx_error(".reg does not end with ';'");
    return code;
  }

  void check_outputs(place& at) const {
    at = begin_;
    for (const ptx_register& r : names_.operands) {
      if (!r.is_output) continue;
      if (!r.is_written) throw ptx_error("no instruction writes to the output " + r.shown);
      if (!r.is_surely_written)
        throw ptx_error(
            "the output " + r.shown +
            " is only written where a predicate holds, and else has no value: use \"+\" in place of \"=\"");
    }
  }

  void write() {
    std::string begin = "do {", end;
    for (const std::string& code : code_) {
      if (code.find("emulator_carry") == code.npos) continue;
      begin += " [[maybe_unused]] unsigned long long emulator_carry = 0;";
      break;
    }
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      const operand& o = operands_[k];
      const ptx_register& r = names_.operands[k];
      const std::string number = std::to_string(k), target = "emulator_target_" + number;
      const std::string reg(cpp_register(r.bits));
      if (r.is_constant) {
        begin += " [[maybe_unused]] constexpr auto " + r.cpp + " = (" + o.expression + ");";
        continue;
      }
      const std::string bits = std::to_string(r.bits);
      begin += " static_assert(::cuda_emulator::ptx::fits<::std::decay_t<decltype((" + o.expression +
               "))>, " + bits + ", " + (r.is_real ? "true" : "false") + ">, " +
               in_quotes(
                   "the type of operand " + r.shown + " of asm, " + o.expression +
                   ", does not fit its constraint " + o.constraint + ": " +
                   (r.is_real ? (r.bits == 32 ? "a float" : "a double") : "an integer of " + bits + " bits") +
                   " is wanted") +
               ");";
      if (o.is_output) begin += " auto& " + target + " = (" + o.expression + ");";
      begin += " [[maybe_unused]] ";
      if (!o.is_output) begin += "const ";
      begin += reg + " " + r.cpp + " = ";
      begin += o.is_input
                   ? "::cuda_emulator::ptx::in<" + reg + ">(" + (o.is_output ? target : o.expression) + ");"
                   : "0;";
      if (o.is_output) end += " ::cuda_emulator::ptx::out(" + target + ", " + r.cpp + ");";
    }
    std::size_t string = 0;
    for (place i = begin_; i <= close_; ++i) {
      std::string replacement;
      if (i == begin_) replacement = begin;
      if (string < strings_.size() && strings_[string].token == i) replacement = code_[string++];
      if (i == close_) replacement = end + " } while (false)";
      text_.replace(i, replacement);
    }
  }

  struct string_literal {
    place token;
    std::size_t begin;  // in the template
  };

  editor& text_;
  const place begin_, limit_;
  place open_ = nowhere, close_ = nowhere;
  std::string template_;
  std::vector<string_literal> strings_;
  std::vector<std::string> code_;  // of the instructions that begin in each string
  std::vector<operand> operands_;
  ptx_names names_;
  int number_ = 0;
};

}  // namespace

bool is_assembly(const editor& text, place i) {
  return text.is(i, "asm") || text.is(i, "__asm__") || text.is(i, "__asm");
}

void translate_assembly(editor& text, place i, place end) { assembly(text, i, end).run(); }

}  // namespace cuda_emulator::translator
