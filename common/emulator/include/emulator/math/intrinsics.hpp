// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Functions that device code may call and that C++ does not have. Where a GPU approximates (__expf, __sinf,
// ...), the emulated device computes the accurate value: a program must not depend on the difference.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "emulator/export.hpp"
#include "emulator/removed.hpp"
#include "packed_integers.hpp"
#include "rounding.hpp"
#include "special_functions.hpp"
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
EMULATOR_DEVICE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
EMULATOR_DEVICE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
EMULATOR_DEVICE long long llmin(long long a, long long b) { return min(a, b); }
EMULATOR_DEVICE long long llmax(long long a, long long b) { return max(a, b); }
EMULATOR_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
EMULATOR_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

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
EMULATOR_DEVICE unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
/// Where the `offset`-th bit that is set stands, from bit `base` upward (its own counts) or downward
/// (offset < 0); offset 0 asks for bit `base` itself. ~0: there is none.
EMULATOR_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  const int step = offset < 0 ? -1 : 1;
  int left = offset == 0 ? 1 : offset * step;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<unsigned>(at);
    if (offset == 0) break;
  }
  return ~0u;
}
EMULATOR_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low
                     : static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) << shift >> 32);
}
EMULATOR_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (shift < 32 ? shift : 32));
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
