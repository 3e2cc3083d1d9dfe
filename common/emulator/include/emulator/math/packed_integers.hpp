// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Several small integers in one of 32 bits: the functions __vadd4() and so on, two of 16 bits (names that
// end with 2) or four of 8 bits (4), and those for dynamic programming (__vimax3_s32() and so on).
#pragma once

#include <cstdint>
#include <type_traits>

#include "emulator/export.hpp"
#include "vector_types.h"

namespace cuda_emulator {

/// f() of each pair of parts, of which the lowest bits are kept.
template <class Part, class F>
EMULATOR_DEVICE unsigned for_parts(unsigned a, unsigned b, F f) {
  constexpr int bits = 8 * sizeof(Part);
  constexpr unsigned mask = (1u << bits) - 1;
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += bits)
    result |= (static_cast<unsigned>(f(static_cast<int>(static_cast<Part>(a >> shift)),
                                       static_cast<int>(static_cast<Part>(b >> shift)))) &
               mask)
              << shift;
  return result;
}
template <class Part, class F>
EMULATOR_DEVICE unsigned sum_of_parts(unsigned a, unsigned b, F f) {
  unsigned sum = 0;
  for (int shift = 0; shift < 32; shift += 8 * static_cast<int>(sizeof(Part)))
    sum += static_cast<unsigned>(
        f(static_cast<int>(static_cast<Part>(a >> shift)), static_cast<int>(static_cast<Part>(b >> shift))));
  return sum;
}
/// The four bytes of a vector. (In kernel files its type does not count as trivially copyable.)
template <class Word, class Vector>
EMULATOR_DEVICE Word as_word(const Vector& vector) {
  static_assert(sizeof(Word) == sizeof(Vector));
  Word word;
  __builtin_memcpy(&word, &vector, sizeof word);
  return word;
}
/// The nearest value that a part can have.
template <class Part>
EMULATOR_DEVICE int clamped(int x) {
  constexpr int bits = 8 * sizeof(Part) - (std::is_signed_v<Part> ? 1 : 0);
  constexpr int highest = (1 << bits) - 1, lowest = std::is_signed_v<Part> ? -highest - 1 : 0;
  return x < lowest ? lowest : x > highest ? highest : x;
}

}  // namespace cuda_emulator

#define EMULATOR_PARTS_1(name, Part, formula)                                        \
  EMULATOR_DEVICE unsigned name(unsigned x) {                                        \
    using part [[maybe_unused]] = Part;                                              \
    return cuda_emulator::for_parts<Part>(x, x, [](int a, int) { return formula; }); \
  }
#define EMULATOR_PARTS_2(name, Part, formula)                                          \
  EMULATOR_DEVICE unsigned name(unsigned x, unsigned y) {                              \
    using part [[maybe_unused]] = Part;                                                \
    return cuda_emulator::for_parts<Part>(x, y, [](int a, int b) { return formula; }); \
  }
#define EMULATOR_PARTS_SUM(name, Part, formula)                                           \
  EMULATOR_DEVICE unsigned name(unsigned x, unsigned y) {                                 \
    return cuda_emulator::sum_of_parts<Part>(x, y, [](int a, int b) { return formula; }); \
  }
#define EMULATOR_COMPARE(n, Part, suffix, name, operation)                \
  EMULATOR_PARTS_2(__vcmp##name##suffix##n, Part, a operation b ? -1 : 0) \
  EMULATOR_PARTS_2(__vset##name##suffix##n, Part, a operation b ? 1 : 0)
#define EMULATOR_ORDERED(n, Part, suffix)                                           \
  EMULATOR_COMPARE(n, Part, suffix, ge, >=)                                         \
  EMULATOR_COMPARE(n, Part, suffix, gt, >)                                          \
  EMULATOR_COMPARE(n, Part, suffix, le, <=)                                         \
  EMULATOR_COMPARE(n, Part, suffix, lt, <)                                          \
  EMULATOR_PARTS_2(__vmax##suffix##n, Part, a > b ? a : b)                          \
  EMULATOR_PARTS_2(__vmin##suffix##n, Part, a < b ? a : b)                          \
  EMULATOR_PARTS_2(__vabsdiff##suffix##n, Part, a > b ? a - b : b - a)              \
  EMULATOR_PARTS_SUM(__vsad##suffix##n, Part, a > b ? a - b : b - a)                \
  EMULATOR_PARTS_2(__vadd##suffix##s##n, Part, cuda_emulator::clamped<part>(a + b)) \
  EMULATOR_PARTS_2(__vsub##suffix##s##n, Part, cuda_emulator::clamped<part>(a - b))
#define EMULATOR_PARTS(n, Signed, Unsigned)                                           \
  EMULATOR_ORDERED(n, Signed, s)                                                      \
  EMULATOR_ORDERED(n, Unsigned, u)                                                    \
  EMULATOR_COMPARE(n, Unsigned, , eq, ==)                                             \
  EMULATOR_COMPARE(n, Unsigned, , ne, !=)                                             \
  EMULATOR_PARTS_2(__vadd##n, Unsigned, a + b)                                        \
  EMULATOR_PARTS_2(__vsub##n, Unsigned, a - b)                                        \
  EMULATOR_PARTS_1(__vabs##n, Signed, a < 0 ? -a : a)                                 \
  EMULATOR_PARTS_1(__vabsss##n, Signed, cuda_emulator::clamped<part>(a < 0 ? -a : a)) \
  EMULATOR_PARTS_1(__vneg##n, Signed, -a)                                             \
  EMULATOR_PARTS_1(__vnegss##n, Signed, cuda_emulator::clamped<part>(-a))             \
  EMULATOR_PARTS_2(__vhaddu##n, Unsigned, (a + b) >> 1)                               \
  EMULATOR_PARTS_2(__vavgu##n, Unsigned, (a + b + 1) >> 1)                            \
  /* halves go away from zero */                                                      \
  EMULATOR_PARTS_2(__vavgs##n, Signed, (a + b + (a + b >= 0)) >> 1)
EMULATOR_PARTS(2, std::int16_t, std::uint16_t)
EMULATOR_PARTS(4, std::int8_t, std::uint8_t)
#undef EMULATOR_PARTS
#undef EMULATOR_ORDERED
#undef EMULATOR_COMPARE
#undef EMULATOR_PARTS_SUM

// Maxima and minima of three, of a sum and a third, with a floor of zero (relu).
namespace cuda_emulator {
template <class T>
EMULATOR_DEVICE T imax_of(T a, T b) {
  return a > b ? a : b;
}
template <class T>
EMULATOR_DEVICE T imin_of(T a, T b) {
  return a < b ? a : b;
}
template <class T>
EMULATOR_DEVICE T wrapped_sum(T a, T b) {
  return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
template <class T, class X, class F>
EMULATOR_DEVICE X in_parts(X a, X b, X c, F f) {
  if constexpr (sizeof(T) == sizeof(X)) {
    return static_cast<X>(f(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)));
  } else {
    constexpr int bits = 8 * sizeof(T);
    X result = 0;
    for (int shift = 0; shift < 32; shift += bits)
      result |= static_cast<X>(static_cast<std::make_unsigned_t<T>>(
                    f(static_cast<T>(a >> shift), static_cast<T>(b >> shift), static_cast<T>(c >> shift))))
                << shift;
    return result;
  }
}
}  // namespace cuda_emulator
#define EMULATOR_DPX(which, type, T, X)                                           \
  EMULATOR_DEVICE X __vi##which##3_##type(X a, X b, X c) {                        \
    return cuda_emulator::in_parts<T>(a, b, c, [](T p, T q, T r) {                \
      return cuda_emulator::i##which##_of(cuda_emulator::i##which##_of(p, q), r); \
    });                                                                           \
  }                                                                               \
  EMULATOR_DEVICE X __viadd##which##_##type(X a, X b, X c) {                      \
    return cuda_emulator::in_parts<T>(a, b, c, [](T p, T q, T r) {                \
      return cuda_emulator::i##which##_of(cuda_emulator::wrapped_sum(p, q), r);   \
    });                                                                           \
  }
#define EMULATOR_DPX_RELU(which, type, T, X)                                                      \
  EMULATOR_DPX(which, type, T, X)                                                                 \
  EMULATOR_DEVICE X __vi##which##_##type##_relu(X a, X b) {                                       \
    return cuda_emulator::in_parts<T>(a, b, b, [](T p, T q, T) {                                  \
      return cuda_emulator::imax_of(cuda_emulator::i##which##_of(p, q), T(0));                    \
    });                                                                                           \
  }                                                                                               \
  EMULATOR_DEVICE X __vi##which##3_##type##_relu(X a, X b, X c) {                                 \
    return cuda_emulator::in_parts<T>(__vi##which##3_##type(a, b, c), X(0), X(0),                 \
                                      [](T p, T, T) { return cuda_emulator::imax_of(p, T(0)); }); \
  }                                                                                               \
  EMULATOR_DEVICE X __viadd##which##_##type##_relu(X a, X b, X c) {                               \
    return cuda_emulator::in_parts<T>(__viadd##which##_##type(a, b, c), X(0), X(0),               \
                                      [](T p, T, T) { return cuda_emulator::imax_of(p, T(0)); }); \
  }
#define EMULATOR_DPX_WHICH(which, operation)                                                                 \
  EMULATOR_DPX_RELU(which, s32, int, int)                                                                    \
  EMULATOR_DPX(which, u32, unsigned, unsigned)                                                               \
  EMULATOR_DPX_RELU(which, s16x2, short, unsigned)                                                           \
  EMULATOR_DPX(which, u16x2, unsigned short, unsigned)                                                       \
  EMULATOR_DEVICE int __vib##which##_s32(int a, int b, bool* first) {                                        \
    *first = a operation b;                                                                                  \
    return cuda_emulator::i##which##_of(a, b);                                                               \
  }                                                                                                          \
  EMULATOR_DEVICE unsigned __vib##which##_u32(unsigned a, unsigned b, bool* first) {                         \
    *first = a operation b;                                                                                  \
    return cuda_emulator::i##which##_of(a, b);                                                               \
  }                                                                                                          \
  EMULATOR_DEVICE unsigned __vib##which##_s16x2(unsigned a, unsigned b, bool* first_high, bool* first_low) { \
    *first_high = static_cast<short>(a >> 16) operation static_cast<short>(b >> 16);                         \
    *first_low = static_cast<short>(a) operation static_cast<short>(b);                                      \
    return __v##which##s2(a, b);                                                                             \
  }                                                                                                          \
  EMULATOR_DEVICE unsigned __vib##which##_u16x2(unsigned a, unsigned b, bool* first_high, bool* first_low) { \
    *first_high = (a >> 16) operation(b >> 16);                                                              \
    *first_low = (a & 0xffff) operation(b & 0xffff);                                                         \
    return __v##which##u2(a, b);                                                                             \
  }
EMULATOR_DPX_WHICH(max, >=)
EMULATOR_DPX_WHICH(min, <=)
#undef EMULATOR_DPX
#undef EMULATOR_DPX_RELU
#undef EMULATOR_DPX_WHICH
#undef EMULATOR_PARTS_1
#undef EMULATOR_PARTS_2

// Products of small integers, added up.
EMULATOR_DEVICE int __dp4a(int a, int b, int c) {
  return static_cast<int>(static_cast<unsigned>(c) + cuda_emulator::sum_of_parts<std::int8_t>(
                                                         static_cast<unsigned>(a), static_cast<unsigned>(b),
                                                         [](int p, int q) { return p * q; }));
}
EMULATOR_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return c + cuda_emulator::sum_of_parts<std::uint8_t>(a, b, [](int p, int q) { return p * q; });
}
/// Two parts of 16 bits, and two bytes of b from `shift` on.
#define EMULATOR_DP2A(name, shift)                                                                        \
  EMULATOR_DEVICE int name(int a, int b, int c) {                                                         \
    return static_cast<int>(                                                                              \
        static_cast<unsigned>(c) +                                                                        \
        static_cast<unsigned>(static_cast<short>(a) * static_cast<signed char>(b >> shift)) +             \
        static_cast<unsigned>(static_cast<short>(a >> 16) * static_cast<signed char>(b >> (shift + 8)))); \
  }                                                                                                       \
  EMULATOR_DEVICE unsigned name(unsigned a, unsigned b, unsigned c) {                                     \
    return c + (a & 0xffff) * (b >> shift & 0xff) + (a >> 16) * (b >> (shift + 8) & 0xff);                \
  }                                                                                                       \
  EMULATOR_DEVICE int name(short2 a, char4 b, int c) {                                                    \
    return name(cuda_emulator::as_word<int>(a), cuda_emulator::as_word<int>(b), c);                       \
  }                                                                                                       \
  EMULATOR_DEVICE unsigned name(ushort2 a, uchar4 b, unsigned c) {                                        \
    return name(cuda_emulator::as_word<unsigned>(a), cuda_emulator::as_word<unsigned>(b), c);             \
  }
EMULATOR_DP2A(__dp2a_lo, 0)
EMULATOR_DP2A(__dp2a_hi, 16)
#undef EMULATOR_DP2A
EMULATOR_DEVICE int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(cuda_emulator::as_word<int>(a), cuda_emulator::as_word<int>(b), c);
}
EMULATOR_DEVICE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return __dp4a(cuda_emulator::as_word<unsigned>(a), cuda_emulator::as_word<unsigned>(b), c);
}
