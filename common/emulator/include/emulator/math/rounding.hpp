// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Arithmetic and conversions that say how to round: _rn (to nearest), _rz (toward zero), _ru (up), _rd
// (down). The CPU's own rounding modes do it, so that each result is the one that IEEE 754 asks for.
#pragma once

#include <cmath>
#include <cstdint>

#include "emulator/export.hpp"

namespace cuda_emulator {

enum class rounding : std::uint8_t { nearest, zero, up, down };
enum class rounded_operation : std::uint8_t { add, subtract, multiply, divide, fuse, root, inverse_root };

EMULATOR_API float rounded(rounded_operation operation, rounding direction, float a, float b = 0,
                           float c = 0);
EMULATOR_API double rounded(rounded_operation operation, rounding direction, double a, double b = 0,
                            double c = 0);

EMULATOR_API float to_float(rounding direction, double x);
EMULATOR_API float to_float(rounding direction, long long x);
EMULATOR_API float to_float(rounding direction, unsigned long long x);
EMULATOR_API double to_double(rounding direction, long long x);
EMULATOR_API double to_double(rounding direction, unsigned long long x);

}  // namespace cuda_emulator

// To nearest is what the CPU does anyway.
EMULATOR_DEVICE float __fadd_rn(float a, float b) { return a + b; }
EMULATOR_DEVICE float __fsub_rn(float a, float b) { return a - b; }
EMULATOR_DEVICE float __fmul_rn(float a, float b) { return a * b; }
EMULATOR_DEVICE float __fdiv_rn(float a, float b) { return a / b; }
EMULATOR_DEVICE float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
EMULATOR_DEVICE float __fmaf_ieee_rn(float a, float b, float c) { return std::fma(a, b, c); }
EMULATOR_DEVICE float __frcp_rn(float x) { return 1.0f / x; }
EMULATOR_DEVICE float __fsqrt_rn(float x) { return std::sqrt(x); }
EMULATOR_DEVICE float __frsqrt_rn(float x) {
  return cuda_emulator::rounded(cuda_emulator::rounded_operation::inverse_root,
                                cuda_emulator::rounding::nearest, x);
}
EMULATOR_DEVICE double __dadd_rn(double a, double b) { return a + b; }
EMULATOR_DEVICE double __dsub_rn(double a, double b) { return a - b; }
EMULATOR_DEVICE double __dmul_rn(double a, double b) { return a * b; }
EMULATOR_DEVICE double __ddiv_rn(double a, double b) { return a / b; }
EMULATOR_DEVICE double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
EMULATOR_DEVICE double __drcp_rn(double x) { return 1.0 / x; }
EMULATOR_DEVICE double __dsqrt_rn(double x) { return std::sqrt(x); }

#define EMULATOR_TWO(T, name, operation, suffix, direction)                    \
  EMULATOR_DEVICE T name##suffix(T a, T b) {                                   \
    return cuda_emulator::rounded(cuda_emulator::rounded_operation::operation, \
                                  cuda_emulator::rounding::direction, a, b);   \
  }
#define EMULATOR_THREE(T, name, suffix, direction)                              \
  EMULATOR_DEVICE T name##suffix(T a, T b, T c) {                               \
    return cuda_emulator::rounded(cuda_emulator::rounded_operation::fuse,       \
                                  cuda_emulator::rounding::direction, a, b, c); \
  }
#define EMULATOR_ONE(T, name, suffix, direction, ...)                             \
  EMULATOR_DEVICE T name##suffix(T x) {                                           \
    return cuda_emulator::rounded(cuda_emulator::rounded_operation::__VA_ARGS__); \
  }
#define EMULATOR_DIRECTION(suffix, direction)                                                         \
  EMULATOR_TWO(float, __fadd, add, suffix, direction)                                                 \
  EMULATOR_TWO(float, __fsub, subtract, suffix, direction)                                            \
  EMULATOR_TWO(float, __fmul, multiply, suffix, direction)                                            \
  EMULATOR_TWO(float, __fdiv, divide, suffix, direction)                                              \
  EMULATOR_THREE(float, __fmaf, suffix, direction)                                                    \
  EMULATOR_THREE(float, __fmaf_ieee, suffix, direction)                                               \
  EMULATOR_ONE(float, __frcp, suffix, direction, divide, cuda_emulator::rounding::direction, 1.0f, x) \
  EMULATOR_ONE(float, __fsqrt, suffix, direction, root, cuda_emulator::rounding::direction, x)        \
  EMULATOR_TWO(double, __dadd, add, suffix, direction)                                                \
  EMULATOR_TWO(double, __dsub, subtract, suffix, direction)                                           \
  EMULATOR_TWO(double, __dmul, multiply, suffix, direction)                                           \
  EMULATOR_TWO(double, __ddiv, divide, suffix, direction)                                             \
  EMULATOR_THREE(double, __fma, suffix, direction)                                                    \
  EMULATOR_ONE(double, __drcp, suffix, direction, divide, cuda_emulator::rounding::direction, 1.0, x) \
  EMULATOR_ONE(double, __dsqrt, suffix, direction, root, cuda_emulator::rounding::direction, x)
EMULATOR_DIRECTION(_rz, zero)
EMULATOR_DIRECTION(_ru, up)
EMULATOR_DIRECTION(_rd, down)
#undef EMULATOR_DIRECTION
#undef EMULATOR_ONE
#undef EMULATOR_TWO
#undef EMULATOR_THREE

#define EMULATOR_CONVERT(name, To, From, to, Wide)                                 \
  EMULATOR_DEVICE To name##_rn(From x) { return static_cast<To>(x); }              \
  EMULATOR_DEVICE To name##_rz(From x) {                                           \
    return cuda_emulator::to(cuda_emulator::rounding::zero, static_cast<Wide>(x)); \
  }                                                                                \
  EMULATOR_DEVICE To name##_ru(From x) {                                           \
    return cuda_emulator::to(cuda_emulator::rounding::up, static_cast<Wide>(x));   \
  }                                                                                \
  EMULATOR_DEVICE To name##_rd(From x) {                                           \
    return cuda_emulator::to(cuda_emulator::rounding::down, static_cast<Wide>(x)); \
  }
EMULATOR_CONVERT(__int2float, float, int, to_float, long long)
EMULATOR_CONVERT(__uint2float, float, unsigned, to_float, unsigned long long)
EMULATOR_CONVERT(__ll2float, float, long long, to_float, long long)
EMULATOR_CONVERT(__ull2float, float, unsigned long long, to_float, unsigned long long)
EMULATOR_CONVERT(__ll2double, double, long long, to_double, long long)
EMULATOR_CONVERT(__ull2double, double, unsigned long long, to_double, unsigned long long)
EMULATOR_CONVERT(__double2float, float, double, to_float, double)
#undef EMULATOR_CONVERT
EMULATOR_DEVICE double __int2double_rn(int x) { return x; }
EMULATOR_DEVICE double __uint2double_rn(unsigned x) { return x; }
