// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which instructions of PTX there are, what may follow their names, and what becomes of each. The PTX ISA is
// the source of all types and operands.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <optional>
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

/// A list of words with blanks between.
bool among(std::string_view list, std::string_view word) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(' ', begin), list.size());
    if (list.substr(begin, end - begin) == word) return true;
    begin = end + 1;
  }
  return false;
}

constexpr std::array<std::string_view, 18> comparisons = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                                          "lo",  "ls",  "hi",  "hs",  "equ", "neu",
                                                          "ltu", "leu", "gtu", "geu", "num", "nan"};
constexpr std::array<std::string_view, 10> rounds = {"",    "rn",  "rz",  "rm",  "rp",
                                                     "rna", "rni", "rzi", "rmi", "rpi"};

/// Instructions that make one value of others of the same type.
struct plain {
  std::string_view name;
  operation what;
  int operands;
  std::string_view types, modifiers;
};
constexpr std::string_view all_integers = "u16 s16 u32 s32 u64 s64";
constexpr std::array<plain, 57> plains = {{
    {"add", operation::add, 2, "u16 s16 u32 s32 u64 s64 f32 f64 f16 f16x2 bf16 bf16x2",
     "sat rn rz rm rp ftz"},
    {"sub", operation::subtract, 2, "u16 s16 u32 s32 u64 s64 f32 f64 f16 f16x2 bf16 bf16x2",
     "sat rn rz rm rp ftz"},
    {"mul", operation::multiply_low, 2, "f32 f64 f16 f16x2 bf16 bf16x2", "sat rn rz rm rp ftz"},
    {"mul.lo", operation::multiply_low, 2, all_integers, ""},
    {"mul.hi", operation::multiply_high, 2, all_integers, ""},
    {"mul.wide", operation::multiply_wide, 2, "u16 s16 u32 s32", ""},
    {"mad", operation::fuse_low, 3, "f32 f64", "sat rn rz rm rp ftz"},
    {"mad.lo", operation::fuse_low, 3, all_integers, ""},
    {"mad.hi", operation::fuse_high, 3, all_integers, "sat"},
    {"mad.wide", operation::fuse_wide, 3, "u16 s16 u32 s32", ""},
    {"fma", operation::fuse_low, 3, "f32 f64 f16 f16x2 bf16 bf16x2", "sat rn rz rm rp ftz relu"},
    {"div", operation::divide, 2, "u16 s16 u32 s32 u64 s64 f32 f64", "rn rz rm rp ftz approx full"},
    {"rem", operation::remainder, 2, all_integers, ""},
    {"min", operation::minimum, 2, "u16 s16 u32 s32 u64 s64 f32 f64 f16 f16x2 bf16 bf16x2", "ftz NaN"},
    {"max", operation::maximum, 2, "u16 s16 u32 s32 u64 s64 f32 f64 f16 f16x2 bf16 bf16x2", "ftz NaN"},
    {"abs", operation::absolute, 1, "s16 s32 s64 f32 f64 f16 f16x2 bf16 bf16x2", "ftz"},
    {"neg", operation::negate, 1, "s16 s32 s64 f32 f64 f16 f16x2 bf16 bf16x2", "ftz"},
    {"and", operation::bit_and, 2, "pred b16 b32 b64", ""},
    {"or", operation::bit_or, 2, "pred b16 b32 b64", ""},
    {"xor", operation::bit_xor, 2, "pred b16 b32 b64", ""},
    {"not", operation::bit_not, 1, "pred b16 b32 b64", ""},
    {"cnot", operation::logical_not, 1, "b16 b32 b64", ""},
    {"brev", operation::reverse_bits, 1, "b32 b64", ""},
    {"clz", operation::leading_zeros, 1, "b32 b64", ""},
    {"popc", operation::count_bits, 1, "b32 b64", ""},
    {"bfind", operation::find_highest, 1, "u32 s32 u64 s64", "shiftamt"},
    {"shl", operation::shift_left, 2, "b16 b32 b64", ""},
    {"shr", operation::shift_right, 2, "b16 b32 b64 u16 s16 u32 s32 u64 s64", ""},
    {"shf.l", operation::funnel_left, 3, "b32", "clamp wrap"},
    {"shf.r", operation::funnel_right, 3, "b32", "clamp wrap"},
    {"bfe", operation::extract_bits, 3, "u32 s32 u64 s64", ""},
    {"bfi", operation::insert_bits, 4, "b32 b64", ""},
    {"prmt", operation::permute_bytes, 3, "b32", "f4e b4e rc8 ecl ecr rc16"},
    {"lop3", operation::logic_of_three, 4, "b32", ""},
    {"sad", operation::sum_of_differences, 3, all_integers, ""},
    {"copysign", operation::copy_sign, 2, "f32 f64", ""},
    {"ex2", operation::power_of_two, 1, "f32 f16 f16x2 bf16 bf16x2", "approx ftz"},
    {"lg2", operation::logarithm, 1, "f32", "approx ftz"},
    {"rcp", operation::reciprocal, 1, "f32 f64", "approx rn rz rm rp ftz"},
    {"rsqrt", operation::inverse_root, 1, "f32 f64", "approx ftz"},
    {"sqrt", operation::root, 1, "f32 f64", "approx rn rz rm rp ftz"},
    {"sin", operation::sine, 1, "f32", "approx ftz"},
    {"cos", operation::cosine, 1, "f32", "approx ftz"},
    {"tanh", operation::hyperbolic_tangent, 1, "f32 f16 f16x2 bf16 bf16x2", "approx"},
    {"dp4a.u32", operation::dot_4, 3, "u32 s32", ""},
    {"dp4a.s32", operation::dot_4, 3, "u32 s32", ""},
    {"dp2a.lo.u32", operation::dot_2, 3, "u32 s32", ""},
    {"dp2a.lo.s32", operation::dot_2, 3, "u32 s32", ""},
    {"dp2a.hi.u32", operation::dot_2, 3, "u32 s32", ""},
    {"dp2a.hi.s32", operation::dot_2, 3, "u32 s32", ""},
    {"add.cc", operation::add, 2, "u32 s32 u64 s64", ""},
    {"addc", operation::add, 2, "u32 s32 u64 s64", "cc"},
    {"addc.cc", operation::add, 2, "u32 s32 u64 s64", ""},
    {"sub.cc", operation::subtract, 2, "u32 s32 u64 s64", ""},
    {"subc", operation::subtract, 2, "u32 s32 u64 s64", "cc"},
    {"subc.cc", operation::subtract, 2, "u32 s32 u64 s64", ""},
    {"set", operation::compare, 2, "", ""},
}};

class writer {
 public:
  writer(const ptx_instruction& i, int number) : i_(i), words_(i.words), number_(number) {}

  std::string run() {
    const std::string_view name = words_[0];
    if (name == "mov") return move();
    if (name == "ld" || name == "ldu") return load();
    if (name == "st") return store();
    if (name == "atom" || name == "red") return atomic();
    if (name == "cvt") return convert();
    if (name == "setp") return set_predicate();
    if (name == "set") return set();
    if (name == "selp") return select();
    if (name == "slct") return select_by_sign();
    if (name == "cvta") return convert_address();
    if (name == "isspacep") return is_space();
    if (name == "shfl") return shuffle();
    if (name == "vote") return vote();
    if (name == "match") return match();
    if (name == "redux") return reduce();
    if (name == "activemask") return active_mask();
    if (name == "bar" || name == "barrier") return barrier();
    if (name == "membar" || name == "fence") return fence();
    if (name == "cp") return copy_async();
    if (name == "mbarrier") return shared_barrier();
    if (name == "mma") return multiply();
    if (name == "ldmatrix" || name == "stmatrix") return matrix();
    if (name == "prefetch" || name == "prefetchu") return count(1), "";
    if (name == "nanosleep") {
      only("u32");
      count(1);
      return "::cuda_emulator::pause_thread(static_cast<unsigned>(" + source(0, type::u32) + "));";
    }
    if (name == "trap" || name == "brkpt") return count(0), "::cuda_emulator::trap_thread();";
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
  /// All words behind the name are in this list.
  void only(std::string_view list) const {
    for (std::size_t k = 1; k < words_.size(); ++k)
      if (!among(list, words_[k])) unknown_word(words_[k]);
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

  // ---- arithmetic

  /// Takes in the words from the k-th to the one before the last.
  void modifiers(ptx::instruction& what, std::size_t k, std::size_t end, std::string_view allowed) const {
    for (; k < end; ++k) {
      const std::string& word = words_[k];
      if (!among(allowed, word)) unknown_word(word);
      if (const auto r = std::find(rounds.begin(), rounds.end(), word); r != rounds.end())
        what.how = static_cast<round>(r - rounds.begin());
      what.flushes |= word == "ftz";
      what.saturates |= word == "sat" || word == "satfinite";
      what.relu |= word == "relu";
      what.keeps_nan |= word == "NaN";
      if (word == "wrap" || word == "shiftamt") what.mode = 1;
      static constexpr std::array<std::string_view, 7> modes = {"",    "f4e", "b4e", "rc8",
                                                                "ecl", "ecr", "rc16"};
      if (const auto m = std::find(modes.begin(), modes.end(), word);
          m != modes.end() && what.what == operation::permute_bytes)
        what.mode = static_cast<std::uint8_t>(m - modes.begin());
    }
  }

  std::string arithmetic() {
    // The longest name that fits: mul.wide before mul. The rounding may stand before: add.rn.f32.
    const plain* found = nullptr;
    std::size_t length = 0;
    for (const plain& p : plains) {
      const auto parts = static_cast<std::size_t>(std::count(p.name.begin(), p.name.end(), '.')) + 1;
      std::string begin = words_[0];
      for (std::size_t k = 1; k < parts && k < words_.size(); ++k) begin += "." + words_[k];
      if (begin == p.name && parts > length && parts <= words_.size()) {
        found = &p;
        length = parts;
      }
    }
    if (found == nullptr) refuse("");
    ptx::instruction what{found->what};
    std::size_t end = words_.size() - 1;
    const bool is_prmt_mode =
        found->what == operation::permute_bytes && words_.size() > 2 && words_[1] == "b32";
    if (is_prmt_mode) {  // prmt.b32.f4e
      modifiers(what, 2, words_.size(), found->modifiers);
      what.of = type::b32;
    } else {
      what.of = ptx_type(words_.back());
      if (what.of == type::none || !among(found->types, words_.back()))
        fail("is not emulated for this type; " + std::string(found->name) + " is for " +
             std::string(found->types));
      modifiers(what, length, end, found->modifiers);
    }
    count(static_cast<std::size_t>(found->operands) + 1);
    if ((what.what == operation::fuse_low && ptx::is_real(what.of) && what.how == round::none))
      fail("does not say how to round: " + words_[0] + ".rn." + words_.back());
    const bool needs_rounding = (found->name == "div" || found->name == "rcp" || found->name == "sqrt") &&
                                ptx::is_real(what.of) && what.how == round::none && !has("approx") &&
                                !has("full");
    if (needs_rounding) fail("does not say how to round: .rn or .approx");
    if (what.saturates && !ptx::is_real(what.of) && what.of != type::s32)
      fail("has .sat, which is for s32 and real numbers");

    // The types of result and operands.
    type result = what.of;
    std::vector<type> of(static_cast<std::size_t>(found->operands), what.of);
    switch (what.what) {
      case operation::multiply_wide:
      case operation::fuse_wide:
        result = twice(what.of);
        if (of.size() == 3) of[2] = result;
        break;
      case operation::leading_zeros:
      case operation::count_bits:
      case operation::find_highest:
        result = type::u32;
        break;
      case operation::shift_left:
      case operation::shift_right:
        of[1] = type::u32;
        break;
      case operation::extract_bits:
        of[1] = of[2] = type::u32;
        break;
      case operation::insert_bits:
        of[2] = of[3] = type::u32;
        break;
      case operation::funnel_left:
      case operation::funnel_right:
        of[2] = type::u32;
        break;
      case operation::dot_4:
      case operation::dot_2:
        what.from = what.of;
        what.of = ptx_type(words_[length - 1]);
        what.mode = has("hi") ? 1 : 0;
        of = {what.of, what.from, type::b32};
        result = type::b32;
        break;
      case operation::sum_of_differences:
        break;
      default:
        break;
    }
    if (what.what == operation::bit_not && what.of == type::pred)
      return assign(0, type::pred, "!" + source(1, type::pred));
    std::vector<std::string> operands;
    for (std::size_t k = 0; k < of.size(); ++k) operands.push_back(source(k + 1, of[k]));
    const bool uses_carry = words_[0] == "addc" || words_[0] == "subc", sets_carry = has("cc");
    if (uses_carry || sets_carry) return with_carry(what, operands, uses_carry, sets_carry);
    return assign(0, result, calculate(what, operands));
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
    switch (t) {
      case type::u16:
        return type::u32;
      case type::s16:
        return type::s32;
      case type::u32:
        return type::u64;
      default:
        return type::s64;
    }
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
    const auto found = std::find(comparisons.begin(), comparisons.end(), words_[word]);
    if (found == comparisons.end()) unknown_word(words_[word]);
    ptx::instruction what{operation::compare};
    what.of = t;
    what.mode = static_cast<std::uint8_t>(found - comparisons.begin());
    what.flushes = has("ftz");
    const bool of_signs =
        words_[word] == "lo" || words_[word] == "ls" || words_[word] == "hi" || words_[word] == "hs";
    if (ptx::is_pair(t)) refuse("compare the halves of a pair one by one");
    if (ptx::is_real(t) ? of_signs : what.mode >= static_cast<int>(comparison::equ))
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

  std::string select() {
    const type t = last_type();
    if (words_.size() != 2) unknown_word(words_[1]);
    count(4);
    return assign(0, t,
                  source(3, type::pred) + " ? static_cast<unsigned long long>(" + source(1, t) +
                      ") : static_cast<unsigned long long>(" + source(2, t) + ")");
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
    const char* name = nullptr;
    switch (t) {
      case type::s8:
        name = "signed char";
        break;
      case type::u8:
      case type::b8:
        name = "unsigned char";
        break;
      case type::s16:
        name = "short";
        break;
      case type::s32:
        name = "int";
        break;
      default:
        name = ptx::bits_of(t) == 16   ? "unsigned short"
               : ptx::bits_of(t) == 32 ? "unsigned"
                                       : "unsigned long long";
        break;
    }
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
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> operations = {
        {{"add", "add"},
         {"exch", "exchange"},
         {"min", "minimum"},
         {"max", "maximum"},
         {"and", "bit_and"},
         {"or", "bit_or"},
         {"xor", "bit_xor"},
         {"inc", "increment"},
         {"dec", "decrement"},
         {"cas", "compare_and_swap"}}};
    const type t = last_type();
    std::string space = "generic", operation;
    bool releases = false;
    for (std::size_t k = 1; k + 1 < words_.size(); ++k) {
      const std::string& w = words_[k];
      const auto found =
          std::find_if(operations.begin(), operations.end(), [&](const auto& o) { return o.first == w; });
      if (found != operations.end()) {
        operation = found->second;
      } else if (w == "global" || w == "shared") {
        space = w;
      } else if (w == "shared::cta") {
        space = "shared";
      } else if (w == "release" || w == "acq_rel") {
        releases = true;
      } else if (!among("relaxed acquire cta cluster gpu sys noftz", w)) {
        unknown_word(w);
      }
    }
    if (operation.empty()) fail("names no operation that is emulated");
    const char* name = nullptr;
    const bool bits = among("exchange compare_and_swap bit_and bit_or bit_xor", operation);
    switch (t) {
      case type::u32:
        name = bits ? nullptr : "uint32";
        break;
      case type::s32:
        name = bits || among("increment decrement", operation) ? nullptr : "int32";
        break;
      case type::u64:
        name = bits || among("increment decrement", operation) ? nullptr : "uint64";
        break;
      case type::s64:
        name = operation == "minimum" || operation == "maximum" ? "int64" : nullptr;
        break;
      case type::b16:
        name = operation == "compare_and_swap" ? "uint16" : nullptr;
        break;
      case type::b32:
        name = bits ? "uint32" : nullptr;
        break;
      case type::b64:
        name = bits ? "uint64" : nullptr;
        break;
      case type::f32:
        name = operation == "add" ? "float32" : nullptr;
        break;
      case type::f64:
        name = operation == "add" ? "float64" : nullptr;
        break;
      default:
        break;
    }
    if (name == nullptr)
      refuse("this operation is not there for ." + words_.back() +
             " (of pairs use atomicAdd(__half2*, ...))");
    const bool swaps = operation == "compare_and_swap";
    count((returns ? 2u : 1u) + (swaps ? 2u : 1u));
    const std::size_t first = returns ? 1 : 0;
    const std::string value = source(first + (swaps ? 2 : 1), t),
                      compare = swaps ? source(first + 1, t) : "0ull";
    const std::string call = "::cuda_emulator::atomic(::cuda_emulator::atomic_operation::" + operation +
                             ", ::cuda_emulator::atomic_type::" + name +
                             ", ::cuda_emulator::ptx::pointer(::cuda_emulator::ptx::space::" + space + ", " +
                             address(i_.operands[first], space) + "), " + value + ", " + compare + ")";
    return std::string(releases ? "::cuda_emulator::fence(); " : "") +
           (returns ? assign(0, t, call) : call + ";");
  }

  std::string convert_address() {
    const bool to = has("to");
    only("to global shared const u64 u32");
    count(2);
    const type t = last_type();
    const std::string space = has("shared") ? "shared" : has("const") ? "constant" : "global";
    if (t != type::u64 && !(t == type::u32 && space == "shared" && to)) fail("converts addresses of 64 bits");
    if (to)
      return assign(0, t,
                    "::cuda_emulator::ptx::address_in(::cuda_emulator::ptx::space::" + space +
                        ", reinterpret_cast<const void*>(" + source(1, type::u64) + "))");
    return assign(
        0, t,
        "reinterpret_cast<unsigned long long>(::cuda_emulator::ptx::pointer(::cuda_emulator::ptx::space::" +
            space + ", " + source(1, type::u64) + "))");
  }

  std::string is_space() {
    only("global shared const local");
    count(2);
    return assign(0, type::pred,
                  "::cuda_emulator::address_space_of(reinterpret_cast<const void*>(" + source(1, type::u64) +
                      ")) == ::cuda_emulator::address_space::" +
                      (has("const") ? std::string("constant") : words_.back()));
  }

  std::string fence() {
    // What bulk copies see of other writes is not modeled.
    if (has("mbarrier_init")) return only("mbarrier_init release cluster"), count(0), "";
    if (has("proxy")) return only("proxy async global shared::cta shared::cluster"), count(0), "";
    only("cta gl sys sc acq_rel acquire release cluster gpu");
    count(0);
    return "::cuda_emulator::fence();";
  }

  std::string copy_async() {
    if (words_.size() < 3 || words_[1] != "async") refuse("");
    if (words_[2] == "bulk") return copy_bulk();
    if (words_[2] == "mbarrier") {
      for (std::size_t k = 3; k < words_.size(); ++k)
        if (!among("arrive noinc shared shared::cta b64", words_[k])) unknown_word(words_[k]);
      count(1);
      return "::cuda_emulator::ptx::barrier_follow_copies(" + barrier_at(0) + ", " +
             (has("noinc") ? "false" : "true") + ");";
    }
    if (has("commit_group")) return count(0), "::cuda_emulator::ptx::commit_copies();";
    if (has("wait_all")) return count(0), "::cuda_emulator::ptx::wait_for_all_copies();";
    if (has("wait_group"))
      return count(1),
             "::cuda_emulator::ptx::wait_for_copies(static_cast<unsigned>(" + source(0, type::u32) + "));";
    for (std::size_t k = 2; k < words_.size(); ++k)
      if (!among("ca cg shared shared::cta global", words_[k]) && !words_[k].starts_with("L2::"))
        unknown_word(words_[k]);
    count(3, 4);
    const ptx_operand& size = i_.operands[2];
    if (size.is != kind::number) fail("needs a constant as the number of bytes");
    if (size.is_literal && size.value != 16 && (has("cg") || (size.value != 4 && size.value != 8)))
      fail(has("cg") ? "copies 16 bytes: .cg bypasses L1, and .ca copies 4, 8 or 16"
                     : "copies 4, 8 or 16 bytes");
    if (i_.operands.size() == 4 && i_.operands[3].is == kind::reg && i_.operands[3].reg->bits == 1)
      refuse("pass the number of bytes to copy in place of a predicate: the others become zero");
    const std::string bytes = source(2, type::u32);
    return "::cuda_emulator::ptx::copy_async(" + address(i_.operands[0], "shared") + ", " +
           address(i_.operands[1], "global") + ", static_cast<unsigned>(" + bytes +
           "), static_cast<unsigned>(" + (i_.operands.size() == 4 ? source(3, type::u32) : bytes) + "));";
  }

  /// The pointer that an operand in brackets means.
  std::string pointer_to(std::size_t k, const std::string& space) const {
    return "::cuda_emulator::ptx::pointer(::cuda_emulator::ptx::space::" + space + ", " +
           address(i_.operands[k], space) + ")";
  }
  std::string barrier_at(std::size_t k) const {
    const bool shared = has("shared") || has("shared::cta") || has("shared::cluster");
    return pointer_to(k, shared ? "shared" : "generic");
  }
  std::string number_at(std::size_t k) const { return "static_cast<unsigned>(" + source(k, type::u32) + ")"; }

  std::string copy_bulk() {
    if (has("commit_group")) return count(0), "::cuda_emulator::ptx::commit_bulk_copies();";
    if (has("wait_group")) {
      count(1);
      return "::cuda_emulator::ptx::wait_for_bulk_copies(" + number_at(0) + ", " +
             (has("read") ? "true" : "false") + ");";
    }
    if (has("prefetch")) return count(2, 3), "";
    for (std::size_t k = 3; k < words_.size(); ++k)
      if (!among("shared::cta shared::cluster global mbarrier::complete_tx::bytes bulk_group L2::cache_hint",
                 words_[k]))
        unknown_word(words_[k]);
    const std::size_t hint = has("L2::cache_hint") ? 1 : 0;
    const auto first = words_[3];
    if (first == "global") {
      if (!has("shared::cta") || !has("bulk_group")) fail("needs .global.shared::cta.bulk_group");
      count(3 + hint);
      return "::cuda_emulator::ptx::copy_bulk_to_global(" + pointer_to(0, "global") + ", " +
             pointer_to(1, "shared") + ", " + number_at(2) + ");";
    }
    if (!has("global")) refuse("there are no clusters here: copy from global memory");
    if (!has("mbarrier::complete_tx::bytes")) fail("needs .mbarrier::complete_tx::bytes and a barrier");
    count(4 + hint);
    return "::cuda_emulator::ptx::copy_bulk_to_shared(" + pointer_to(0, "shared") + ", " +
           pointer_to(1, "global") + ", " + number_at(2) + ", " + pointer_to(3, "shared") + ");";
  }

  std::string shared_barrier() {
    const std::string what = words_.size() > 1 ? words_[1] : "";
    for (std::size_t k = 2; k < words_.size(); ++k)
      if (!among(
              "shared shared::cta shared::cluster b64 parity expect_tx release relaxed acquire cta cluster",
              words_[k]))
        unknown_word(words_[k]);
    const std::string ptx = "::cuda_emulator::ptx::";
    if (what == "init") return count(2), ptx + "barrier_init(" + barrier_at(0) + ", " + number_at(1) + ");";
    if (what == "inval") return count(1), ptx + "barrier_invalidate(" + barrier_at(0) + ");";
    if (what == "expect_tx")
      return count(2), ptx + "barrier_expect_bytes(" + barrier_at(0) + ", " + number_at(1) + ");";
    if (what == "arrive" || what == "arrive_drop") {
      count(has("expect_tx") ? 3 : 2, 3);
      const std::string more = i_.operands.size() == 3 ? number_at(2) : has("expect_tx") ? "0" : "1";
      return assign(0, type::b64,
                    ptx + "barrier_arrive(" + barrier_at(1) + ", " +
                        (has("expect_tx") ? "1, " + more : more + ", 0") + ", " +
                        (what == "arrive_drop" ? "true" : "false") + ")");
    }
    if (what == "test_wait" || what == "try_wait") {
      count(3, what == "try_wait" ? 4 : 3);
      return assign(0, type::pred,
                    has("parity")
                        ? ptx + "barrier_wait_parity(" + barrier_at(1) + ", " + number_at(2) + ", false)"
                        : ptx + "barrier_wait(" + barrier_at(1) + ", " + source(2, type::b64) + ", false)");
    }
    refuse("of mbarrier there are init, inval, expect_tx, arrive, arrive_drop, test_wait and try_wait");
  }

  // ---- lanes of a warp

  std::string collective(std::string_view operation, const std::string& mask, const std::string& value,
                         const std::string& more = "") const {
    return "::cuda_emulator::warp_collective(::cuda_emulator::warp_operation::" + std::string(operation) +
           ", static_cast<unsigned>(" + mask + "), " + value + more + ")";
  }

  std::string shuffle() {
    if (!has("sync")) fail("needs .sync and the lanes that take part: shfl.sync");
    only("sync up down bfly idx b32");
    count(5);
    const std::string_view operation = has("up")     ? "shuffle_up"
                                       : has("down") ? "shuffle_down"
                                       : has("bfly") ? "shuffle_xor"
                                                     : "shuffle";
    const ptx_operand& c = i_.operands[3];
    if (c.is_literal) {
      const auto clamp = c.value & 31, segment = c.value >> 8 & 31, wanted = has("up") ? 0ull : 31ull;
      const auto width = 32 - segment;
      if (c.value >> 13 != 0 || clamp != wanted || (width & (width - 1)) != 0)
        refuse("its fourth operand " + c.text +
               " is not one of those that __shfl_sync() and its like use: (32 - width) * 256 + " +
               std::to_string(wanted));
    }
    const ptx_operand& target = i_.operands[0];
    const ptx_operand& value = target.is == kind::pair ? target.parts[0] : target;
    std::string code = "{ const unsigned emulator_lane = static_cast<unsigned>(" + source(2, type::u32) +
                       "), emulator_clamp = static_cast<unsigned>(" + source(3, type::u32) + ");";
    if (target.is == kind::pair)
      code +=
          " const bool emulator_reaches = ::cuda_emulator::ptx::reaches<::cuda_emulator::warp_operation::" +
          std::string(operation) + ">(emulator_lane, emulator_clamp);";
    code +=
        " " +
        assign(
            value, type::b32,
            collective(
                operation, source(4, type::u32), source(1, type::b32),
                ", static_cast<int>(emulator_lane & 31), 32 - static_cast<int>(emulator_clamp >> 8 & 31), " +
                    std::to_string(number_) + "u"));
    if (target.is == kind::pair) code += " " + assign(target.parts[1], type::pred, "emulator_reaches");
    return code + " }";
  }

  std::string vote() {
    if (!has("sync")) fail("needs .sync and the lanes that take part: vote.sync");
    only("sync all any uni ballot pred b32");
    count(3);
    const std::string holds = "static_cast<unsigned long long>(" + source(1, type::pred) + ")",
                      mask = source(2, type::u32);
    if (has("ballot")) return assign(0, type::b32, collective("ballot", mask, holds));
    if (!has("uni")) return assign(0, type::pred, collective(has("all") ? "all" : "any", mask, holds));
    return "{ const auto emulator_holding = " + collective("ballot", mask, holds) + "; " +
           assign(0, type::pred,
                  "emulator_holding == 0 || " + collective("ballot", mask, "1ull") + " == emulator_holding") +
           " }";
  }

  std::string match() {
    only("sync any all b32 b64");
    const type t = last_type();
    count(3);
    const ptx_operand& target = i_.operands[0];
    if (has("any")) return assign(0, type::b32, collective("match_any", source(2, type::u32), source(1, t)));
    const ptx_operand& mask = target.is == kind::pair ? target.parts[0] : target;
    std::string code =
        "{ const auto emulator_equal = " + collective("match_all", source(2, type::u32), source(1, t)) +
        "; " + assign(mask, type::b32, "emulator_equal");
    if (target.is == kind::pair) code += " " + assign(target.parts[1], type::pred, "emulator_equal != 0");
    return code + " }";
  }

  std::string reduce() {
    only("sync add min max and or xor u32 s32 b32");
    const type t = last_type();
    count(3);
    const std::string sign = t == type::s32 ? "signed" : "unsigned";
    std::string operation;
    for (const std::string& w : words_) {
      if (w == "add") operation = "add";
      if (w == "min") operation = "minimum_" + sign;
      if (w == "max") operation = "maximum_" + sign;
      if (w == "and" || w == "or" || w == "xor") operation = "bit_" + w;
    }
    if (operation.starts_with("bit_") != (t == type::b32) || operation.empty())
      fail("has an operation that its type does not have");
    return assign(0, t, collective(operation, source(2, type::u32), source(1, t)));
  }

  std::string active_mask() {
    only("b32");
    count(1);
    return assign(0, type::b32, collective("active", "~0u", "0ull"));
  }

  std::string barrier() {
    if (has("warp")) {
      only("warp sync");
      count(1);
      return collective("synchronize", source(0, type::u32), "0ull") + ";";
    }
    if (has("arrive")) refuse("use bar.sync 0, or __syncthreads()");
    if (has("cluster") || i_.name.find("cluster") != i_.name.npos) refuse("there are no clusters here");
    const auto checked = [&](std::size_t k, std::size_t n) {
      // Barrier 0 for all threads needs no check.
      const ptx_operand& which = i_.operands[k];
      if (n == 1 && which.is_literal && which.value == 0) return std::string();
      return "::cuda_emulator::ptx::check_barrier(" + source(k, type::u32) + ", " +
             (n > 1 ? source(k + 1, type::u32) : "0ull") + "); ";
    };
    if (has("red")) {
      only("cta red aligned popc and or u32 pred");
      count(3, 4);
      const char* const vote = has("popc") ? "count" : has("and") ? "all" : "any";
      const std::size_t last = i_.operands.size() - 1;
      return checked(1, last - 1) +
             assign(
                 0, last_type(),
                 std::string(
                     "static_cast<unsigned>(::cuda_emulator::block_barrier(::cuda_emulator::block_vote::") +
                     vote + ", " + source(last, type::pred) + "))");
    }
    only("cta sync aligned");
    count(1, 2);
    return checked(0, i_.operands.size()) +
           "::cuda_emulator::block_barrier(::cuda_emulator::block_vote::none, 0);";
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
    const auto factor_of = [](const std::string& w) -> std::optional<factor> {
      static constexpr std::array<std::string_view, 6> names = {"f16", "bf16", "tf32", "s8", "u8", "f64"};
      const auto found = std::find(names.begin(), names.end(), w);
      if (found == names.end()) return std::nullopt;
      return static_cast<factor>(found - names.begin());
    };
    const auto sum_of = [](const std::string& w) -> std::optional<sum> {
      static constexpr std::array<std::string_view, 4> names = {"f16", "f32", "s32", "f64"};
      const auto found = std::find(names.begin(), names.end(), w);
      if (found == names.end()) return std::nullopt;
      return static_cast<sum>(found - names.begin());
    };
    const auto d = sum_of(rest[0]), c = sum_of(rest[3]);
    const auto a = factor_of(rest[1]), b = factor_of(rest[2]);
    if (!d || !c || !a || !b) refuse(std::string(known));
    const bool bytes = *a == factor::s8 || *a == factor::u8, b_bytes = *b == factor::s8 || *b == factor::u8;
    const std::string& size = words_[3];
    bool fits = bytes ? b_bytes : *a == *b;
    fits &= bytes ? *c == sum::s32 && *d == sum::s32 && among("m8n8k16 m16n8k16 m16n8k32", size)
            : *a == factor::f64
                ? *c == sum::f64 && *d == sum::f64 && among("m8n8k4 m16n8k4 m16n8k8 m16n8k16", size)
            : *a == factor::f16 ? (*c == sum::f16 || *c == sum::f32) && (*d == sum::f16 || *d == sum::f32) &&
                                      among("m16n8k8 m16n8k16", size)
            : *a == factor::bf16 ? *c == sum::f32 && *d == sum::f32 && among("m16n8k8 m16n8k16", size)
                                 : *c == sum::f32 && *d == sum::f32 && among("m16n8k4 m16n8k8", size);
    if (!fits || (shape.saturates && !bytes)) refuse(std::string(known));
    shape.a = *a;
    shape.b = *b;
    shape.c = *c;
    shape.d = *d;
    shape.m = size.starts_with("m8") ? 8 : 16;
    shape.k = static_cast<std::uint8_t>(std::stoi(size.substr(size.find('k') + 1)));
    count(4);
    const bool wide = *a == factor::f64;
    const int width = wide ? 64 : *a == factor::tf32 ? 32 : bytes ? 8 : 16, each = (wide ? 64 : 32) / width;
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
                       list(2, of_b, of_factors) + "}, {" + list(3, registers(*c), type_of(*c)) +
                       "}, {}}; ::cuda_emulator::ptx::multiply(emulator_matrices);";
    const std::vector<ptx_operand> targets = elements(i_.operands[0], registers(*d));
    for (std::size_t k = 0; k < targets.size(); ++k)
      code += " " + assign(targets[k], type_of(*d), "emulator_matrices.d[" + std::to_string(k) + "]");
    return code + " }";
  }

  std::string matrix() {
    const bool loads = words_[0] == "ldmatrix";
    if (!has("sync") || !has("aligned")) fail("needs .sync.aligned");
    if (words_.back() != "b16" || !has("m8n8"))
      refuse("matrices are 8 x 8 elements of 16 bits: .m8n8 ... .b16");
    only("sync aligned m8n8 x1 x2 x4 trans shared shared::cta b16");
    const std::size_t n = has("x4") ? 4 : has("x2") ? 2 : has("x1") ? 1 : 0;
    if (n == 0) fail("needs .x1, .x2 or .x4");
    count(2);
    const std::string space = has("shared") || has("shared::cta") ? "shared" : "generic";
    const std::string begin = "(::cuda_emulator::ptx::space::" + space + ", " + std::to_string(n) + ", " +
                              (has("trans") ? "true" : "false") + ", " +
                              address(i_.operands[loads ? 1 : 0], space);
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
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 34> advice = {{
      {"wmma.", "use nvcuda::wmma of <mma.h>, or mma.sync"},
      {"wgmma.", "use mma.sync, which each warp executes by itself"},
      {"tcgen05.", "use mma.sync"},
      {"mma.sp", "matrices with zeros left out are not there: use mma.sync"},
      {"bra", "write the loop or the branch in C++"},
      {"brx", "write the switch in C++"},
      {"call", "call the function in C++"},
      {"ret", "return in C++"},
      {"exit", "return in C++"},
      {"cp.async.bulk.tensor", "tensor maps are not there: copy row by row, with cp.async.bulk or cp.async"},
      {"cp.async.bulk.prefetch.tensor", "tensor maps are not there: leave the prefetch out"},
      {"tensormap", "tensor maps are not there: copy row by row, with cp.async.bulk or cp.async"},
      {"cp.reduce", "use atomics"},
      {"tex.", "use texture objects: tex2D<float>(texture, x, y)"},
      {"tld4.", "use texture objects: tex2D<float>(texture, x, y)"},
      {"txq.", "pass the size to the kernel"},
      {"suld.", "surfaces are not there: use arrays in global memory"},
      {"sust.", "surfaces are not there: use arrays in global memory"},
      {"sured.", "surfaces are not there: use arrays in global memory"},
      {"barrier.cluster", "there are no clusters here"},
      {"mapa", "there are no clusters here"},
      {"getctarank", "there are no clusters here"},
      {"griddepcontrol", "a launch here begins when the one before has ended"},
      {"setmaxnreg", "registers are not counted here: leave it out"},
      {"elect.sync", "compare the lane with __ffs(__activemask()) - 1"},
      {"createpolicy", "caches are not modeled: leave the hint out"},
      {"applypriority", "caches are not modeled: leave the hint out"},
      {"discard", "caches are not modeled: leave the hint out"},
      {"multimem", "several devices are not there"},
      {"st.async", "there are no clusters here"},
      {"red.async", "there are no clusters here"},
      {"vadd", "use __vadd4() and its like, or the instructions for 32 bits"},
      {"pmevent", "profilers see nothing here: leave it out"},
      {"alloca", "declare an array in C++"},
  }};
  for (const auto& [begin, text] : advice) {
    const bool whole =
        name == begin || (name.starts_with(begin) && (begin.ends_with(".") || name[begin.size()] == '.' ||
                                                      begin == "vadd" || begin.find('.') != begin.npos));
    if (whole) return std::string(text);
  }
  return {};
}

}  // namespace cuda_emulator::translator
