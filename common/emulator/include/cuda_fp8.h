// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Numbers of 8 bits, which are stored and converted, and nothing else. E4M3: 4 bits of exponent, 3 of
// fraction, no infinity, at most 448; E5M2: 5 and 2, with infinity, at most 57344.
#pragma once

#include <cmath>

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace cuda_emulator {

struct fp8_shape {
  int fraction, bias;
  __nv_fp8_storage_t most, beyond;  ///< The largest number; what lies above it.
};
constexpr fp8_shape fp8_shapes[] = {{3, 7, 0x7e, 0x7f}, {2, 15, 0x7b, 0x7c}};

/// The nearest one, of two the even one. With 0 in front of the exponent's bits, codes are in order.
EMULATOR_DEVICE __nv_fp8_storage_t to_fp8(double x, __nv_saturation_t saturation,
                                          __nv_fp8_interpretation_t kind) {
  const fp8_shape shape = kind == __NV_E4M3 ? fp8_shapes[0] : fp8_shapes[1];
  const int sign = std::signbit(x) ? 0x80 : 0;
  const double size = std::fabs(x);
  if (std::isnan(x)) return 0x7f;
  const int beyond = saturation == __NV_SATFINITE ? shape.most : shape.beyond;
  if (size > 1e6) return static_cast<__nv_fp8_storage_t>(sign | beyond);
  const int least = 1 - shape.bias, own = size == 0 ? least : std::ilogb(size);
  const int exponent = own < least ? least : own;
  const int steps = static_cast<int>(std::nearbyint(std::ldexp(size, shape.fraction - exponent)));
  const int code = ((exponent - least) << shape.fraction) + steps;
  return static_cast<__nv_fp8_storage_t>(sign | (code > shape.most ? beyond : code));
}

EMULATOR_DEVICE float from_fp8(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind) {
  const fp8_shape shape = kind == __NV_E4M3 ? fp8_shapes[0] : fp8_shapes[1];
  const int code = bits & 0x7f, exponent = code >> shape.fraction,
            fraction = code & ((1 << shape.fraction) - 1);
  float size;
  if (code > shape.most)
    size = code == 0x7c && kind == __NV_E5M2 ? HUGE_VALF : __builtin_nanf("");
  else if (exponent == 0)
    size = std::ldexp(static_cast<float>(fraction), 1 - shape.bias - shape.fraction);
  else
    size = std::ldexp(static_cast<float>((1 << shape.fraction) + fraction),
                      exponent - shape.bias - shape.fraction);
  return bits & 0x80 ? -size : size;
}

}  // namespace cuda_emulator

EMULATOR_DEVICE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                          __nv_fp8_interpretation_t kind) {
  return cuda_emulator::to_fp8(x, saturation, kind);
}
EMULATOR_DEVICE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t kind) {
  return cuda_emulator::to_fp8(x, saturation, kind);
}
EMULATOR_DEVICE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                                                           __nv_fp8_interpretation_t kind) {
  return cuda_emulator::to_fp8(__half2float(__half(x)), saturation, kind);
}
EMULATOR_DEVICE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                               __nv_saturation_t saturation,
                                                               __nv_fp8_interpretation_t kind) {
  return cuda_emulator::to_fp8(__bfloat162float(__nv_bfloat16(x)), saturation, kind);
}
/// Every one of them is a half.
EMULATOR_DEVICE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half_raw(__float2half(cuda_emulator::from_fp8(x, kind)));
}
EMULATOR_DEVICE __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation,
                                                              __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(cuda_emulator::to_fp8(x.x, saturation, kind) |
                                           cuda_emulator::to_fp8(x.y, saturation, kind) << 8);
}
EMULATOR_DEVICE __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturation,
                                                               __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(cuda_emulator::to_fp8(x.x, saturation, kind) |
                                           cuda_emulator::to_fp8(x.y, saturation, kind) << 8);
}
EMULATOR_DEVICE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                       __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), kind).x,
          __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), kind).x};
}

// An integer goes through a double: what that rounds is beyond the largest number.
#define EMULATOR_FP8_INTEGER(T, type)               \
  explicit T(type x) : T(static_cast<double>(x)) {} \
  explicit operator type() const { return cuda_emulator::saturated<type>(float(*this)); }
#define EMULATOR_FP8(T, T2, T4, KIND)                                                                     \
  struct T {                                                                                              \
    __nv_fp8_storage_t __x;                                                                               \
    T() = default;                                                                                        \
    explicit T(double x) : __x(cuda_emulator::to_fp8(x, __NV_SATFINITE, KIND)) {}                         \
    explicit T(float x) : __x(cuda_emulator::to_fp8(x, __NV_SATFINITE, KIND)) {}                          \
    EMULATOR_FP8_INTEGER(T, short)                                                                        \
    EMULATOR_FP8_INTEGER(T, unsigned short)                                                               \
    EMULATOR_FP8_INTEGER(T, int)                                                                          \
    EMULATOR_FP8_INTEGER(T, unsigned)                                                                     \
    EMULATOR_FP8_INTEGER(T, long)                                                                         \
    EMULATOR_FP8_INTEGER(T, unsigned long)                                                                \
    EMULATOR_FP8_INTEGER(T, long long)                                                                    \
    EMULATOR_FP8_INTEGER(T, unsigned long long)                                                           \
    explicit T(__half x) : T(__half2float(x)) {}                                                          \
    explicit T(__nv_bfloat16 x) : T(__bfloat162float(x)) {}                                               \
    explicit operator float() const { return cuda_emulator::from_fp8(__x, KIND); }                        \
    explicit operator double() const { return cuda_emulator::from_fp8(__x, KIND); }                       \
    explicit operator __half() const { return __float2half(float(*this)); }                               \
    explicit operator __nv_bfloat16() const { return __float2bfloat16(float(*this)); }                    \
    explicit operator signed char() const { return cuda_emulator::saturated<signed char>(float(*this)); } \
    explicit operator unsigned char() const {                                                             \
      return cuda_emulator::saturated<unsigned char>(float(*this));                                       \
    }                                                                                                     \
    explicit operator char() const { return cuda_emulator::saturated<char>(float(*this)); }               \
    explicit operator bool() const { return (__x & 0x7f) != 0; }                                          \
  };                                                                                                      \
  struct alignas(2) T2 {                                                                                  \
    __nv_fp8x2_storage_t __x;                                                                             \
    T2() = default;                                                                                       \
    explicit T2(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, KIND)) {}                     \
    explicit T2(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, KIND)) {}                   \
    explicit T2(__half2 x) : T2(__half22float2(x)) {}                                                     \
    explicit T2(__nv_bfloat162 x) : T2(__bfloat1622float2(x)) {}                                          \
    explicit operator float2() const {                                                                    \
      return {cuda_emulator::from_fp8(static_cast<__nv_fp8_storage_t>(__x), KIND),                        \
              cuda_emulator::from_fp8(static_cast<__nv_fp8_storage_t>(__x >> 8), KIND)};                  \
    }                                                                                                     \
    explicit operator __half2() const { return __float22half2_rn(float2(*this)); }                        \
  };                                                                                                      \
  struct alignas(4) T4 {                                                                                  \
    __nv_fp8x4_storage_t __x;                                                                             \
    T4() = default;                                                                                       \
    explicit T4(float4 x)                                                                                 \
        : __x(T2(float2{x.x, x.y}).__x | static_cast<unsigned>(T2(float2{x.z, x.w}).__x) << 16) {}        \
    explicit T4(double4 x)                                                                                \
        : __x(T2(double2{x.x, x.y}).__x | static_cast<unsigned>(T2(double2{x.z, x.w}).__x) << 16) {}      \
    T4(__half2 low, __half2 high) : __x(T2(low).__x | static_cast<unsigned>(T2(high).__x) << 16) {}       \
    T4(__nv_bfloat162 low, __nv_bfloat162 high)                                                           \
        : __x(T2(low).__x | static_cast<unsigned>(T2(high).__x) << 16) {}                                 \
    explicit operator float4() const {                                                                    \
      T2 low, high;                                                                                       \
      low.__x = static_cast<__nv_fp8x2_storage_t>(__x);                                                   \
      high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                                            \
      return {float2(low).x, float2(low).y, float2(high).x, float2(high).y};                              \
    }                                                                                                     \
  }
EMULATOR_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3);
EMULATOR_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2);
#undef EMULATOR_FP8
#undef EMULATOR_FP8_INTEGER
