// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Functions that device code may call and that C++ does not have. Where a GPU approximates (__expf, __sinf,
/// ...), the emulated device computes the accurate value: a program must not depend on the difference.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "export.hpp"
#include "vector_types.h"

// Smaller and larger, as device code spells them.
#define EMULATOR_MIN_MAX(R, A, B)                                                         \
  EMULATOR_DEVICE constexpr R min(A a, B b) {                                             \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
  }                                                                                       \
  EMULATOR_DEVICE constexpr R max(A a, B b) {                                             \
    return static_cast<R>(a) > static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
  }
EMULATOR_MIN_MAX(int, int, int)
EMULATOR_MIN_MAX(unsigned, unsigned, unsigned)
EMULATOR_MIN_MAX(unsigned, int, unsigned)
EMULATOR_MIN_MAX(unsigned, unsigned, int)
EMULATOR_MIN_MAX(long, long, long)
EMULATOR_MIN_MAX(unsigned long, unsigned long, unsigned long)
EMULATOR_MIN_MAX(unsigned long, long, unsigned long)
EMULATOR_MIN_MAX(unsigned long, unsigned long, long)
EMULATOR_MIN_MAX(long long, long long, long long)
EMULATOR_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
EMULATOR_MIN_MAX(unsigned long long, long long, unsigned long long)
EMULATOR_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef EMULATOR_MIN_MAX
EMULATOR_DEVICE float min(float a, float b) { return fminf(a, b); }
EMULATOR_DEVICE float max(float a, float b) { return fmaxf(a, b); }
EMULATOR_DEVICE double min(double a, double b) { return fmin(a, b); }
EMULATOR_DEVICE double max(double a, double b) { return fmax(a, b); }
EMULATOR_DEVICE double min(float a, double b) { return fmin(static_cast<double>(a), b); }
EMULATOR_DEVICE double max(float a, double b) { return fmax(static_cast<double>(a), b); }
EMULATOR_DEVICE double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
EMULATOR_DEVICE double max(double a, float b) { return fmax(a, static_cast<double>(b)); }

// Floating-point functions beyond <cmath>.
EMULATOR_DEVICE float rsqrtf(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
EMULATOR_DEVICE double rsqrt(double x) { return 1.0 / std::sqrt(x); }
EMULATOR_DEVICE float rsqrt(float x) { return rsqrtf(x); }
EMULATOR_DEVICE float rcbrtf(float x) { return static_cast<float>(1.0 / std::cbrt(static_cast<double>(x))); }
EMULATOR_DEVICE double rcbrt(double x) { return 1.0 / std::cbrt(x); }
EMULATOR_DEVICE double sinpi(double x) { return std::sin(3.14159265358979323846 * std::remainder(x, 2.0)); }
EMULATOR_DEVICE double cospi(double x) { return std::cos(3.14159265358979323846 * std::remainder(x, 2.0)); }
EMULATOR_DEVICE float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
EMULATOR_DEVICE float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
EMULATOR_DEVICE void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
EMULATOR_DEVICE void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
EMULATOR_DEVICE float fdividef(float a, float b) { return a / b; }
EMULATOR_DEVICE float norm3df(float a, float b, float c) { return std::sqrt(a * a + b * b + c * c); }
EMULATOR_DEVICE double norm3d(double a, double b, double c) { return std::sqrt(a * a + b * b + c * c); }
EMULATOR_DEVICE float rhypotf(float a, float b) { return 1.0f / std::hypot(a, b); }
EMULATOR_DEVICE double rhypot(double a, double b) { return 1.0 / std::hypot(a, b); }

EMULATOR_DEVICE float __fdividef(float a, float b) { return a / b; }
// glibc declares functions of these names for its own use; the emulator's library defines them.
extern "C" {
EMULATOR_API float __expf(float x) noexcept;
EMULATOR_API float __exp10f(float x) noexcept;
EMULATOR_API float __logf(float x) noexcept;
EMULATOR_API float __log2f(float x) noexcept;
EMULATOR_API float __log10f(float x) noexcept;
EMULATOR_API float __powf(float x, float y) noexcept;
EMULATOR_API float __sinf(float x) noexcept;
EMULATOR_API float __cosf(float x) noexcept;
EMULATOR_API float __tanf(float x) noexcept;
EMULATOR_API void __sincosf(float x, float* s, float* c) noexcept;
}
EMULATOR_DEVICE float __saturatef(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}  // NaN becomes 0

// Rounding to nearest is what the CPU does; the other directions are for few operations and left out.
EMULATOR_DEVICE float __fadd_rn(float a, float b) { return a + b; }
EMULATOR_DEVICE float __fsub_rn(float a, float b) { return a - b; }
EMULATOR_DEVICE float __fmul_rn(float a, float b) { return a * b; }
EMULATOR_DEVICE float __fdiv_rn(float a, float b) { return a / b; }
EMULATOR_DEVICE float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
EMULATOR_DEVICE float __frcp_rn(float x) { return 1.0f / x; }
EMULATOR_DEVICE float __fsqrt_rn(float x) { return std::sqrt(x); }
EMULATOR_DEVICE float __frsqrt_rn(float x) { return rsqrtf(x); }
EMULATOR_DEVICE double __dadd_rn(double a, double b) { return a + b; }
EMULATOR_DEVICE double __dsub_rn(double a, double b) { return a - b; }
EMULATOR_DEVICE double __dmul_rn(double a, double b) { return a * b; }
EMULATOR_DEVICE double __ddiv_rn(double a, double b) { return a / b; }
EMULATOR_DEVICE double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
EMULATOR_DEVICE double __drcp_rn(double x) { return 1.0 / x; }
EMULATOR_DEVICE double __dsqrt_rn(double x) { return std::sqrt(x); }

namespace cuda_emulator {
// What does not fit becomes the nearest value that does, NaN becomes 0: as on a GPU, and never undefined as
// in C++.
template <class To, class From>
EMULATOR_DEVICE To saturating(From x) {
  if (x != x) return sizeof(To) == 8 ? static_cast<To>(1ull << 63) : To(0);
  constexpr To lowest = std::is_signed_v<To> ? static_cast<To>(1ull << (sizeof(To) * 8 - 1)) : To(0);
  constexpr To highest = static_cast<To>(~lowest);
  if (x <= static_cast<From>(lowest)) return lowest;
  if (x >= static_cast<From>(highest)) return highest;
  return static_cast<To>(x);
}
}  // namespace cuda_emulator

#define EMULATOR_ROUNDED(from, From, to, To)                                                               \
  EMULATOR_DEVICE To __##from##2##to##_rn(From x) {                                                        \
    return cuda_emulator::saturating<To>(std::nearbyint(x));                                               \
  }                                                                                                        \
  EMULATOR_DEVICE To __##from##2##to##_rz(From x) { return cuda_emulator::saturating<To>(std::trunc(x)); } \
  EMULATOR_DEVICE To __##from##2##to##_ru(From x) { return cuda_emulator::saturating<To>(std::ceil(x)); }  \
  EMULATOR_DEVICE To __##from##2##to##_rd(From x) { return cuda_emulator::saturating<To>(std::floor(x)); }
EMULATOR_ROUNDED(float, float, int, int)
EMULATOR_ROUNDED(float, float, uint, unsigned)
EMULATOR_ROUNDED(float, float, ll, long long)
EMULATOR_ROUNDED(float, float, ull, unsigned long long)
EMULATOR_ROUNDED(double, double, int, int)
EMULATOR_ROUNDED(double, double, uint, unsigned)
EMULATOR_ROUNDED(double, double, ll, long long)
EMULATOR_ROUNDED(double, double, ull, unsigned long long)
#undef EMULATOR_ROUNDED
EMULATOR_DEVICE float __int2float_rn(int x) { return static_cast<float>(x); }
EMULATOR_DEVICE float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
EMULATOR_DEVICE float __ll2float_rn(long long x) { return static_cast<float>(x); }
EMULATOR_DEVICE float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
EMULATOR_DEVICE double __int2double_rn(int x) { return x; }
EMULATOR_DEVICE double __uint2double_rn(unsigned x) { return x; }
EMULATOR_DEVICE double __ll2double_rn(long long x) { return static_cast<double>(x); }
EMULATOR_DEVICE double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
EMULATOR_DEVICE float __double2float_rn(double x) { return static_cast<float>(x); }

// The same bits under another type.
EMULATOR_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
EMULATOR_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
EMULATOR_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
EMULATOR_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
EMULATOR_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
EMULATOR_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
EMULATOR_DEVICE int __double2hiint(double x) {
  return static_cast<int>(__builtin_bit_cast(std::uint64_t, x) >> 32);
}
EMULATOR_DEVICE int __double2loint(double x) {
  return static_cast<int>(__builtin_bit_cast(std::uint64_t, x));
}
EMULATOR_DEVICE double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(
      double, static_cast<std::uint64_t>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low));
}

// Integers.
EMULATOR_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
EMULATOR_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
EMULATOR_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
EMULATOR_DEVICE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
EMULATOR_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
EMULATOR_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
EMULATOR_DEVICE unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
EMULATOR_DEVICE unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}
EMULATOR_DEVICE int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
EMULATOR_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
__extension__ typedef __int128 emulator_int128;
__extension__ typedef unsigned __int128 emulator_uint128;
EMULATOR_DEVICE long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<emulator_int128>(a) * b >> 64);
}
EMULATOR_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<emulator_uint128>(a) * b >> 64);
}
EMULATOR_DEVICE int __mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned>((a << 8 >> 8)) * static_cast<unsigned>((b << 8 >> 8)));
}
EMULATOR_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
EMULATOR_DEVICE unsigned __sad(int a, int b, unsigned c) {
  return c + (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                    : static_cast<unsigned>(b) - static_cast<unsigned>(a));
}
EMULATOR_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
EMULATOR_DEVICE int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
EMULATOR_DEVICE int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
EMULATOR_DEVICE unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
EMULATOR_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) << (shift & 31) >> 32);
}
EMULATOR_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (shift & 31));
}
EMULATOR_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return result;
}
EMULATOR_DEVICE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i)
    c += static_cast<signed char>(a >> 8 * i) * static_cast<signed char>(b >> 8 * i);
  return c;
}
EMULATOR_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
  return c;
}

// Loads and stores with a cache hint: here a plain one, counted as such.
#define EMULATOR_LOAD(name)                  \
  template <class T>                         \
  EMULATOR_DEVICE T name(const T* address) { \
    return *address;                         \
  }
#define EMULATOR_STORE(name)                       \
  template <class T>                               \
  EMULATOR_DEVICE void name(T* address, T value) { \
    *address = value;                              \
  }
EMULATOR_LOAD(__ldg)
EMULATOR_LOAD(__ldca)
EMULATOR_LOAD(__ldcg)
EMULATOR_LOAD(__ldcs)
EMULATOR_LOAD(__ldlu)
EMULATOR_LOAD(__ldcv)
EMULATOR_STORE(__stwb)
EMULATOR_STORE(__stcg)
EMULATOR_STORE(__stcs)
EMULATOR_STORE(__stwt)
#undef EMULATOR_LOAD
#undef EMULATOR_STORE
