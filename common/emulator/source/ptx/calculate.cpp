// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Arithmetic and conversions of inline PTX. What a GPU only approximates (ex2.approx and its like) is
// computed in double and rounded once.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "emulator/math/rounding.hpp"
#include "emulator/math/small_floats.hpp"
#include "emulator/threads/ptx.hpp"

namespace cuda_emulator::ptx {
namespace {

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

using u64 = std::uint64_t;
using s64 = std::int64_t;

u64 ones(int bits) { return bits >= 64 ? ~u64{0} : (u64{1} << bits) - 1; }

/// The value of so many bits, extended as the type says.
u64 extended(type t, u64 value) {
  const int bits = bits_of(t);
  if (bits == 64) return value;
  if (is_signed(t)) return static_cast<u64>(static_cast<s64>(value << (64 - bits)) >> (64 - bits));
  return value & ones(bits);
}
s64 lowest(type t) { return static_cast<s64>(~u64{0} << (bits_of(t) - 1)); }

/// An integer in more than 64 bits, so that both kinds of 64 bits have room.
wide integer_of(type t, u64 bits) {
  const u64 x = extended(t, bits);
  return is_signed(t) ? wide{static_cast<s64>(x)} : wide{x};
}
u64 clamped(type t, wide value) {
  const wide least = is_signed(t) ? lowest(t) : 0,
             most = is_signed(t) ? -wide{lowest(t)} - 1 : wide{ones(bits_of(t))};
  return static_cast<u64>(std::clamp(value, least, most));
}

rounding direction(round how) {
  static constexpr rounding of[] = {
#define EMULATOR_ROUND(name, direction) rounding::direction,
#include "emulator/threads/ptx.def"
  };
  return of[static_cast<int>(how)];
}

bool compared(const instruction& i, bool less, bool equal, bool unordered) {
  static constexpr bool holds[][4] = {
#define EMULATOR_COMPARISON(name, less, equal, greater, unordered) {less, equal, greater, unordered},
#include "emulator/threads/ptx.def"
  };
  return holds[i.mode][unordered ? 3 : equal ? 1 : less ? 0 : 2];
}

// ---- integers

u64 low(u64 value) { return value & 0xffffffff; }

/// Mode 0: of a + b + c, 1: of a - b - c, as a borrow.
u64 carry(const instruction& i, u64 a, u64 b, u64 c) {
  return i.mode == 0 ? static_cast<u64>((unsigned_wide{a} + b + c) >> bits_of(i.of)) & 1
                     : u64{unsigned_wide{a} < unsigned_wide{b} + c};
}

u64 funnel_by(const instruction& i, u64 c) { return i.mode != 0 ? c & 31 : std::min(low(c), u64{32}); }

u64 extracted(const instruction& i, u64 a, u64 from, u64 length) {
  const auto bits = static_cast<u64>(bits_of(i.of));
  const u64 taken = from < bits ? std::min(length, bits - from) : 0;
  const bool sign = is_signed(i.of) && length != 0 && (a >> std::min(from + length - 1, bits - 1) & 1) != 0;
  return ((taken != 0 ? a >> from & ones(static_cast<int>(taken)) : 0) |
          (sign ? ~ones(static_cast<int>(taken)) : 0)) &
         ones(static_cast<int>(bits));
}

u64 inserted(int bits, u64 a, u64 b, u64 from, u64 length) {
  if (from >= static_cast<u64>(bits)) return b;
  const u64 mask = ones(static_cast<int>(std::min(length, static_cast<u64>(bits) - from))) << from;
  return (b & ~mask) | (a << from & mask);
}

u64 reversed(u64 a) {
  u64 result = 0;
  for (int k = 0; k < 64; ++k) result |= (a >> k & 1) << (63 - k);
  return result;
}

u64 highest(const instruction& i, u64 value) {
  value &= ones(bits_of(i.of));
  if (value == 0) return ~u64{0};
  const int at = 63 - std::countl_zero(value);
  return static_cast<u64>(i.mode != 0 ? bits_of(i.of) - 1 - at : at);
}

/// Modes: none, f4e, b4e, rc8, ecl, ecr, rc16.
u64 permuted(unsigned mode, u64 all, u64 selector) {
  const u64 chosen = selector & 3;
  u64 result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const u64 from[] = {selector >> 4 * k & 7,     chosen + k,
                        (chosen - k) & 7,          chosen,
                        std::max(u64{k}, chosen),  std::min(u64{k}, chosen),
                        (chosen & 1) * 2 + (k & 1)};
    u64 byte = all >> 8 * from[mode] & 255;
    if (mode == 0 && (selector >> 4 * k & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
    result |= byte << 8 * k;
  }
  return result;
}

u64 looked_up(u64 a, u64 b, u64 c, u64 table) {
  u64 result = 0;
  for (unsigned row = 0; row < 8; ++row)
    if ((table >> row & 1) != 0)
      result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  return low(result);
}

/// `of` is the type of the first factor, and 32 bits wide; the result is signed if one of them is.
u64 dot_product(const instruction& i, u64 a, u64 b, u64 c) {
  const bool first = is_signed(i.of), second = is_signed(i.from), four = i.what == operation::dot_4;
  for (int k = 0; k < (four ? 4 : 2); ++k) {
    const u64 x = four ? extended(first ? type::s8 : type::u8, a >> 8 * k)
                       : extended(first ? type::s16 : type::u16, a >> 16 * k);
    c += x * extended(second ? type::s8 : type::u8, b >> (8 * k + (four ? 0 : 16 * i.mode)));
  }
  return c;
}

u64 of_integers(const instruction& i, u64 a, u64 b, u64 c, u64 d) {
  const int bits = bits_of(i.of);
  const u64 x = extended(i.of, a), y = extended(i.of, b);
  const wide wide_x = integer_of(i.of, a), wide_y = integer_of(i.of, b);
  // Of 64 bits without a sign it needs all 128.
  const unsigned_wide product = static_cast<unsigned_wide>(wide_x) * static_cast<unsigned_wide>(wide_y);
  const auto limited = [&i](wide value) {
    return i.saturates ? clamped(i.of, value) : static_cast<u64>(value);
  };
  switch (i.what) {
#define EMULATOR_OPERATION(name, of_integers, of_reals) \
  case operation::name:                                 \
    return of_integers;
#include "emulator/threads/ptx.def"
  }
  return 0;
}

// ---- real numbers

constexpr small_format format_of(type t) {
  return t == type::f16 || t == type::f16x2 ? small_format::half : small_format::bfloat;
}

/// Below the smallest normal number it is 0, where the type is one that .ftz is about.
template <class T>
T flushed(type of, T x) {
  const double least = of == type::f32 ? 0x1p-126 : of == type::f16 ? 0x1p-14 : 0;
  return std::fabs(x) < least ? std::copysign(T{0}, x) : x;
}

template <class T>
T saturated(T x) {
  return x > 0 ? std::min(x, T{1}) : T{0};
}

u64 bits_of_float(float x) { return x != x ? 0x7fffffffu : std::bit_cast<std::uint32_t>(x); }

/// Smallest and largest as PTX defines them: -0 lies below +0.
template <class T>
T extreme(const instruction& i, T a, T b) {
  if (a != a || b != b) {
    if (i.keeps_nan || (a != a && b != b)) return std::numeric_limits<T>::quiet_NaN();
    return a != a ? b : a;
  }
  if (a == b) return std::signbit(a) == (i.what == operation::minimum) ? a : b;
  return (a < b) == (i.what == operation::minimum) ? a : b;
}

template <type Of>
auto value_of(u64 bits) {
  if constexpr (Of == type::f32)
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (Of == type::f64)
    return std::bit_cast<double>(bits);
  else
    return small_value(format_of(Of), static_cast<std::uint16_t>(bits));
}

template <class T>
T made(const instruction& i, bool is_small, T x, T y, T z) {
  using enum rounded_operation;
  const auto rounded = [&](rounded_operation what, T p, T q = 0, T r = 0) -> T {
    if (!is_small) return cuda_emulator::rounded(what, direction(i.how), p, q, r);
    if (what == multiply) return p * q;
    return static_cast<T>(what == fuse ? fused_for_small(p, q, r)
                                       : fused_for_small(p, 1, what == add ? q : -q));
  };
  // What has no rounding of its own, in double; exact to more bits than a float has.
  const double near = x;
  const auto elementary = [](double value) { return static_cast<T>(value); };
  switch (i.what) {
#define EMULATOR_OPERATION(name, of_integers, of_reals) \
  case operation::name:                                 \
    return of_reals;
#include "emulator/threads/ptx.def"
  }
  return 0;
}

template <type Of>
u64 of_reals(const instruction& i, u64 a, u64 b, u64 c) {
  constexpr bool is_small = Of == type::f16 || Of == type::bf16;
  constexpr u64 sign = u64{1} << (bits_of(Of) - 1);
  const auto number = [&](u64 bits) {
    return i.flushes ? flushed(Of, value_of<Of>(bits)) : value_of<Of>(bits);
  };
  const auto x = number(a), y = number(b);
  if constexpr (Of == type::f32) a = std::bit_cast<std::uint32_t>(x);
  if (i.what == operation::compare) return compared(i, x < y, x == y, x != x || y != y);
  if (i.what == operation::copy_sign) return (a & sign) | (b & (sign - 1));
  if (i.what == operation::absolute) return a & (sign - 1);
  if (i.what == operation::negate) return a ^ sign;
  auto result = made(i, is_small, x, y, number(c));
  if constexpr (Of == type::f64) return std::bit_cast<u64>(result);
  if (i.flushes && !is_small) result = flushed(Of, result);
  if (i.saturates) result = saturated(result);
  if constexpr (!is_small) return bits_of_float(static_cast<float>(result));
  if (i.relu && result <= 0) result = 0;
  const std::uint16_t bits = small_from(format_of(Of), result, rounding::nearest);
  return i.flushes && Of == type::f16 && (bits & 0x7c00) == 0 ? bits & 0x8000 : bits;
}

/// One or two.
template <type Of>
u64 of_halves(const instruction& i, u64 a, u64 b, u64 c) {
  const u64 first = of_reals<Of>(i, a & 0xffff, b & 0xffff, c & 0xffff);
  if (!is_pair(i.of)) return first;
  return first | of_reals<Of>(i, a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff) << 16;
}

// ---- conversions

double value_of(type t, u64 bits) {
  return t == type::f64                      ? value_of<type::f64>(bits)
         : t == type::f32 || t == type::tf32 ? static_cast<double>(value_of<type::f32>(bits))
                                             : small_value(format_of(t), static_cast<std::uint16_t>(bits));
}

double to_integer(round how, double x) {
  switch (direction(how)) {
    case rounding::zero:
      return std::trunc(x);
    case rounding::up:
      return std::ceil(x);
    case rounding::down:
      return std::floor(x);
    default:
      return std::nearbyint(x);
  }
}

bool rounds_to_integer(round how) { return how >= round::rni; }

/// To 10 bits of fraction.
u64 to_tf32(const instruction& i, float x) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  if (x != x) return 0x7fffffff;
  if (std::isinf(x)) return bits;
  const std::uint32_t half = 0x1000, rest = bits & 0x1fff;
  bits -= rest;
  const bool up = i.how == round::rna
                      ? rest >= half
                      : i.how == round::rn && (rest > half || (rest == half && (bits & 0x2000) != 0));
  if (up) bits += 0x2000;
  return i.relu && std::signbit(x) ? 0 : bits;
}

u64 from_real(const instruction& i, double x) {
  if (i.flushes) x = flushed(i.from == type::f32 ? type::f32 : type::none, x);
  if (!is_real(i.of)) {
    if (x != x) return bits_of(i.of) == 64 ? u64{1} << 63 : 0;
    const double whole = to_integer(i.how, x);
    const double most = std::ldexp(1.0, bits_of(i.of) - (is_signed(i.of) ? 1 : 0));
    if (is_signed(i.of)) {
      if (whole >= most) return ~static_cast<u64>(lowest(i.of));
      if (whole <= -most) return static_cast<u64>(lowest(i.of));
      return static_cast<u64>(static_cast<s64>(whole));
    }
    if (whole >= most) return ones(bits_of(i.of));
    return whole <= 0 ? 0 : static_cast<u64>(whole);
  }
  if (rounds_to_integer(i.how)) x = to_integer(i.how, x);
  if (i.saturates) x = saturated(x);
  if (i.relu && x <= 0) x = 0;
  if (i.of == type::f64) return std::bit_cast<u64>(x);
  if (i.of == type::tf32) return to_tf32(i, static_cast<float>(x));
  if (i.of == type::f32) {
    const float result = to_float(direction(i.how), x);
    return bits_of_float(i.flushes ? flushed(type::f32, result) : result);
  }
  return small_from(format_of(i.of), x, direction(i.how));
}

u64 converted(const instruction& i, u64 a) {
  if (is_real(i.from)) return extended(i.of, from_real(i, value_of(i.from, a)));
  const wide x = integer_of(i.from, a);
  if (!is_real(i.of)) {
    if (i.saturates) return extended(i.of, clamped(i.of, x));
    return extended(i.of, static_cast<u64>(x));
  }
  const bool negative = x < 0;
  const auto with_sign = static_cast<long long>(x);
  const auto without = static_cast<unsigned long long>(x);
  const rounding how = direction(i.how);
  if (i.of == type::f32) {
    const float result = negative ? to_float(how, with_sign) : to_float(how, without);
    return std::bit_cast<std::uint32_t>(i.saturates ? std::clamp(result, 0.0f, 1.0f) : result);
  }
  if (i.of == type::f64)
    return std::bit_cast<u64>(negative ? to_double(how, with_sign) : to_double(how, without));
  return small_from(format_of(i.of), negative ? exactly(with_sign) : exactly(without), how);
}

}  // namespace

std::uint64_t calculate(std::uint64_t code, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                        std::uint64_t d) {
  const instruction i = decode(code);
  if (i.what == operation::convert) return converted(i, a);
  if (i.what == operation::convert_pair) {
    instruction one = i;
    one.of = i.of == type::f16x2 ? type::f16 : type::bf16;
    return converted(one, a) << 16 | converted(one, b);
  }
  switch (i.of) {
    case type::f32:
      return of_reals<type::f32>(i, a, b, c);
    case type::f64:
      return of_reals<type::f64>(i, a, b, c);
    case type::f16:
    case type::f16x2:
      return of_halves<type::f16>(i, a, b, c);
    case type::bf16:
    case type::bf16x2:
      return of_halves<type::bf16>(i, a, b, c);
    default:
      return of_integers(i, a, b, c, d);
  }
}

}  // namespace cuda_emulator::ptx
