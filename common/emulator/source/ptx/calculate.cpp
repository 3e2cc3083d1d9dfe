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

rounding direction(round how) {
  switch (how) {
    case round::rz:
    case round::rzi:
      return rounding::zero;
    case round::rm:
    case round::rmi:
      return rounding::down;
    case round::rp:
    case round::rpi:
      return rounding::up;
    default:
      return rounding::nearest;
  }
}

bool compared(comparison how, bool less, bool equal, bool unordered) {
  switch (how) {
    case comparison::eq:
      return !unordered && equal;
    case comparison::ne:
      return !unordered && !equal;
    case comparison::lt:
    case comparison::lo:
      return !unordered && less;
    case comparison::le:
    case comparison::ls:
      return !unordered && (less || equal);
    case comparison::gt:
    case comparison::hi:
      return !unordered && !less && !equal;
    case comparison::ge:
    case comparison::hs:
      return !unordered && !less;
    case comparison::equ:
      return unordered || equal;
    case comparison::neu:
      return unordered || !equal;
    case comparison::ltu:
      return unordered || less;
    case comparison::leu:
      return unordered || less || equal;
    case comparison::gtu:
      return unordered || (!less && !equal);
    case comparison::geu:
      return unordered || !less;
    case comparison::num:
      return !unordered;
    case comparison::nan:
      return unordered;
  }
  return false;
}

// ---- integers

u64 clamped(type t, wide value) {
  const wide least = is_signed(t) ? lowest(t) : 0,
             most = is_signed(t) ? -wide{lowest(t)} - 1 : wide{ones(bits_of(t))};
  return static_cast<u64>(std::clamp(value, least, most));
}

u64 bit_field(const instruction& i, u64 a, u64 b, u64 c) {
  const unsigned msb = static_cast<unsigned>(bits_of(i.of)) - 1, from = b & 255, length = c & 255;
  const u64 value = a & ones(bits_of(i.of));
  const bool sign = is_signed(i.of) && length != 0 && (value >> std::min(from + length - 1, msb) & 1) != 0;
  u64 result = 0;
  for (unsigned k = 0; k <= msb; ++k) {
    const bool bit = k < length && from + k <= msb ? (value >> (from + k) & 1) != 0 : sign;
    result |= u64{bit} << k;
  }
  return result;
}

u64 permuted(unsigned mode, u64 a, u64 b, unsigned selector) {
  const u64 all = (b & 0xffffffff) << 32 | (a & 0xffffffff);
  u64 result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned chosen = selector & 3;
    unsigned from = 0;
    bool of_sign = false;
    switch (mode) {
      case 0:
        from = selector >> 4 * k & 7;
        of_sign = (selector >> 4 * k & 8) != 0;
        break;
      case 1:  // f4e
        from = chosen + k;
        break;
      case 2:  // b4e
        from = (chosen - k) & 7;
        break;
      case 3:  // rc8
        from = chosen;
        break;
      case 4:  // ecl
        from = std::max(k, chosen);
        break;
      case 5:  // ecr
        from = std::min(k, chosen);
        break;
      default:  // rc16
        from = (chosen & 1) * 2 + (k & 1);
        break;
    }
    u64 byte = all >> 8 * from & 255;
    if (of_sign) byte = (byte & 128) != 0 ? 255 : 0;
    result |= byte << 8 * k;
  }
  return result;
}

u64 dot_product(const instruction& i, u64 a, u64 b, u64 c) {
  // `of` is the type of the first factor, and 32 bits wide; the result is signed if one of them is.
  const bool first = is_signed(i.of), second = is_signed(i.from);
  u64 sum = c;
  const bool four = i.what == operation::dot_4;
  for (int k = 0; k < (four ? 4 : 2); ++k) {
    const u64 x = extended(four ? (first ? type::s8 : type::u8) : (first ? type::s16 : type::u16),
                           a >> (four ? 8 : 16) * k);
    const u64 y = extended(second ? type::s8 : type::u8, b >> (8 * k + (four ? 0 : 16 * i.mode)));
    sum += x * y;
  }
  return sum;
}

u64 of_integers(const instruction& i, u64 a, u64 b, u64 c, u64 d) {
  const int bits = bits_of(i.of);
  const bool with_sign = is_signed(i.of);
  const u64 x = extended(i.of, a), y = extended(i.of, b);
  const auto as_wide = [&](u64 v) { return with_sign ? wide{static_cast<s64>(v)} : wide{v}; };
  const auto product = [&] {
    // Of 64 bits without a sign it needs all 128.
    return with_sign ? static_cast<unsigned_wide>(as_wide(x) * as_wide(y))
                     : static_cast<unsigned_wide>(x) * static_cast<unsigned_wide>(y);
  };
  switch (i.what) {
    case operation::add:
      return i.saturates ? clamped(i.of, as_wide(x) + as_wide(y)) : x + y;
    case operation::subtract:
      return i.saturates ? clamped(i.of, as_wide(x) - as_wide(y)) : x - y;
    case operation::carry_out: {  // mode 0: of a + b + c, 1: of a - b - c, as a borrow
      const u64 p = a & ones(bits), q = b & ones(bits);
      return i.mode == 0 ? static_cast<u64>((unsigned_wide{p} + q + c) >> bits) & 1
                         : u64{unsigned_wide{p} < unsigned_wide{q} + c};
    }
    case operation::multiply_low:
      return x * y;
    case operation::multiply_high:
      return static_cast<u64>(product() >> bits);
    case operation::multiply_wide:
      return static_cast<u64>(product());
    case operation::fuse_low:
      return x * y + c;
    case operation::fuse_high: {
      const u64 high = extended(i.of, static_cast<u64>(product() >> bits)), z = extended(i.of, c);
      return i.saturates ? clamped(i.of, as_wide(high) + as_wide(z)) : high + z;
    }
    case operation::fuse_wide:
      return static_cast<u64>(product()) + c;
    case operation::divide:
      if (y == 0) return ~u64{0};
      return static_cast<u64>(as_wide(x) / as_wide(y));
    case operation::remainder:
      if (y == 0) return x;
      return static_cast<u64>(as_wide(x) % as_wide(y));
    case operation::minimum:
      return as_wide(x) < as_wide(y) ? x : y;
    case operation::maximum:
      return as_wide(x) > as_wide(y) ? x : y;
    case operation::absolute:
      return static_cast<s64>(x) < 0 ? u64{0} - x : x;
    case operation::negate:
      return u64{0} - x;
    case operation::bit_and:
      return a & b;
    case operation::bit_or:
      return a | b;
    case operation::bit_xor:
      return a ^ b;
    case operation::bit_not:
      return ~a;
    case operation::logical_not:
      return (a & ones(bits)) == 0;
    case operation::shift_left:
      return (b & 0xffffffff) >= static_cast<u64>(bits) ? 0 : a << (b & 63);
    case operation::shift_right: {
      const u64 by = std::min<u64>(b & 0xffffffff, static_cast<u64>(bits));
      if (with_sign) return static_cast<u64>(static_cast<s64>(x) >> std::min<u64>(by, 63));
      return by >= 64 ? 0 : x >> by;
    }
    case operation::funnel_left:
    case operation::funnel_right: {
      const u64 both = (b & 0xffffffff) << 32 | (a & 0xffffffff);
      const u64 by = i.mode != 0 ? c & 31 : std::min<u64>(c & 0xffffffff, 32);
      return i.what == operation::funnel_left ? both << by >> 32 : both >> by;
    }
    case operation::extract_bits:
      return bit_field(i, a, b, c);
    case operation::insert_bits: {
      const unsigned from = c & 255, length = d & 255;
      u64 result = b;
      for (unsigned k = 0; k < length && from + k < static_cast<unsigned>(bits); ++k)
        result = (result & ~(u64{1} << (from + k))) | (a >> k & 1) << (from + k);
      return result;
    }
    case operation::reverse_bits: {
      u64 result = 0;
      for (int k = 0; k < bits; ++k) result |= (a >> k & 1) << (bits - 1 - k);
      return result;
    }
    case operation::leading_zeros:
      return static_cast<u64>(std::countl_zero(a & ones(bits)) - (64 - bits));
    case operation::count_bits:
      return static_cast<u64>(std::popcount(a & ones(bits)));
    case operation::find_highest: {
      const u64 value = (with_sign && static_cast<s64>(x) < 0 ? ~x : x) & ones(bits);
      if (value == 0) return ~u64{0};
      const int at = 63 - std::countl_zero(value);
      return static_cast<u64>(i.mode != 0 ? bits - 1 - at : at);
    }
    case operation::permute_bytes:
      return permuted(i.mode, a, b, static_cast<unsigned>(c));
    case operation::logic_of_three: {
      u64 result = 0;
      for (unsigned k = 0; k < 32; ++k) {
        const unsigned row = static_cast<unsigned>((a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1));
        result |= (d >> row & 1) << k;
      }
      return result;
    }
    case operation::dot_4:
    case operation::dot_2:
      return dot_product(i, a, b, c);
    case operation::sum_of_differences:
      return c + (as_wide(x) < as_wide(y) ? y - x : x - y);
    case operation::compare:
      return compared(static_cast<comparison>(i.mode), as_wide(x) < as_wide(y), x == y, false);
    default:
      return 0;
  }
}

// ---- real numbers

small_format format_of(type t) {
  return t == type::f16 || t == type::f16x2 ? small_format::half : small_format::bfloat;
}

float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

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

/// What has no rounding of its own, in double; exact to more bits than a float has.
double elementary(operation what, double a) {
  switch (what) {
    case operation::power_of_two:
      return std::exp2(a);
    case operation::logarithm:
      return std::log2(a);
    case operation::reciprocal:
      return 1 / a;
    case operation::inverse_root:
      return 1 / std::sqrt(a);
    case operation::root:
      return std::sqrt(a);
    case operation::sine:
      return std::sin(a);
    case operation::cosine:
      return std::cos(a);
    default:
      return std::tanh(a);
  }
}

template <class T>
T of_reals(const instruction& i, T a, T b, T c) {
  const rounding how = direction(i.how);
  switch (i.what) {
    case operation::add:
      return rounded(rounded_operation::add, how, a, b);
    case operation::subtract:
      return rounded(rounded_operation::subtract, how, a, b);
    case operation::multiply_low:
      return rounded(rounded_operation::multiply, how, a, b);
    case operation::fuse_low:
      return rounded(rounded_operation::fuse, how, a, b, c);
    case operation::divide:
      return rounded(rounded_operation::divide, how, a, b);
    case operation::minimum:
    case operation::maximum:
      return extreme(i, a, b);
    case operation::reciprocal:
      return rounded(rounded_operation::divide, how, T{1}, a);
    case operation::root:
      return rounded(rounded_operation::root, how, a);
    default:
      return static_cast<T>(elementary(i.what, static_cast<double>(a)));
  }
}

u64 of_floats(const instruction& i, u64 a, u64 b, u64 c) {
  const auto number = [&](u64 bits) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return i.flushes ? flushed(x) : x;
  };
  const float x = number(a), y = number(b);
  if (i.what == operation::compare)
    return compared(static_cast<comparison>(i.mode), x < y, x == y, x != x || y != y);
  if (i.what == operation::copy_sign) return (a & 0x80000000) | (b & 0x7fffffff);
  if (i.what == operation::absolute || i.what == operation::negate) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return i.what == operation::absolute ? bits & 0x7fffffff : bits ^ 0x80000000;
  }
  float result = of_reals(i, x, y, number(c));
  if (i.flushes) result = flushed(result);
  if (i.saturates) result = result > 0 ? std::min(result, 1.0f) : 0.0f;
  return result != result ? 0x7fffffffu : std::bit_cast<std::uint32_t>(result);
}

u64 of_doubles(const instruction& i, u64 a, u64 b, u64 c) {
  const double x = std::bit_cast<double>(a), y = std::bit_cast<double>(b);
  constexpr u64 sign = u64{1} << 63;
  switch (i.what) {
    case operation::compare:
      return compared(static_cast<comparison>(i.mode), x < y, x == y, x != x || y != y);
    case operation::copy_sign:
      return (a & sign) | (b & ~sign);
    case operation::absolute:
      return a & ~sign;
    case operation::negate:
      return a ^ sign;
    default:
      return std::bit_cast<u64>(of_reals(i, x, y, std::bit_cast<double>(c)));
  }
}

u64 of_small(const instruction& i, u64 a, u64 b, u64 c) {
  const small_format format = format_of(i.of);
  const auto number = [&](u64 bits) {
    double x = small_value(format, static_cast<std::uint16_t>(bits));
    if (i.flushes && format == small_format::half && std::fabs(x) < 0x1p-14) x = std::copysign(0.0, x);
    return x;
  };
  const double x = number(a), y = number(b);
  double result;
  switch (i.what) {
    case operation::compare:
      return compared(static_cast<comparison>(i.mode), x < y, x == y, x != x || y != y);
    case operation::absolute:
      return a & 0x7fff;
    case operation::negate:
      return a ^ 0x8000;
    case operation::add:
      result = fused_for_small(x, 1, y);
      break;
    case operation::subtract:
      result = fused_for_small(x, 1, -y);
      break;
    case operation::multiply_low:
      result = x * y;
      break;
    case operation::fuse_low:
      result = fused_for_small(x, y, number(c));
      break;
    case operation::minimum:
    case operation::maximum:
      result = extreme(i, x, y);
      break;
    default:
      result = elementary(i.what, x);
      break;
  }
  if (i.saturates) result = result > 0 ? std::min(result, 1.0) : 0.0;
  if (i.relu && !(result > 0) && result == result) result = 0;
  const std::uint16_t bits = small_from(format, result, rounding::nearest);
  const bool subnormal = format == small_format::half && (bits & 0x7c00) == 0;
  return i.flushes && subnormal ? bits & 0x8000 : bits;
}

// ---- conversions

double value_of(type t, u64 bits) {
  if (t == type::f64) return std::bit_cast<double>(bits);
  if (t == type::f32 || t == type::tf32)
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return small_value(format_of(t), static_cast<std::uint16_t>(bits));
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

/// An integer in more than 64 bits, so that both kinds of 64 bits have room.
wide integer_of(type t, u64 bits) {
  const u64 x = extended(t, bits);
  return is_signed(t) ? wide{static_cast<s64>(x)} : wide{x};
}

u64 from_real(const instruction& i, double x) {
  if (i.flushes && i.from == type::f32) x = static_cast<double>(flushed(static_cast<float>(x)));
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
  if (i.saturates) x = x > 0 ? std::min(x, 1.0) : 0.0;
  if (i.relu && !(x > 0) && x == x) x = 0;
  if (i.of == type::f64) return std::bit_cast<u64>(x);
  if (i.of == type::tf32) return to_tf32(i, static_cast<float>(x));
  if (i.of == type::f32) {
    float result = to_float(direction(i.how), x);
    if (i.flushes) result = flushed(result);
    return result != result ? 0x7fffffffu : std::bit_cast<std::uint32_t>(result);
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
  const bool bits_only = i.what >= operation::bit_and && i.what <= operation::bit_not;
  if (!bits_only && is_real(i.of)) {
    if (i.of == type::f32) return of_floats(i, a, b, c);
    if (i.of == type::f64) return of_doubles(i, a, b, c);
    if (!is_pair(i.of)) return of_small(i, a & 0xffff, b & 0xffff, c & 0xffff);
    return of_small(i, a & 0xffff, b & 0xffff, c & 0xffff) |
           of_small(i, a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff) << 16;
  }
  return of_integers(i, a, b, c, d);
}

}  // namespace cuda_emulator::ptx
