// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "ptx_text.hpp"

#include <cctype>
#include <cstdlib>
#include <iterator>

namespace cuda_emulator::translator {
namespace {

using ptx::type;

struct special {
  std::string_view name, cpp;
  int bits;
};
constexpr special specials[] = {
#define EMULATOR_SPECIAL(name, cpp, bits) {name, cpp, bits},
#include "../../include/emulator/threads/ptx.def"
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

}  // namespace

type ptx_type(std::string_view word) {
  for (std::size_t k = 1; k < std::size(ptx::types); ++k)
    if (ptx::types[k].name == word) return static_cast<type>(k);
  return type::none;
}

std::string_view cpp_register(int bits) {
  return bits == 1 ? "bool" : bits == 16 ? "unsigned short" : bits == 64 ? "unsigned long long" : "unsigned";
}

// ---- reading

void ptx_reader::skip_blanks() {
  while (at_ < text_.size()) {
    if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    } else if (text_.substr(at_).starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_.substr(at_).starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == text_.npos ? text_.size() : end + 2;
    } else {
      break;
    }
  }
}

bool ptx_reader::at_end() {
  skip_blanks();
  return at_ >= text_.size();
}

bool ptx_reader::take(char c) {
  skip_blanks();
  if (peek() != c) return false;
  ++at_;
  return true;
}

std::string ptx_reader::word(std::string_view more) {
  skip_blanks();
  std::string result;
  while (at_ < text_.size() && (is_word(text_[at_]) || more.find(text_[at_]) != more.npos))
    result += text_[at_++];
  return result;
}

std::string_view ptx_reader::until(std::string_view ends) {
  const std::size_t begin = at_;
  at_ = std::min(text_.find_first_of(ends, at_), text_.size());
  return text_.substr(begin, at_ - begin);
}

// ---- names

ptx_register& ptx_names::declare(const std::string& name, type t, int number) {
  if (scopes_.back().contains(name)) throw ptx_error("the register " + name + " is declared twice");
  ptx_register r;
  r.shown = name;
  r.cpp = "emulator_register_" + std::to_string(number);
  r.bits = ptx::bits_of(t);
  r.declared = t;
  r.is_real = t == type::f32 || t == type::f64;
  return scopes_.back()[name] = r;
}

ptx_register& ptx_names::find(const std::string& name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end()) return found->second;
  throw ptx_error(
      "'" + name +
      "' is not a register that the asm statement declares (.reg); variables of C++ are passed as operands");
}

ptx_operand ptx_names::parse_percent(ptx_reader& in) {
  ptx_operand o;
  const bool twice = in.take('%');
  if (!twice && in.peek() == '[')
    throw ptx_error("names of operands (%[x]) are not for PTX: count them, %0, %1, ...");
  if (!twice && std::isdigit(static_cast<unsigned char>(in.peek())) != 0) {
    const std::string digits = in.word();
    char* end = nullptr;
    const std::size_t index = std::strtoul(digits.c_str(), &end, 10);
    o.text = "%" + digits;
    if (*end != '\0') throw ptx_error("'" + o.text + "' is not an operand");
    if (index >= operands.size())
      throw ptx_error("there is no operand " + o.text + ": the asm statement has " +
                      std::to_string(operands.size()));
    o.is = ptx_operand::kind::reg;
    o.reg = &operands[index];
    if (o.reg->is_constant) {
      o.is = ptx_operand::kind::number;
      o.cpp = "static_cast<unsigned long long>(" + o.reg->cpp + ")";
    }
    ++o.reg->uses;
    return o;
  }
  const std::string name = in.word(".");
  o.text = "%" + name;
  for (const special& s : specials) {
    if (s.name != name) continue;
    o.is = ptx_operand::kind::special;
    o.cpp = s.cpp;
    o.bits = s.bits;
    return o;
  }
  // Registers may be called %r1, too.
  for (const auto& scope : scopes_)
    if (scope.contains(o.text)) {
      o.is = ptx_operand::kind::reg;
      o.reg = &find(o.text);
      return o;
    }
  throw ptx_error("the special register " + o.text + " is not emulated");
}

ptx_operand ptx_names::parse_number(ptx_reader& in, bool negative) {
  ptx_operand o;
  const std::string digits = in.word(".");
  o.text = (negative ? "-" : "") + digits;
  char* end = nullptr;
  const bool is_bits = digits.size() > 2 && digits[0] == '0' &&
                       std::string_view("fFdD").find(digits[1]) != std::string_view::npos;
  if (is_bits) {
    o.is = ptx_operand::kind::real;
    o.real_bits = digits[1] == 'f' || digits[1] == 'F' ? 32 : 64;
    o.value = std::strtoull(digits.c_str() + 2, &end, 16);
    if (*end != '\0' || static_cast<int>(digits.size()) != 2 + o.real_bits / 4 || negative)
      throw ptx_error("'" + o.text + "' is not a number: 0f has 8 hexadecimal digits, and 0d has 16");
    return o;
  }
  const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  const bool is_real = !is_hexadecimal && digits.find_first_of(".eE") != digits.npos;
  if (is_real) {
    o.is = ptx_operand::kind::real;
    o.real = std::strtod(digits.c_str(), &end) * (negative ? -1 : 1);
  } else {
    o.is = ptx_operand::kind::number;
    o.is_literal = true;
    const bool is_binary = digits.starts_with("0b") || digits.starts_with("0B");
    o.value = std::strtoull(digits.c_str() + (is_binary ? 2 : 0), &end, is_binary ? 2 : 0);
    if (*end == 'U' || *end == 'u') ++end;
    if (negative) o.value = 0 - o.value;
    o.cpp = std::to_string(o.value) + "ull";
  }
  if (digits.empty() || *end != '\0') throw ptx_error("'" + o.text + "' is not a number");
  return o;
}

ptx_operand ptx_names::parse_memory(ptx_reader& in) {
  ptx_operand o;
  o.is = ptx_operand::kind::memory;
  o.parts.push_back(parse_operand(in));
  o.text = "[" + o.parts[0].text;
  if (in.take('+')) {
    const ptx_operand offset = parse_operand(in);
    if (offset.is != ptx_operand::kind::number)
      throw ptx_error("an address is a register and a constant: add registers before");
    o.offset = offset.cpp;
    o.text += "+" + offset.text;
  } else if (in.take('-')) {
    const ptx_operand offset = parse_number(in, true);
    o.offset = offset.cpp;
    o.text += offset.text;
  }
  o.text += "]";
  if (!in.take(']')) throw ptx_error("the address " + o.text + " does not end with ]");
  return o;
}

ptx_operand ptx_names::parse_operand(ptx_reader& in) {
  in.skip_blanks();
  ptx_operand o;
  if (in.take('!')) {
    o = parse_operand(in);
    o.is_negated = true;
    o.text = "!" + o.text;
    return o;
  }
  if (in.take('[')) return parse_memory(in);
  if (in.take('{')) {
    o.is = ptx_operand::kind::vector;
    o.text = "{";
    do {
      o.parts.push_back(parse_operand(in));
      o.text += (o.parts.size() > 1 ? ", " : "") + o.parts.back().text;
    } while (in.take(','));
    o.text += "}";
    if (!in.take('}')) throw ptx_error("the vector " + o.text + " does not end with }");
    return o;
  }
  if (in.take('%')) {
    o = parse_percent(in);
  } else if (in.take('-')) {
    o = parse_number(in, true);
  } else if (std::isdigit(static_cast<unsigned char>(in.peek())) != 0 || in.peek() == '.') {
    o = parse_number(in, false);
  } else {
    const std::string name = in.word("");
    o.text = name;
    if (name.empty())
      throw ptx_error("an operand is missing before '" + std::string(in.rest().substr(0, 10)) + "'");
    if (name == "_") {
      o.is = ptx_operand::kind::sink;
    } else if (name == "WARP_SZ") {
      o.is = ptx_operand::kind::number;
      o.is_literal = true;
      o.value = 32;
      o.cpp = "32ull";
    } else {
      o.is = ptx_operand::kind::reg;
      o.reg = &find(name);
      ++o.reg->uses;
    }
  }
  if (in.take('|')) {
    ptx_operand both;
    both.is = ptx_operand::kind::pair;
    both.parts = {o, parse_operand(in)};
    both.text = both.parts[0].text + "|" + both.parts[1].text;
    return both;
  }
  return o;
}

}  // namespace cuda_emulator::translator
