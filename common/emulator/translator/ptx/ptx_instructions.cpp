// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What becomes of each instruction. The table, ptx.def, says which there are.
#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <utility>

#include "ptx_text.hpp"
#include "text/syntax.hpp"

namespace cuda_emulator::translator {
namespace {

using ptx::comparison;
using ptx::operation;
using ptx::round;
using ptx::type;
using kind = ptx_operand::kind;

std::string number(unsigned long long n) { return std::to_string(n) + "ull"; }

/// Of words with blanks or | between; word* stands for all that begin so.
bool among(std::string_view list, std::string_view word) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find_first_of(" |", begin), list.size());
    const std::string_view each = list.substr(begin, end - begin);
    if (each == word || (each.ends_with('*') && word.starts_with(each.substr(0, each.size() - 1))))
      return true;
    begin = end + 1;
  }
  return false;
}

/// The place of a name in a list; its size where it is not there.
template <class List>
std::uint8_t place_of(const List& list, std::string_view name) {
  return static_cast<std::uint8_t>(std::find(std::begin(list), std::end(list), name) - std::begin(list));
}

constexpr std::string_view comparisons[] = {
#define EMULATOR_COMPARISON(name, less, equal, greater, unordered) #name,
#include "../../include/emulator/threads/ptx.def"
};
constexpr std::string_view rounds[] = {
#define EMULATOR_ROUND(name, direction) #name,
#include "../../include/emulator/threads/ptx.def"
};

constexpr struct arithmetic_row {
  std::string_view name;
  operation what;
  std::string_view operands, types, modifiers;
} arithmetic_rows[] = {
#define EMULATOR_ARITHMETIC(name, what, operands, types, modifiers) \
  {name, operation::what, operands, types, modifiers},
#include "../../include/emulator/threads/ptx.def"
};

constexpr struct call_row {
  std::string_view name, modifiers;
  std::size_t least, most;
  std::string_view result, code;
} call_rows[] = {
#define EMULATOR_CALL(name, modifiers, least, most, result, code) \
  {name, modifiers, least, most, result, code},
#include "../../include/emulator/threads/ptx.def"
};

constexpr struct atomic_row {
  std::string_view name, operation, types;
} atomic_rows[] = {
#define EMULATOR_ATOMIC(name, operation, types) {#name, #operation, types},
#include "../../include/emulator/threads/ptx.def"
};

constexpr struct matrix_row {
  std::string_view factors, sums, shapes;
} matrix_rows[] = {
#define EMULATOR_MATRIX(factors, sums, shapes) {factors, sums, shapes},
#include "../../include/emulator/threads/ptx.def"
};

class writer {
 public:
  writer(const ptx_instruction& i, int number) : i_(i), words_(i.words), number_(number) {}

  std::string run() {
    static constexpr std::pair<std::string_view, std::string (writer::*)()> by_hand[] = {
        {"mov", &writer::move},
        {"ld|ldu", &writer::load},
        {"st", &writer::store},
        {"atom|red", &writer::atomic},
        {"cvt", &writer::convert},
        {"setp", &writer::set_predicate},
        {"set", &writer::set},
        {"mma", &writer::multiply},
        {"ldmatrix|stmatrix", &writer::matrix},
        {"slct", &writer::select_by_sign}};
    for (const auto& [names, function] : by_hand)
      if (among(names, words_[0])) return (this->*function)();
    for (const call_row& row : call_rows)
      if (const std::size_t length = length_in(row.name); length != 0) return call(row, length);
    return arithmetic();
  }

 private:
  [[noreturn]] static void fail(const std::string& why) { throw ptx_error(why); }
  [[noreturn]] void refuse(const std::string& what) const {
    fail("is not emulated" + (what.empty() ? std::string() : ": " + what));
  }
  [[noreturn]] void unknown_word(const std::string& word) const {
    fail("has ." + word + ", which is not emulated for " + words_[0]);
  }

  void count(std::size_t wanted) const { count(wanted, wanted); }
  void count(std::size_t least, std::size_t most) const {
    const std::size_t n = i_.operands.size();
    if (n < least || n > most)
      fail("has " + std::to_string(n) + (n == 1 ? " operand" : " operands") + " and needs " +
           std::to_string(least) + (most != least ? " to " + std::to_string(most) : ""));
  }
  bool has(std::string_view word) const {
    return std::find(words_.begin(), words_.end(), word) != words_.end();
  }
  type last_type() const {
    const type t = ptx_type(words_.back());
    if (t == type::none) fail("does not end with a type");
    return t;
  }

  // ---- operands

  static bool agrees(const ptx_register& r, type t, bool may_be_wider) {
    const int bits = ptx::bits_of(t);
    if (r.bits != bits && !(may_be_wider && r.bits > bits && bits > 1)) return false;
    if (t == type::pred) return r.bits == 1;
    const bool of_bits = t == type::b8 || t == type::b16 || t == type::b32 || t == type::b64;
    if (of_bits || r.declared == type::b16 || r.declared == type::b32 || r.declared == type::b64) return true;
    if (r.declared == type::none) return !r.is_real || t == type::f32 || t == type::f64;
    if (t == r.declared) return true;
    const bool f = r.declared == type::f32 || r.declared == type::f64;
    return !f && !ptx::is_real(t) && !ptx::is_real(r.declared);
  }

  static std::string what_is(const ptx_register& r) {
    if (r.declared != type::none) return "is declared with another type";
    return r.bits == 1    ? "is a predicate"
           : r.is_real    ? (r.bits == 32 ? "is a float (\"f\")" : "is a double (\"d\")")
           : r.bits == 16 ? "has 16 bits (\"h\")"
           : r.bits == 64 ? "has 64 bits (\"l\")"
                          : "has 32 bits (\"r\")";
  }

  void check(const ptx_operand& o, type t, bool may_be_wider) const {
    if (agrees(*o.reg, t, may_be_wider)) return;
    const int bits = ptx::bits_of(t);
    fail("needs " + (t == type::pred ? std::string("a predicate") : std::to_string(bits) + " bits") +
         " for " + o.text + (bits == o.reg->bits ? std::string(" of another kind") : std::string()) +
         ", which " + what_is(*o.reg));
  }

  /// The value of an operand of this type, as an unsigned integer or a bool.
  std::string source(const ptx_operand& o, type t, bool may_be_wider = false) const {
    switch (o.is) {
      case kind::reg:
        check(o, t, may_be_wider);
        if (o.is_negated && t != type::pred) fail("has " + o.text + ", but only a predicate can be negated");
        return (o.is_negated ? "!" : "") + o.reg->cpp;
      case kind::number:
        if (ptx::is_real(t))
          fail("has the integer " + o.text + " where a real number is wanted: 0f3F800000 is 1");
        if (t == type::pred) fail("has " + o.text + " where a predicate is wanted");
        return o.cpp;
      case kind::real:
        return real(o, t);
      case kind::special:
        if (words_[0] != "mov") fail("reads " + o.text + ": only mov can read special registers");
        if (o.bits != ptx::bits_of(t) && !(o.bits == 32 && ptx::bits_of(t) == 64))
          fail("reads " + o.text + ", which has " + std::to_string(o.bits) + " bits");
        return o.cpp;
      default:
        fail("cannot take " + o.text + " there");
    }
  }
  std::string source(std::size_t k, type t, bool may_be_wider = false) const {
    return source(i_.operands[k], t, may_be_wider);
  }

  std::string real(const ptx_operand& o, type t) const {
    const int bits = ptx::bits_of(t);
    const bool takes = t == type::f32 || t == type::f64 || t == type::b32 || t == type::b64;
    if (!takes || (o.real_bits != 0 && o.real_bits != bits))
      fail("cannot take the number " + o.text + " there");
    if (o.real_bits != 0) return number(o.value);
    return number(bits == 32 ? std::bit_cast<std::uint32_t>(static_cast<float>(o.real))
                             : std::bit_cast<std::uint64_t>(o.real));
  }

  /// `target = value;`
  std::string assign(const ptx_operand& o, type t, const std::string& value,
                     bool may_be_wider = false) const {
    if (o.is == kind::sink) return "static_cast<void>(" + value + ");";
    if (o.is != kind::reg) fail("cannot write to " + o.text);
    check(o, t, may_be_wider);
    if (o.reg->bits == 1) return o.reg->cpp + " = ((" + value + ") & 1) != 0;";
    return o.reg->cpp + " = static_cast<" + std::string(cpp_register(o.reg->bits)) + ">(" + value + ");";
  }
  std::string assign(std::size_t k, type t, const std::string& value, bool may_be_wider = false) const {
    return assign(i_.operands[k], t, value, may_be_wider);
  }

  static std::string calculate(const ptx::instruction& what, const std::vector<std::string>& operands) {
    std::string code = "::cuda_emulator::ptx::calculate(" + number(ptx::encode(what));
    for (const std::string& o : operands) code += ", " + o;
    return code + ")";
  }

  // ---- rows of the table

  /// How many words of the instruction begin the name; 0 where others do, or not all of it is there.
  std::size_t length_in(std::string_view name) const {
    std::string_view begin = name.substr(0, name.find(' '));
    for (std::string_view more = name.substr(begin.size()); !more.empty();) {
      more.remove_prefix(1);
      const std::string_view word = more.substr(0, more.find(' '));
      if (std::none_of(words_.begin(), words_.end(), [&](const std::string& w) { return among(word, w); }))
        return 0;
      more.remove_prefix(word.size());
    }
    for (std::size_t k = 0;; ++k) {
      const std::string_view word = begin.substr(0, begin.find('.'));
      if (k >= words_.size() || !among(word, words_[k])) return 0;
      if (word.size() == begin.size()) return k + 1;
      begin.remove_prefix(word.size() + 1);
    }
  }

  std::string call(const call_row& row, std::size_t length) const {
    std::size_t end = words_.size();
    if (row.modifiers == "type") last_type(), --end;
    for (std::size_t k = length; k < end; ++k)
      if (row.modifiers != "*" && !among(row.modifiers, words_[k])) unknown_word(words_[k]);
    const std::size_t hint = row.modifiers.ends_with("L2::cache_hint") && has("L2::cache_hint") ? 1 : 0;
    count(row.least + hint, row.most + hint);
    if (row.code.starts_with('!')) fail(std::string(row.code.substr(1)));
    std::string parts[4];  // before, value, second value, after
    std::size_t part = row.code.find('@') == row.code.npos ? 1 : 0;
    for (std::size_t at = 0; at < row.code.size(); ++at) {
      if (row.code[at] == '@') {
        ++part;
      } else if (row.code[at] != '$') {
        parts[part] += row.code[at];
      } else if (row.code[at + 1] == ':') {
        const bool is_outer = row.code[at + 2] == ':';
        parts[part] += is_outer ? "::cuda_emulator::" : "::cuda_emulator::ptx::";
        at += is_outer ? 2 : 1;
      } else {
        const auto k = static_cast<std::size_t>(row.code[at + 2] - '0');
        parts[part] += operand(row.code[at + 1], k == 9 ? i_.operands.size() - 1 : k);
        at += 2;
      }
    }
    if (row.result.empty()) return parts[1];
    const type t = row.result == "t"   ? last_type()
                   : row.result == "b" ? type::b32
                   : row.result == "l" ? type::b64
                                       : type::pred;
    const ptx_operand& target = i_.operands[0];
    const bool is_pair = target.is == kind::pair && !parts[2].empty();
    std::string code = parts[0] + assign(is_pair ? target.parts[0] : target, t, parts[1]);
    if (is_pair) code += " " + assign(target.parts[1], type::pred, parts[2]);
    return code + parts[3];
  }

  /// What stands for $xN.
  std::string operand(char what, std::size_t k) const {
    static constexpr std::pair<char, type> types[] = {
        {'b', type::b32}, {'l', type::u64}, {'q', type::b64}, {'p', type::pred}};
    for (const auto& [letter, t] : types)
      if (letter == what) return source(k, t);
    const bool is_there = k < i_.operands.size();
    switch (what) {
      case 'u':
        return number_at(k);
      case 'o':
        return is_there ? number_at(k) : "1";
      case 'r':
        return number_at(is_there ? k : 2);
      case 't':
        return source(k, last_type());
      case 'm':
        return pointer_to(k, space());
      case 's':
        return pointer_to(k, "shared");
      case 'g':
        return pointer_to(k, "global");
      case 'S':
        return address(i_.operands[k], "shared");
      case 'G':
        return address(i_.operands[k], "global");
      case 'e':
        return space();
      case 'i':
        return std::to_string(number_);
      case 'c':
        return check_barrier(k);
      case 'w':
        return check_width(i_.operands[k]);
      default:
        return check_size(i_.operands[k]);
    }
  }

  std::string number_at(std::size_t k) const { return "static_cast<unsigned>(" + source(k, type::u32) + ")"; }

  std::string space() const {
    static constexpr std::pair<std::string_view, const char*> spaces[] = {
        {"shared|shared::cta|shared::cluster", "shared"},
        {"global", "global"},
        {"const", "constant"},
        {"local", "local"}};
    for (const auto& [names, space] : spaces)
      for (const std::string& word : words_)
        if (among(names, word)) return space;
    return "generic";
  }

  /// The pointer that an operand in brackets means.
  std::string pointer_to(std::size_t k, const std::string& space) const {
    return "::cuda_emulator::ptx::pointer(::cuda_emulator::ptx::space::" + space + ", " +
           address(i_.operands[k], space) + ")";
  }

  /// Of a barrier and the number of threads behind it. Barrier 0 for all threads needs no check.
  std::string check_barrier(std::size_t k) const {
    const bool has_threads = i_.operands.size() - 2 * k > 1;
    const ptx_operand& which = i_.operands[k];
    if (!has_threads && which.is_literal && which.value == 0) return {};
    return "::cuda_emulator::ptx::check_barrier(" + source(k, type::u32) + ", " +
           (has_threads ? source(k + 1, type::u32) : "0ull") + "); ";
  }

  /// Of the segments of a shuffle.
  std::string check_width(const ptx_operand& o) const {
    const auto clamp = o.value & 31, segment = o.value >> 8 & 31, wanted = has("up") ? 0ull : 31ull;
    const auto width = 32 - segment;
    if (o.is_literal && (o.value >> 13 != 0 || clamp != wanted || (width & (width - 1)) != 0))
      refuse("its fourth operand " + o.text +
             " is not one of those that __shfl_sync() and its like use: (32 - width) * 256 + " +
             std::to_string(wanted));
    return {};
  }

  /// Of what cp.async copies.
  std::string check_size(const ptx_operand& o) const {
    if (o.is != kind::number) fail("needs a constant as the number of bytes");
    if (o.is_literal && o.value != 16 && (has("cg") || (o.value != 4 && o.value != 8)))
      fail(has("cg") ? "copies 16 bytes: .cg bypasses L1, and .ca copies 4, 8 or 16"
                     : "copies 4, 8 or 16 bytes");
    if (const ptx_operand& last = i_.operands.back(); last.is == kind::reg && last.reg->bits == 1)
      refuse("pass the number of bytes to copy in place of a predicate: the others become zero");
    return {};
  }

  // ---- arithmetic

  /// Takes in the words from the k-th to the one before the last.
  void modifiers(ptx::instruction& what, std::size_t k, std::size_t end, std::string_view allowed) const {
    for (; k < end; ++k) {
      const std::string& word = words_[k];
      if (!among(allowed, word)) unknown_word(word);
      if (const auto r = place_of(rounds, word); r < std::size(rounds)) what.how = static_cast<round>(r);
      what.flushes |= word == "ftz";
      what.saturates |= word == "sat" || word == "satfinite";
      what.relu |= word == "relu";
      what.keeps_nan |= word == "NaN";
      if (word == "wrap" || word == "shiftamt") what.mode = 1;
      static constexpr std::string_view modes[] = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
      if (const auto m = place_of(modes, word); m < std::size(modes)) what.mode = m;
    }
  }

  std::string arithmetic() {
    // The longest name that fits: mul.wide before mul. The rounding may stand before: add.rn.f32.
    const arithmetic_row* found = nullptr;
    std::size_t length = 0;
    for (const arithmetic_row& row : arithmetic_rows)
      if (const std::size_t parts = length_in(row.name); parts > length) {
        found = &row;
        length = parts;
      }
    if (found == nullptr) refuse("");
    ptx::instruction what{found->what};
    std::string name = words_[0];
    for (std::size_t k = 1; k < length; ++k) name += "." + words_[k];
    const bool is_prmt_mode =
        found->what == operation::permute_bytes && words_.size() > 2 && words_[1] == "b32";
    if (is_prmt_mode) {  // prmt.b32.f4e
      modifiers(what, 2, words_.size(), found->modifiers);
      what.of = type::b32;
    } else {
      what.of = ptx_type(words_.back());
      if (what.of == type::none || !among(found->types, words_.back()))
        fail("is not emulated for this type; " + name + " is for " + std::string(found->types));
      modifiers(what, length, words_.size() - 1, found->modifiers);
    }
    count(found->operands.size() - 1);
    if ((what.what == operation::fuse_low && ptx::is_real(what.of) && what.how == round::none))
      fail("does not say how to round: " + words_[0] + ".rn." + words_.back());
    const bool needs_rounding = among(found->modifiers, "rn") && among(found->modifiers, "approx") &&
                                ptx::is_real(what.of) && what.how == round::none && !has("approx") &&
                                !has("full");
    if (needs_rounding) fail("does not say how to round: .rn or .approx");
    if (what.saturates && !ptx::is_real(what.of) && what.of != type::s32)
      fail("has .sat, which is for s32 and real numbers");

    if (found->operands.find('f') != std::string_view::npos) {  // dp2a, dp4a
      what.from = std::exchange(what.of, ptx_type(words_[length - 1]));
      what.mode = has("hi") ? 1 : 0;
    }
    const auto type_of = [&](char letter) {
      return letter == 'w'                              ? twice(what.of)
             : letter == 'u'                            ? type::u32
             : letter == 'b'                            ? type::b32
             : letter == 't' && what.from != type::none ? what.from
                                                        : what.of;
    };
    if (what.what == operation::bit_not && what.of == type::pred)
      return assign(0, type::pred, "!" + source(1, type::pred));
    std::vector<std::string> operands;
    for (const char letter : found->operands.substr(2))
      operands.push_back(source(operands.size() + 1, type_of(letter)));
    const bool uses_carry = words_[0] == "addc" || words_[0] == "subc", sets_carry = has("cc");
    if (uses_carry || sets_carry) return with_carry(what, operands, uses_carry, sets_carry);
    return assign(0, type_of(found->operands[0]), calculate(what, operands));
  }

  /// The carry is kept in the first variable of the statement; see translate_instruction().
  std::string with_carry(ptx::instruction what, std::vector<std::string> operands, bool uses,
                         bool sets) const {
    const std::string carry = uses ? "emulator_carry" : "0ull";
    const bool adds = what.what == operation::add;
    const std::string a = "emulator_a", b = "emulator_b";
    std::string code = "{ const unsigned long long " + a + " = " + operands[0] + ", " + b + " = " +
                       operands[1] + ", emulator_in = " + carry + "; ";
    ptx::instruction carried = what;
    carried.what = operation::carry_out;
    carried.mode = adds ? 0 : 1;
    if (sets) code += "emulator_carry = " + calculate(carried, {a, b, "emulator_in"}) + "; ";
    return code +
           assign(0, what.of, a + (adds ? " + " : " - ") + b + (adds ? " + " : " - ") + "emulator_in") + " }";
  }

  static type twice(type t) {
    return t == type::u16 ? type::u32 : t == type::s16 ? type::s32 : t == type::u32 ? type::u64 : type::s64;
  }

  std::string convert() {
    if (words_.size() < 3) fail("needs two types");
    ptx::instruction what{operation::convert};
    what.from = ptx_type(words_.back());
    what.of = ptx_type(words_[words_.size() - 2]);
    if (what.of == type::none || what.from == type::none || what.of == type::pred) {
      if (i_.name.find("e4m3") != i_.name.npos || i_.name.find("e5m2") != i_.name.npos)
        refuse("numbers of 8 bits (e4m3, e5m2) are not there; use f16");
      fail("needs two types that are emulated");
    }
    modifiers(what, 1, words_.size() - 2, "rn rz rm rp rna rni rzi rmi rpi ftz sat relu");
    const bool narrows =
        ptx::is_real(what.of) && ptx::is_real(what.from) && ptx::bits_of(what.of) < ptx::bits_of(what.from);
    const bool from_integer = ptx::is_real(what.of) && !ptx::is_real(what.from);
    const bool to_integer = !ptx::is_real(what.of) && ptx::is_real(what.from);
    const bool to_tf32 = what.of == type::tf32;
    if (ptx::is_pair(what.of)) {
      if (what.from != type::f32) refuse("pairs are made of two f32");
      what.what = operation::convert_pair;
      count(3);
      if (what.how == round::none) fail("does not say how to round: .rn");
      return assign(0, what.of, calculate(what, {source(1, type::f32), source(2, type::f32)}));
    }
    if (to_tf32 && (what.from != type::f32 ||
                    (what.how != round::rna && what.how != round::rn && what.how != round::rz)))
      fail("is emulated as cvt.rna.tf32.f32 (or .rn, .rz)");
    const bool rounds_whole = what.how >= round::rni;
    if ((narrows || from_integer) && !to_tf32 && (what.how == round::none || rounds_whole))
      fail("does not say how to round: .rn, .rz, .rm or .rp");
    if (to_integer && !rounds_whole)
      fail("does not say how to round to an integer: .rni, .rzi, .rmi or .rpi");
    if (!to_integer && !ptx::is_real(what.of) && what.how != round::none)
      fail("rounds, although both types are integers");
    count(2);
    const type target = to_tf32 ? type::b32 : what.of;
    return assign(0, target, calculate(what, {source(1, what.from, true)}), true);
  }

  ptx::instruction comparison_of(std::size_t word, type t) const {
    const std::uint8_t found = place_of(comparisons, words_[word]);
    if (found == std::size(comparisons)) unknown_word(words_[word]);
    ptx::instruction what{operation::compare};
    what.of = t;
    what.mode = found;
    what.flushes = has("ftz");
    if (ptx::is_pair(t)) refuse("compare the halves of a pair one by one");
    if (ptx::is_real(t) ? among("lo ls hi hs", words_[word]) : what.mode >= static_cast<int>(comparison::equ))
      unknown_word(words_[word]);
    return what;
  }

  std::string set_predicate() {
    if (words_.size() < 3) fail("needs a comparison and a type");
    const type t = last_type();
    const ptx::instruction what = comparison_of(1, t);
    std::string combine;
    for (std::size_t k = 2; k + 1 < words_.size(); ++k) {
      const std::string& w = words_[k];
      if (w == "and" || w == "or" || w == "xor") {
        combine = w == "and" ? " && " : w == "or" ? " || " : " != ";
      } else if (w != "ftz") {
        unknown_word(w);
      }
    }
    count(combine.empty() ? 3 : 4);
    const std::string other =
        combine.empty() ? "" : combine + "static_cast<bool>(" + source(3, type::pred) + ")";
    const std::string holds =
        "const bool emulator_holds = " + calculate(what, {source(1, t), source(2, t)}) + " != 0;";
    const ptx_operand& target = i_.operands[0];
    if (target.is != kind::pair)
      return "{ " + holds + " " + assign(0, type::pred, "emulator_holds" + other) + " }";
    const std::string with = combine.empty() ? "" : "emulator_other";
    std::string code = "{ " + holds;
    if (!combine.empty()) code += " const bool emulator_other = " + source(3, type::pred) + ";";
    return code + " " + assign(target.parts[0], type::pred, "emulator_holds" + combine + with) + " " +
           assign(target.parts[1], type::pred, "!emulator_holds" + combine + with) + " }";
  }

  std::string set() {
    if (words_.size() < 4) fail("needs a comparison and two types");
    const type from = last_type(), to = ptx_type(words_[words_.size() - 2]);
    if (to != type::u32 && to != type::s32 && to != type::f32) fail("makes u32, s32 or f32");
    for (std::size_t k = 2; k + 2 < words_.size(); ++k)
      if (words_[k] != "ftz") unknown_word(words_[k]);
    count(3);
    const std::string holds = calculate(comparison_of(1, from), {source(1, from), source(2, from)});
    return assign(0, to, holds + " != 0 ? " + (to == type::f32 ? "0x3f800000u" : "0xffffffffu") + " : 0u");
  }

  std::string select_by_sign() {
    if (words_.size() < 3) fail("needs two types");
    const type by = last_type(), t = ptx_type(words_[words_.size() - 2]);
    if (t == type::none || (by != type::s32 && by != type::f32)) fail("chooses by an s32 or an f32");
    count(4);
    ptx::instruction what{operation::compare};
    what.of = by;
    what.mode = static_cast<std::uint8_t>(comparison::ge);
    what.flushes = has("ftz");
    return assign(0, t,
                  calculate(what, {source(3, by), "0ull"}) + " != 0 ? static_cast<unsigned long long>(" +
                      source(1, t) + ") : static_cast<unsigned long long>(" + source(2, t) + ")");
  }

  // ---- moves

  std::string move() {
    const type t = last_type();
    if (words_.size() != 2) unknown_word(words_[1]);
    count(2);
    const ptx_operand &target = i_.operands[0], &from = i_.operands[1];
    const auto part_type = [&](const ptx_operand& vector) {
      const int bits = ptx::bits_of(t) / static_cast<int>(vector.parts.size());
      if (t != type::b32 && t != type::b64) fail("packs and unpacks vectors as mov.b32 or mov.b64");
      if (bits == 8) refuse("use prmt or bfe for single bytes");
      return bits == 16 ? type::b16 : type::b32;
    };
    if (from.is == kind::vector) {
      const type part = part_type(from);
      std::string value;
      for (std::size_t k = 0; k < from.parts.size(); ++k)
        value += (k ? " | " : "") + ("static_cast<unsigned long long>(" + source(from.parts[k], part)) +
                 ") << " + std::to_string(k * static_cast<std::size_t>(ptx::bits_of(part)));
      return assign(0, t, value);
    }
    if (target.is == kind::vector) {
      const type part = part_type(target);
      std::string code = "{ const unsigned long long emulator_whole = " + source(1, t) + ";";
      for (std::size_t k = 0; k < target.parts.size(); ++k)
        code += " " + assign(target.parts[k], part,
                             "emulator_whole >> " +
                                 std::to_string(k * static_cast<std::size_t>(ptx::bits_of(part))));
      return code + " }";
    }
    return assign(0, t, source(1, t));
  }

  // ---- memory

  struct access {
    std::string space = "generic", strength = "weak";
    type of = type::none;
    std::size_t elements = 1;
  };

  access access_of(bool is_load) const {
    access a;
    a.of = last_type();
    if (a.of == type::pred || ptx::is_pair(a.of) || a.of == type::tf32)
      fail("does not end with a type of memory");
    for (std::size_t k = 1; k + 1 < words_.size(); ++k) {
      const std::string& w = words_[k];
      if (w == "global" || w == "shared") {
        a.space = w;
      } else if (w == "shared::cta") {
        a.space = "shared";
      } else if (w == "const") {
        a.space = "constant";
      } else if (w == "v2" || w == "v4") {
        a.elements = w == "v2" ? 2 : 4;
      } else if (w == "volatile" || w == "relaxed") {
        a.strength = "strong";
      } else if (w == "acquire" && is_load) {
        a.strength = "acquire";
      } else if (w == "release" && !is_load) {
        a.strength = "release";
      } else if (w == "local" || w == "param" || w == "shared::cluster") {
        refuse("." + w + " memory cannot be addressed here");
      } else if (!among(is_load ? "ca cg cs lu cv nc weak cta cluster gpu sys"
                                : "wb cg cs wt weak cta cluster gpu sys",
                        w) &&
                 !w.starts_with("L1::") && !w.starts_with("L2::")) {
        unknown_word(w);
      }
    }
    if (a.elements * static_cast<std::size_t>(ptx::bits_of(a.of)) > 128)
      refuse("an access has at most 16 bytes");
    if (has("nc") && a.space != "global") fail("has .nc, which is for .global");
    return a;
  }

  std::string address(const ptx_operand& o, const std::string& space) const {
    if (o.is != kind::memory) fail("needs an address in brackets in place of " + o.text);
    const ptx_operand& base = o.parts[0];
    const bool is_register = base.is == kind::reg && base.reg->bits >= 32 && !base.reg->is_real;
    if (!is_register) fail("cannot take " + base.text + " as an address");
    if (base.reg->bits == 32 && space != "shared")
      fail("needs an address of 64 bits (\"l\") for " + base.text + ": addresses of 32 bits are for .shared");
    const std::string value = "static_cast<unsigned long long>(" + base.reg->cpp + ")";
    return o.offset.empty() ? value : value + " + " + o.offset;
  }

  static std::string extended(type t, const std::string& value) {
    const bool with_sign = ptx::is_signed(t);
    const char* const name = ptx::bits_of(t) == 8    ? (with_sign ? "signed char" : "unsigned char")
                             : ptx::bits_of(t) == 16 ? (with_sign ? "short" : "unsigned short")
                             : ptx::bits_of(t) == 32 ? (with_sign ? "int" : "unsigned")
                                                     : "unsigned long long";
    return "static_cast<" + std::string(name) + ">(" + value + ")";
  }

  /// The k-th element of `emulator_bytes`.
  static std::string element(type t, std::size_t k) {
    const std::size_t at = k * static_cast<std::size_t>(ptx::bits_of(t));
    return extended(
        t, std::string("emulator_bytes.") + (at < 64 ? "low" : "high") + " >> " + std::to_string(at % 64));
  }

  std::vector<ptx_operand> elements(const ptx_operand& o, std::size_t wanted) const {
    const std::vector<ptx_operand> all = o.is == kind::vector ? o.parts : std::vector<ptx_operand>{o};
    if (all.size() != wanted)
      fail("needs " + std::to_string(wanted) + (wanted == 1 ? " register" : " registers in braces") +
           " in place of " + o.text);
    return all;
  }

  std::string load() {
    const access a = access_of(true);
    count(2);
    std::string code =
        "{ const auto emulator_bytes = ::cuda_emulator::ptx::load(::cuda_emulator::ptx::space::" + a.space +
        ", ::cuda_emulator::ptx::strength::" + a.strength + ", " + address(i_.operands[1], a.space) + ", " +
        std::to_string(a.elements * static_cast<std::size_t>(ptx::bits_of(a.of)) / 8) + ");";
    const std::vector<ptx_operand> targets = elements(i_.operands[0], a.elements);
    for (std::size_t k = 0; k < targets.size(); ++k)
      code += " " + assign(targets[k], a.of, element(a.of, k), true);
    return code + " }";
  }

  /// Two numbers of 64 bits with the elements in them.
  std::string packed(const std::vector<ptx_operand>& values, type t) const {
    std::string half[2];
    const auto bits = static_cast<std::size_t>(ptx::bits_of(t));
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::string& into = half[k * bits / 64];
      std::string value = source(values[k], t, true);
      const type plain = bits == 8 ? type::u8 : bits == 16 ? type::u16 : bits == 32 ? type::u32 : type::u64;
      value = "static_cast<unsigned long long>(" + extended(plain, value) + ")";
      into += (into.empty() ? "" : " | ") + value + " << " + std::to_string(k * bits % 64);
    }
    return half[0] + (half[1].empty() ? "" : ", " + half[1]);
  }

  std::string store() {
    const access a = access_of(false);
    count(2);
    if (a.space == "constant") fail("cannot store to constant memory");
    const std::vector<ptx_operand> values = elements(i_.operands[1], a.elements);
    return "::cuda_emulator::ptx::store(::cuda_emulator::ptx::space::" + a.space +
           ", ::cuda_emulator::ptx::strength::" + a.strength + ", " + address(i_.operands[0], a.space) +
           ", " + std::to_string(a.elements * static_cast<std::size_t>(ptx::bits_of(a.of)) / 8) + ", " +
           packed(values, a.of) + ");";
  }

  std::string atomic() {
    const bool returns = words_[0] == "atom";
    const type t = last_type();
    const atomic_row* row = nullptr;
    for (std::size_t k = 1; k + 1 < words_.size(); ++k) {
      const auto found = std::find_if(std::begin(atomic_rows), std::end(atomic_rows),
                                      [&](const atomic_row& each) { return each.name == words_[k]; });
      if (found != std::end(atomic_rows))
        row = found;
      else if (!among("global shared shared::cta release acq_rel relaxed acquire cta cluster gpu sys noftz",
                      words_[k]))
        unknown_word(words_[k]);
    }
    if (row == nullptr) fail("names no operation that is emulated");
    if (!among(row->types, words_.back()))
      refuse("this operation is not there for ." + words_.back() +
             " (of pairs use atomicAdd(__half2*, ...))");
    const bool swaps = row->name == "cas";
    count((returns ? 2u : 1u) + (swaps ? 2u : 1u));
    const std::size_t first = returns ? 1 : 0;
    const std::string value = source(first + (swaps ? 2 : 1), t),
                      compare = swaps ? source(first + 1, t) : "0ull";
    const std::string kind_of_number = ptx::is_real(t) ? "float" : ptx::is_signed(t) ? "int" : "uint";
    const std::string call =
        "::cuda_emulator::atomic(::cuda_emulator::atomic_operation::" + std::string(row->operation) +
        ", ::cuda_emulator::atomic_type::" + kind_of_number + std::to_string(ptx::bits_of(t)) + ", " +
        pointer_to(first, space()) + ", " + value + ", " + compare + ")";
    return std::string(has("release") || has("acq_rel") ? "::cuda_emulator::fence(); " : "") +
           (returns ? assign(0, t, call) : call + ";");
  }

  // ---- matrices

  std::string multiply() {
    if (!has("sync") || !has("aligned")) fail("needs .sync.aligned");
    static constexpr std::string_view known =
        "the shapes are m16n8k8 and m16n8k16 of f16 and bf16, m16n8k4 and m16n8k8 of tf32, m8n8k16, m16n8k16 "
        "and m16n8k32 of s8 and u8, and m8n8k4, m16n8k4, m16n8k8 and m16n8k16 of f64";
    if (words_.size() < 9 || !words_[3].starts_with("m")) refuse(std::string(known));
    std::vector<std::string> rest(words_.begin() + 4, words_.end());
    ptx::matrix_shape shape{};
    if (rest[0] != "row" || rest[1] != "col") refuse("A is read by rows and B by columns: .row.col");
    rest.erase(rest.begin(), rest.begin() + 2);
    if (rest[0] == "satfinite") {
      shape.saturates = true;
      rest.erase(rest.begin());
    }
    if (rest.size() != 4) refuse(std::string(known));
    using ptx::factor;
    using ptx::sum;
    static constexpr std::string_view factors[] = {"f16", "bf16", "tf32", "s8", "u8", "f64"},
                                      sums[] = {"f16", "f32", "s32", "f64"};
    const std::string& size = words_[3];
    const auto row =
        std::find_if(std::begin(matrix_rows), std::end(matrix_rows), [&](const matrix_row& each) {
          return among(each.factors, rest[1]) && among(each.factors, rest[2]) && among(each.sums, rest[0]) &&
                 among(each.sums, rest[3]) && among(each.shapes, size);
        });
    const bool bytes = rest[1] == "s8" || rest[1] == "u8";
    if (row == std::end(matrix_rows) || (shape.saturates && !bytes)) refuse(std::string(known));
    shape.a = static_cast<factor>(place_of(factors, rest[1]));
    shape.b = static_cast<factor>(place_of(factors, rest[2]));
    shape.c = static_cast<sum>(place_of(sums, rest[3]));
    shape.d = static_cast<sum>(place_of(sums, rest[0]));
    shape.m = size.starts_with("m8") ? 8 : 16;
    shape.k = static_cast<std::uint8_t>(std::stoi(size.substr(size.find('k') + 1)));
    count(4);
    const bool wide = shape.a == factor::f64;
    const int width = wide                      ? 64
                      : shape.a == factor::tf32 ? 32
                      : bytes                   ? 8
                                                : 16,
              each = (wide ? 64 : 32) / width;
    const auto of_b = static_cast<std::size_t>(shape.k / (4 * each)), of_a = of_b * (shape.m / 8u);
    const auto registers = [&](sum s) {
      return static_cast<std::size_t>(shape.m / 4 / (s == sum::f16 ? 2 : 1));
    };
    const auto list = [&](std::size_t k, std::size_t wanted, type t) {
      std::string all;
      for (const ptx_operand& o : elements(i_.operands[k], wanted))
        all += (all.empty() ? "" : ", ") + source(o, t);
      return all;
    };
    const auto type_of = [](sum s) {
      return s == sum::f16 ? type::b32 : s == sum::f32 ? type::f32 : s == sum::s32 ? type::s32 : type::f64;
    };
    const type of_factors = wide ? type::f64 : type::b32;
    std::string code = "{ ::cuda_emulator::ptx::matrix_operands emulator_matrices{" +
                       number(ptx::encode(shape)) + ", {" + list(1, of_a, of_factors) + "}, {" +
                       list(2, of_b, of_factors) + "}, {" + list(3, registers(shape.c), type_of(shape.c)) +
                       "}, {}}; ::cuda_emulator::ptx::multiply(emulator_matrices);";
    const std::vector<ptx_operand> targets = elements(i_.operands[0], registers(shape.d));
    for (std::size_t k = 0; k < targets.size(); ++k)
      code += " " + assign(targets[k], type_of(shape.d), "emulator_matrices.d[" + std::to_string(k) + "]");
    return code + " }";
  }

  std::string matrix() {
    const bool loads = words_[0] == "ldmatrix";
    if (!has("sync") || !has("aligned")) fail("needs .sync.aligned");
    if (words_.back() != "b16" || !has("m8n8"))
      refuse("matrices are 8 x 8 elements of 16 bits: .m8n8 ... .b16");
    for (std::size_t k = 1; k < words_.size(); ++k)
      if (!among("sync aligned m8n8 x1 x2 x4 trans shared shared::cta b16", words_[k]))
        unknown_word(words_[k]);
    const std::size_t n = has("x4") ? 4 : has("x2") ? 2 : has("x1") ? 1 : 0;
    if (n == 0) fail("needs .x1, .x2 or .x4");
    count(2);
    const std::string begin = "(::cuda_emulator::ptx::space::" + space() + ", " + std::to_string(n) + ", " +
                              (has("trans") ? "true" : "false") + ", " +
                              address(i_.operands[loads ? 1 : 0], space());
    if (!loads)
      return "::cuda_emulator::ptx::store_matrix" + begin + ", " +
             packed(elements(i_.operands[1], n), type::b32) + (n <= 2 ? ", 0" : "") + ");";
    std::string code = "{ const auto emulator_bytes = ::cuda_emulator::ptx::load_matrix" + begin + ");";
    const std::vector<ptx_operand> targets = elements(i_.operands[0], n);
    for (std::size_t k = 0; k < n; ++k) code += " " + assign(targets[k], type::b32, element(type::b32, k));
    return code + " }";
  }

  const ptx_instruction& i_;
  const std::vector<std::string>& words_;
  const int number_;
};

}  // namespace

std::string translate_instruction(const ptx_instruction& instruction, int number) {
  return writer(instruction, number).run();
}

std::string advice_for(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> advice[] = {
#define EMULATOR_REFUSED(name, advice) {name, advice},
#include "../../include/emulator/threads/ptx.def"
  };
  for (const auto& [begin, text] : advice) {
    const bool whole =
        name == begin || (name.starts_with(begin) && (begin.ends_with(".") || name[begin.size()] == '.' ||
                                                      begin == "vadd" || begin.find('.') != begin.npos));
    if (whole) return std::string(text);
  }
  return {};
}

}  // namespace cuda_emulator::translator
