// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Floating-point numbers of 16 bits, __half and __nv_bfloat16. Every operation is computed with double and
// rounded once: sums, products, quotients and roots of so few bits survive the way through double unchanged,
// and the fused operation is given a last bit that says whether there was more.
#pragma once

#include <cmath>
#include <cstdint>

#include "emulator/export.hpp"
#include "rounding.hpp"
#include "vector_types.h"

namespace cuda_emulator {

/// How a number is made of its bits.
enum class small_format : std::uint8_t { half, bfloat };

EMULATOR_API std::uint16_t small_from(small_format format, double x, rounding direction);
EMULATOR_API double small_value(small_format format, std::uint16_t bits);
/// a * b + c, so that rounding it once more to 16 bits is right.
EMULATOR_API double fused_for_small(double a, double b, double c);

template <small_format Format>
EMULATOR_DEVICE std::uint16_t small_bits(double x) {
  return small_from(Format, x, rounding::nearest);
}

}  // namespace cuda_emulator

struct __half;
struct __nv_bfloat16;

// What both types have in common. T is the type, T2 two of them, F the format, Other the other type.
#define EMULATOR_SMALL_TYPE(T, T2, RAW, RAW2, F, Other)                                 \
  struct RAW {                                                                          \
    unsigned short x;                                                                   \
  };                                                                                    \
  struct __attribute__((aligned(4))) RAW2 {                                             \
    unsigned short x, y;                                                                \
  };                                                                                    \
  struct __attribute__((aligned(2))) T {                                                \
    unsigned short emulator_bits;                                                       \
    T() = default;                                                                      \
    constexpr T(const RAW& raw) : emulator_bits(raw.x) {}                               \
    constexpr operator RAW() const { return {emulator_bits}; }                          \
    explicit T(const Other& other);                                                     \
    EMULATOR_SMALL_FROM(T, F, float)                                                    \
    EMULATOR_SMALL_FROM(T, F, double)                                                   \
    EMULATOR_SMALL_INTEGER(T, F, char)                                                  \
    EMULATOR_SMALL_INTEGER(T, F, signed char)                                           \
    EMULATOR_SMALL_INTEGER(T, F, unsigned char)                                         \
    EMULATOR_SMALL_INTEGER(T, F, short)                                                 \
    EMULATOR_SMALL_INTEGER(T, F, unsigned short)                                        \
    EMULATOR_SMALL_INTEGER(T, F, int)                                                   \
    EMULATOR_SMALL_INTEGER(T, F, unsigned int)                                          \
    EMULATOR_SMALL_INTEGER(T, F, long)                                                  \
    EMULATOR_SMALL_INTEGER(T, F, unsigned long)                                         \
    EMULATOR_SMALL_INTEGER(T, F, long long)                                             \
    EMULATOR_SMALL_INTEGER(T, F, unsigned long long)                                    \
    operator float() const { return static_cast<float>(emulator_value()); }             \
    constexpr operator bool() const { return (emulator_bits & 0x7fff) != 0; }           \
    double emulator_value() const {                                                     \
      return cuda_emulator::small_value(cuda_emulator::small_format::F, emulator_bits); \
    }                                                                                   \
    static T emulator_of(double x) {                                                    \
      return RAW{cuda_emulator::small_bits<cuda_emulator::small_format::F>(x)};         \
    }                                                                                   \
  };                                                                                    \
  struct __attribute__((aligned(4))) T2 {                                               \
    typedef RAW2 emulator_raw;                                                          \
    T x, y;                                                                             \
    T2() = default;                                                                     \
    constexpr T2(const T& x, const T& y) : x(x), y(y) {}                                \
    constexpr T2(const RAW2& raw) : x(RAW{raw.x}), y(RAW{raw.y}) {}                     \
    constexpr T2(const T2&) = default;                                                  \
    constexpr operator RAW2() const { return {x.emulator_bits, y.emulator_bits}; }      \
    EMULATOR_SMALL_ASSIGN(T2)                                                           \
  };
#define EMULATOR_SMALL_FROM(T, F, type)                                                               \
  T(type value)                                                                                       \
      : emulator_bits(                                                                                \
            cuda_emulator::small_bits<cuda_emulator::small_format::F>(static_cast<double>(value))) {} \
  T& operator=(type value) { return *this = T(value); }
#define EMULATOR_SMALL_INTEGER(T, F, type)                                                               \
  T(type value)                                                                                          \
      : emulator_bits(                                                                                   \
            cuda_emulator::small_bits<cuda_emulator::small_format::F>(cuda_emulator::exactly(value))) {} \
  T& operator=(type value) { return *this = T(value); }                                                  \
  operator type() const { return cuda_emulator::saturated<type>(emulator_value()); }

// An assignment is one access of 4 bytes, as on a GPU.
#ifdef __CUDACC__
#define EMULATOR_SMALL_ASSIGN(T2)                                                                \
  typedef unsigned emulator_whole __attribute__((may_alias));                                    \
  T2& operator=(const T2& other) {                                                               \
    *reinterpret_cast<emulator_whole*>(this) = *reinterpret_cast<const emulator_whole*>(&other); \
    return *this;                                                                                \
  }
#else
#define EMULATOR_SMALL_ASSIGN(T2) T2& operator=(const T2&) = default;
#endif

namespace cuda_emulator {

/// An integer as a double that rounds to the same 16 bits: of those with more than 53 bits the last one kept
/// says whether there was more.
template <class I>
EMULATOR_DEVICE double exactly(I value) {
  if constexpr (sizeof(I) < 8) {
    return static_cast<double>(value);
  } else {
    const bool negative = value < 0;
    unsigned long long size =
        negative ? 0ull - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value);
    if (size >> 53 != 0) size = (size >> 11 | ((size & 2047) != 0 ? 1 : 0)) << 11;
    return negative ? -static_cast<double>(size) : static_cast<double>(size);
  }
}
/// Toward zero, as far as the type goes; NaN is 0, or of 64 bits only the highest one.
template <class I>
EMULATOR_DEVICE I saturated(double x) {
  constexpr I lowest = I(-1) < I(0) ? static_cast<I>(1ull << (8 * sizeof(I) - 1)) : I(0);
  constexpr I highest = static_cast<I>(~lowest);
  if (x != x) return sizeof(I) == 8 ? static_cast<I>(1ull << 63) : I(0);
  if (x <= static_cast<double>(lowest)) return lowest;
  if (x >= static_cast<double>(highest)) return highest;
  return static_cast<I>(x);
}
EMULATOR_DEVICE double between_zero_and_one(double x) { return x > 0 ? x < 1 ? x : 1 : 0; }
/// The larger one; -0 is below +0, and NaN counts only if both are.
EMULATOR_DEVICE double larger(double a, double b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
EMULATOR_DEVICE double smaller(double a, double b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
EMULATOR_DEVICE double same_or_nan(double a, double b, double value) {
  return a != a ? a : b != b ? b : value;
}

}  // namespace cuda_emulator

#define EMULATOR_SMALL_1(T, T2, name, name2, ...) \
  EMULATOR_DEVICE T name(T p) {                   \
    const double a = p.emulator_value();          \
    return T::emulator_of(__VA_ARGS__);           \
  }                                               \
  EMULATOR_DEVICE T2 name2(T2 p) { return T2(name(p.x), name(p.y)); }
#define EMULATOR_SMALL_2(T, T2, name, name2, ...)                \
  EMULATOR_DEVICE T name(T p, T q) {                             \
    const double a = p.emulator_value(), b = q.emulator_value(); \
    return T::emulator_of(__VA_ARGS__);                          \
  }                                                              \
  EMULATOR_DEVICE T2 name2(T2 p, T2 q) { return T2(name(p.x, q.x), name(p.y, q.y)); }
#define EMULATOR_SMALL_3(T, T2, name, name2, ...)                                                   \
  EMULATOR_DEVICE T name(T p, T q, T r) {                                                           \
    const double s =                                                                                \
        cuda_emulator::fused_for_small(p.emulator_value(), q.emulator_value(), r.emulator_value()); \
    return T::emulator_of(__VA_ARGS__);                                                             \
  }                                                                                                 \
  EMULATOR_DEVICE T2 name2(T2 p, T2 q, T2 r) { return T2(name(p.x, q.x, r.x), name(p.y, q.y, r.y)); }
// One comparison: ordered, and (name with u) true also where one is NaN; of two numbers as 1 or 0 each, and
// (b) of both.
#define EMULATOR_SMALL_COMPARE(T, T2, name, operation)                                                 \
  EMULATOR_DEVICE bool __h##name(T p, T q) { return p.emulator_value() operation q.emulator_value(); } \
  EMULATOR_DEVICE bool __h##name##u(T p, T q) {                                                        \
    const double a = p.emulator_value(), b = q.emulator_value();                                       \
    return a != a || b != b || a operation b;                                                          \
  }                                                                                                    \
  EMULATOR_SMALL_COMPARE_2(T, T2, name)                                                                \
  EMULATOR_SMALL_COMPARE_2(T, T2, name##u)
#define EMULATOR_SMALL_COMPARE_2(T, T2, name)                                              \
  EMULATOR_DEVICE T2 __h##name##2(T2 p, T2 q) {                                            \
    return T2(T(__h##name(p.x, q.x) ? 1.0f : 0.0f), T(__h##name(p.y, q.y) ? 1.0f : 0.0f)); \
  }                                                                                        \
  EMULATOR_DEVICE unsigned __h##name##2_mask(T2 p, T2 q) {                                 \
    return (__h##name(p.x, q.x) ? 0xffffu : 0) | (__h##name(p.y, q.y) ? 0xffff0000u : 0);  \
  }                                                                                        \
  EMULATOR_DEVICE bool __hb##name##2(T2 p, T2 q) { return __h##name(p.x, q.x) && __h##name(p.y, q.y); }
#define EMULATOR_SMALL_OPERATOR(T, T2, symbol, name, name2)                            \
  EMULATOR_DEVICE T operator symbol(const T& p, const T& q) { return name(p, q); }     \
  EMULATOR_DEVICE T& operator symbol##=(T& p, const T& q) { return p = name(p, q); }   \
  EMULATOR_DEVICE T2 operator symbol(const T2& p, const T2& q) { return name2(p, q); } \
  EMULATOR_DEVICE T2& operator symbol##=(T2& p, const T2& q) { return p = name2(p, q); }
#define EMULATOR_SMALL_RELATION(T, T2, symbol, name)                                       \
  EMULATOR_DEVICE bool operator symbol(const T& p, const T& q) { return __h##name(p, q); } \
  EMULATOR_DEVICE bool operator symbol(const T2& p, const T2& q) { return __hb##name##2(p, q); }

#define EMULATOR_SMALL_FUNCTIONS(T, T2)                                                        \
  EMULATOR_SMALL_2(T, T2, __hadd, __hadd2, a + b)                                              \
  EMULATOR_SMALL_2(T, T2, __hsub, __hsub2, a - b)                                              \
  EMULATOR_SMALL_2(T, T2, __hmul, __hmul2, a* b)                                               \
  EMULATOR_SMALL_2(T, T2, __hdiv, __h2div, a / b)                                              \
  EMULATOR_SMALL_2(T, T2, __hadd_rn, __hadd2_rn, a + b)                                        \
  EMULATOR_SMALL_2(T, T2, __hsub_rn, __hsub2_rn, a - b)                                        \
  EMULATOR_SMALL_2(T, T2, __hmul_rn, __hmul2_rn, a* b)                                         \
  EMULATOR_SMALL_2(T, T2, __hadd_sat, __hadd2_sat, cuda_emulator::between_zero_and_one(a + b)) \
  EMULATOR_SMALL_2(T, T2, __hsub_sat, __hsub2_sat, cuda_emulator::between_zero_and_one(a - b)) \
  EMULATOR_SMALL_2(T, T2, __hmul_sat, __hmul2_sat, cuda_emulator::between_zero_and_one(a* b))  \
  EMULATOR_SMALL_3(T, T2, __hfma, __hfma2, s)                                                  \
  EMULATOR_SMALL_3(T, T2, __hfma_sat, __hfma2_sat, cuda_emulator::between_zero_and_one(s))     \
  EMULATOR_SMALL_3(T, T2, __hfma_relu, __hfma2_relu, s != s ? s : s > 0 ? s : 0)               \
  EMULATOR_SMALL_2(T, T2, __hmax, __hmax2, cuda_emulator::larger(a, b))                        \
  EMULATOR_SMALL_2(T, T2, __hmin, __hmin2, cuda_emulator::smaller(a, b))                       \
  EMULATOR_SMALL_2(T, T2, __hmax_nan, __hmax2_nan,                                             \
                   cuda_emulator::same_or_nan(a, b, cuda_emulator::larger(a, b)))              \
  EMULATOR_SMALL_2(T, T2, __hmin_nan, __hmin2_nan,                                             \
                   cuda_emulator::same_or_nan(a, b, cuda_emulator::smaller(a, b)))             \
  EMULATOR_DEVICE T __hneg(T p) {                                                              \
    return decltype(emulator_raw(p)){static_cast<unsigned short>(p.emulator_bits ^ 0x8000)};   \
  }                                                                                            \
  EMULATOR_DEVICE T __habs(T p) {                                                              \
    return decltype(emulator_raw(p)){static_cast<unsigned short>(p.emulator_bits & 0x7fff)};   \
  }                                                                                            \
  EMULATOR_DEVICE T2 __hneg2(T2 p) { return T2(__hneg(p.x), __hneg(p.y)); }                    \
  EMULATOR_DEVICE T2 __habs2(T2 p) { return T2(__habs(p.x), __habs(p.y)); }                    \
  EMULATOR_SMALL_1(T, T2, hsqrt, h2sqrt, std::sqrt(a))                                         \
  EMULATOR_SMALL_1(T, T2, hrsqrt, h2rsqrt, 1 / std::sqrt(a))                                   \
  EMULATOR_SMALL_1(T, T2, hrcp, h2rcp, 1 / a)                                                  \
  EMULATOR_SMALL_1(T, T2, hexp, h2exp, std::exp(a))                                            \
  EMULATOR_SMALL_1(T, T2, hexp2, h2exp2, std::exp2(a))                                         \
  EMULATOR_SMALL_1(T, T2, hexp10, h2exp10, std::pow(10.0, a))                                  \
  EMULATOR_SMALL_1(T, T2, hlog, h2log, std::log(a))                                            \
  EMULATOR_SMALL_1(T, T2, hlog2, h2log2, std::log2(a))                                         \
  EMULATOR_SMALL_1(T, T2, hlog10, h2log10, std::log10(a))                                      \
  EMULATOR_SMALL_1(T, T2, hsin, h2sin, std::sin(a))                                            \
  EMULATOR_SMALL_1(T, T2, hcos, h2cos, std::cos(a))                                            \
  EMULATOR_SMALL_1(T, T2, htanh, h2tanh, std::tanh(a))                                         \
  EMULATOR_SMALL_1(T, T2, htanh_approx, h2tanh_approx, std::tanh(a))                           \
  EMULATOR_SMALL_1(T, T2, hceil, h2ceil, std::ceil(a))                                         \
  EMULATOR_SMALL_1(T, T2, hfloor, h2floor, std::floor(a))                                      \
  EMULATOR_SMALL_1(T, T2, hrint, h2rint, std::nearbyint(a))                                    \
  EMULATOR_SMALL_1(T, T2, htrunc, h2trunc, std::trunc(a))                                      \
  EMULATOR_SMALL_COMPARE(T, T2, eq, ==)                                                        \
  EMULATOR_SMALL_COMPARE(T, T2, lt, <)                                                         \
  EMULATOR_SMALL_COMPARE(T, T2, le, <=)                                                        \
  EMULATOR_SMALL_COMPARE(T, T2, gt, >)                                                         \
  EMULATOR_SMALL_COMPARE(T, T2, ge, >=)                                                        \
  EMULATOR_DEVICE bool __hneu(T p, T q) { return p.emulator_value() != q.emulator_value(); }   \
  EMULATOR_DEVICE bool __hne(T p, T q) {                                                       \
    const double a = p.emulator_value(), b = q.emulator_value();                               \
    return a == a && b == b && a != b;                                                         \
  }                                                                                            \
  EMULATOR_SMALL_COMPARE_2(T, T2, ne)                                                          \
  EMULATOR_SMALL_COMPARE_2(T, T2, neu)                                                         \
  EMULATOR_DEVICE bool __hisnan(T p) { return p.emulator_value() != p.emulator_value(); }      \
  EMULATOR_DEVICE int __hisinf(T p) {                                                          \
    return std::isinf(p.emulator_value()) ? p.emulator_value() > 0 ? 1 : -1 : 0;               \
  }                                                                                            \
  EMULATOR_DEVICE T2 __hisnan2(T2 p) {                                                         \
    return T2(T(__hisnan(p.x) ? 1.0f : 0.0f), T(__hisnan(p.y) ? 1.0f : 0.0f));                 \
  }                                                                                            \
  EMULATOR_SMALL_OPERATOR(T, T2, +, __hadd, __hadd2)                                           \
  EMULATOR_SMALL_OPERATOR(T, T2, -, __hsub, __hsub2)                                           \
  EMULATOR_SMALL_OPERATOR(T, T2, *, __hmul, __hmul2)                                           \
  EMULATOR_SMALL_OPERATOR(T, T2, /, __hdiv, __h2div)                                           \
  EMULATOR_SMALL_RELATION(T, T2, ==, eq)                                                       \
  EMULATOR_SMALL_RELATION(T, T2, !=, neu)                                                      \
  EMULATOR_SMALL_RELATION(T, T2, <, lt)                                                        \
  EMULATOR_SMALL_RELATION(T, T2, <=, le)                                                       \
  EMULATOR_SMALL_RELATION(T, T2, >, gt)                                                        \
  EMULATOR_SMALL_RELATION(T, T2, >=, ge)                                                       \
  EMULATOR_DEVICE T operator-(const T& p) { return __hneg(p); }                                \
  EMULATOR_DEVICE T operator+(const T& p) { return p; }                                        \
  EMULATOR_DEVICE T2 operator-(const T2& p) { return __hneg2(p); }                             \
  EMULATOR_DEVICE T2 operator+(const T2& p) { return p; }                                      \
  EMULATOR_DEVICE T& operator++(T& p) { return p = __hadd(p, T(1.0f)); }                       \
  EMULATOR_DEVICE T& operator--(T& p) { return p = __hsub(p, T(1.0f)); }                       \
  EMULATOR_DEVICE T operator++(T& p, int) {                                                    \
    const T before = p;                                                                        \
    ++p;                                                                                       \
    return before;                                                                             \
  }                                                                                            \
  EMULATOR_DEVICE T operator--(T& p, int) {                                                    \
    const T before = p;                                                                        \
    --p;                                                                                       \
    return before;                                                                             \
  }

// Conversions. `name` is how the type is called in them: half or bfloat16; `many` where there are several:
// half2, bfloat162.
#define EMULATOR_SMALL_ROUNDED(T, RAW, F, function, From, value)                                  \
  EMULATOR_DEVICE T function##_rn(From x) { return RAW{EMULATOR_SMALL_BITS(F, value, nearest)}; } \
  EMULATOR_DEVICE T function##_rz(From x) { return RAW{EMULATOR_SMALL_BITS(F, value, zero)}; }    \
  EMULATOR_DEVICE T function##_ru(From x) { return RAW{EMULATOR_SMALL_BITS(F, value, up)}; }      \
  EMULATOR_DEVICE T function##_rd(From x) { return RAW{EMULATOR_SMALL_BITS(F, value, down)}; }
#define EMULATOR_SMALL_BITS(F, value, direction) \
  cuda_emulator::small_from(cuda_emulator::small_format::F, value, cuda_emulator::rounding::direction)
#define EMULATOR_SMALL_TO(T, function, To)                                                           \
  EMULATOR_DEVICE To function##_rn(T x) {                                                            \
    return cuda_emulator::saturated<To>(std::nearbyint(x.emulator_value()));                         \
  }                                                                                                  \
  EMULATOR_DEVICE To function##_rz(T x) { return cuda_emulator::saturated<To>(x.emulator_value()); } \
  EMULATOR_DEVICE To function##_ru(T x) {                                                            \
    return cuda_emulator::saturated<To>(std::ceil(x.emulator_value()));                              \
  }                                                                                                  \
  EMULATOR_DEVICE To function##_rd(T x) {                                                            \
    return cuda_emulator::saturated<To>(std::floor(x.emulator_value()));                             \
  }
#define EMULATOR_SMALL_BOTH(T, RAW, F, name, word, type) \
  EMULATOR_SMALL_TO(T, __##name##2##word, type)          \
  EMULATOR_SMALL_ROUNDED(T, RAW, F, __##word##2##name, type, cuda_emulator::exactly(x))
#define EMULATOR_SMALL_CONVERSIONS(T, T2, RAW, F, name, many)                                     \
  EMULATOR_SMALL_ROUNDED(T, RAW, F, __float2##name, float, static_cast<double>(x))                \
  EMULATOR_DEVICE T __float2##name(float x) { return __float2##name##_rn(x); }                    \
  EMULATOR_DEVICE T __double2##name(double x) { return RAW{EMULATOR_SMALL_BITS(F, x, nearest)}; } \
  EMULATOR_DEVICE float __##name##2float(T x) { return static_cast<float>(x.emulator_value()); }  \
  EMULATOR_SMALL_BOTH(T, RAW, F, name, short, short)                                              \
  EMULATOR_SMALL_BOTH(T, RAW, F, name, ushort, unsigned short)                                    \
  EMULATOR_SMALL_BOTH(T, RAW, F, name, int, int)                                                  \
  EMULATOR_SMALL_BOTH(T, RAW, F, name, uint, unsigned)                                            \
  EMULATOR_SMALL_BOTH(T, RAW, F, name, ll, long long)                                             \
  EMULATOR_SMALL_BOTH(T, RAW, F, name, ull, unsigned long long)                                   \
  EMULATOR_DEVICE short __##name##_as_short(T x) { return static_cast<short>(x.emulator_bits); }  \
  EMULATOR_DEVICE unsigned short __##name##_as_ushort(T x) { return x.emulator_bits; }            \
  EMULATOR_DEVICE T __short_as_##name(short x) { return RAW{static_cast<unsigned short>(x)}; }    \
  EMULATOR_DEVICE T __ushort_as_##name(unsigned short x) { return RAW{x}; }                       \
  EMULATOR_DEVICE T2 make_##many(T x, T y) { return T2(x, y); }                                   \
  EMULATOR_DEVICE T2 __halves2##many(T x, T y) { return T2(x, y); }                               \
  EMULATOR_DEVICE T2 __##name##2##many(T x) { return T2(x, x); }                                  \
  EMULATOR_DEVICE T2 __float2##many##_rn(float x) { return T2(T(x), T(x)); }                      \
  EMULATOR_DEVICE T2 __floats2##many##_rn(float x, float y) { return T2(T(x), T(y)); }            \
  EMULATOR_DEVICE T2 __float22##many##_rn(float2 v) { return T2(T(v.x), T(v.y)); }                \
  EMULATOR_DEVICE float2 __##many##2float2_emulated(T2 v) {                                       \
    return {__##name##2float(v.x), __##name##2float(v.y)};                                        \
  }                                                                                               \
  EMULATOR_DEVICE float __low2float(T2 v) { return __##name##2float(v.x); }                       \
  EMULATOR_DEVICE float __high2float(T2 v) { return __##name##2float(v.y); }                      \
  EMULATOR_DEVICE T __low2##name(T2 v) { return v.x; }                                            \
  EMULATOR_DEVICE T __high2##name(T2 v) { return v.y; }                                           \
  EMULATOR_DEVICE T2 __low2##many(T2 v) { return T2(v.x, v.x); }                                  \
  EMULATOR_DEVICE T2 __high2##many(T2 v) { return T2(v.y, v.y); }                                 \
  EMULATOR_DEVICE T2 __lows2##many(T2 v, T2 w) { return T2(v.x, w.x); }                           \
  EMULATOR_DEVICE T2 __highs2##many(T2 v, T2 w) { return T2(v.y, w.y); }                          \
  EMULATOR_DEVICE T2 __lowhigh2highlow(T2 v) { return T2(v.y, v.x); }

// As a loop around compare-and-swap.
#define EMULATOR_SMALL_ATOMICS(T, T2, RAW)                                                               \
  EMULATOR_DEVICE T atomicAdd(T* address, T value) {                                                     \
    auto* const word = reinterpret_cast<unsigned short*>(address);                                       \
    unsigned short old = *reinterpret_cast<volatile unsigned short*>(word), assumed;                     \
    do {                                                                                                 \
      assumed = old;                                                                                     \
      old = atomicCAS(word, assumed, __hadd(T(RAW{assumed}), value).emulator_bits);                      \
    } while (old != assumed);                                                                            \
    return RAW{old};                                                                                     \
  }                                                                                                      \
  EMULATOR_DEVICE T2 atomicAdd(T2* address, T2 value) {                                                  \
    auto* const word = reinterpret_cast<unsigned*>(address);                                             \
    unsigned old = *reinterpret_cast<volatile unsigned*>(word), assumed;                                 \
    do {                                                                                                 \
      assumed = old;                                                                                     \
      const T x = __hadd(T(RAW{static_cast<unsigned short>(assumed)}), value.x),                         \
              y = __hadd(T(RAW{static_cast<unsigned short>(assumed >> 16)}), value.y);                   \
      old = atomicCAS(word, assumed, x.emulator_bits | static_cast<unsigned>(y.emulator_bits) << 16);    \
    } while (old != assumed);                                                                            \
    return T2(T(RAW{static_cast<unsigned short>(old)}), T(RAW{static_cast<unsigned short>(old >> 16)})); \
  }
