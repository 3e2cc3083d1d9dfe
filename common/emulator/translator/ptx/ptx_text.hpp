// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Inline PTX taken apart: operands of the asm statement, registers, instructions.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../include/emulator/threads/ptx_operations.hpp"
#include "text/editor.hpp"

namespace cuda_emulator::translator {

/// What is wrong with an instruction, or why it is refused.
struct ptx_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A register of PTX: an operand of the asm statement, or declared by .reg.
struct ptx_register {
  std::string shown;                     ///< As the learner spells it: %0, t1.
  std::string cpp;                       ///< The variable.
  int bits = 32;                         ///< 1 for a predicate.
  ptx::type declared = ptx::type::none;  ///< By .reg; none where the constraint leaves it open.
  bool is_real = false;                  ///< f or d
  bool is_input = true, is_output = true, is_constant = false;
  bool is_written = false, is_surely_written = false;
  const ptx_register* guard = nullptr;  ///< Written where this holds, or where it does not.
  bool guard_is_negated = false;
  int uses = 0;
};

/// An operand of an instruction.
struct ptx_operand {
  enum class kind { reg, number, real, special, vector, memory, pair, sink, none };
  kind is = kind::none;
  ptx_register* reg = nullptr;
  std::string text;              ///< As it is written.
  std::string cpp;               ///< Of a number or a special register.
  unsigned long long value = 0;  ///< Of a literal number; of a real number its bits as float or double.
  double real = 0;
  int real_bits = 0;  ///< 32 or 64 of 0f... and 0d...; 0 of 1.5
  bool is_literal = false, is_negated = false;
  int bits = 0;                    ///< Of a special register.
  std::vector<ptx_operand> parts;  ///< Of a vector or a pair p|q; of memory the base.
  std::string offset;              ///< Of memory, as C++.
};

struct ptx_instruction {
  std::string name;                ///< With all that follows its dots: ld.global.v4.f32
  std::vector<std::string> words;  ///< ld, global, v4, f32
  std::vector<ptx_operand> operands;
  ptx_operand guard;  ///< @p or @!p
};

/// A piece of text with what has been read of it.
class ptx_reader {
 public:
  explicit ptx_reader(std::string_view text) : text_(text) {}
  void skip_blanks();
  bool at_end();
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c);
  /// A word of letters, digits, _ and $, and of what `more` adds.
  std::string word(std::string_view more = "");
  std::size_t at() const { return at_; }
  /// Up to one of these characters, which is left.
  std::string_view until(std::string_view ends);
  std::string_view rest() const { return text_.substr(at_); }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// What names mean in one asm statement.
class ptx_names {
 public:
  std::vector<ptx_register> operands;  // of the asm statement

  void open_scope() { scopes_.emplace_back(); }
  void close_scope() {
    scopes_.pop_back();
    for (ptx_register& each : operands) each.guard = nullptr;
  }
  std::size_t depth() const { return scopes_.size(); }
  ptx_register& declare(const std::string& name, ptx::type type, int number);
  ptx_register& find(const std::string& name);
  ptx_operand parse_operand(ptx_reader& in);

 private:
  ptx_operand parse_percent(ptx_reader& in);
  ptx_operand parse_number(ptx_reader& in, bool negative);
  ptx_operand parse_memory(ptx_reader& in);
  std::vector<std::map<std::string, ptx_register>> scopes_ =
      std::vector<std::map<std::string, ptx_register>>(1);
};

/// none for a word that is no type.
ptx::type ptx_type(std::string_view word);
/// unsigned short and so on; bool for 1.
std::string_view cpp_register(int bits);

/// The C++ of one instruction; throws ptx_error.
std::string translate_instruction(const ptx_instruction& instruction, int number);
/// What to write in place of an instruction that is not emulated.
std::string advice_for(std::string_view name);

}  // namespace cuda_emulator::translator
