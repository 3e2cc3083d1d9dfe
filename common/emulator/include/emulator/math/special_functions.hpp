// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Real functions that device code has beyond <cmath>, each for float (name ending with f) and double. They
// are computed accurately; a GPU's last bits may differ.
#pragma once

#include <cmath>

#include "emulator/export.hpp"

namespace cuda_emulator {
EMULATOR_API double inverse_erf(double x);
EMULATOR_API double inverse_erfc(double x);
EMULATOR_API double scaled_erfc(double x);
EMULATOR_API double bessel_i(int order, double x);
}  // namespace cuda_emulator

#define EMULATOR_FLOAT_TOO(name)                                                                      \
  EMULATOR_DEVICE float name##f(float x) { return static_cast<float>(name(static_cast<double>(x))); } \
  EMULATOR_DEVICE float name(float x) { return name##f(x); }

// Since C23 a C library may declare functions of these names, too (glibc: sinpi and cospi since 2.41, rsqrt
// since 2.42): where it does, these are its functions to the compiler, so they cannot be static.
#define EMULATOR_OF_C23(name, expression)                                                          \
  extern "C" {                                                                                     \
  EMULATOR_INLINED double name(double x) noexcept { return expression; }                           \
  EMULATOR_INLINED float name##f(float x) noexcept { return static_cast<float>(name(double{x})); } \
  }                                                                                                \
  EMULATOR_DEVICE float name(float x) { return name##f(x); }
EMULATOR_OF_C23(rsqrt, 1.0 / std::sqrt(x))
EMULATOR_OF_C23(sinpi, std::sin(3.14159265358979323846 * std::remainder(x, 2.0)))
EMULATOR_OF_C23(cospi, std::cos(3.14159265358979323846 * std::remainder(x, 2.0)))
#undef EMULATOR_OF_C23

EMULATOR_DEVICE double rcbrt(double x) { return 1.0 / std::cbrt(x); }
EMULATOR_FLOAT_TOO(rcbrt)
EMULATOR_DEVICE void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
EMULATOR_DEVICE void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
EMULATOR_DEVICE void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }

EMULATOR_DEVICE double erfinv(double x) { return cuda_emulator::inverse_erf(x); }
EMULATOR_DEVICE double erfcinv(double x) { return cuda_emulator::inverse_erfc(x); }
EMULATOR_DEVICE double erfcx(double x) { return cuda_emulator::scaled_erfc(x); }
EMULATOR_DEVICE double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }
EMULATOR_DEVICE double normcdfinv(double x) {
  return -1.41421356237309504880 * cuda_emulator::inverse_erfc(2 * x);
}
EMULATOR_DEVICE double cyl_bessel_i0(double x) { return cuda_emulator::bessel_i(0, x); }
EMULATOR_DEVICE double cyl_bessel_i1(double x) { return cuda_emulator::bessel_i(1, x); }
EMULATOR_FLOAT_TOO(erfinv)
EMULATOR_FLOAT_TOO(erfcinv)
EMULATOR_FLOAT_TOO(erfcx)
EMULATOR_FLOAT_TOO(normcdf)
EMULATOR_FLOAT_TOO(normcdfinv)
EMULATOR_FLOAT_TOO(cyl_bessel_i0)
EMULATOR_FLOAT_TOO(cyl_bessel_i1)
#undef EMULATOR_FLOAT_TOO

// Lengths of vectors, and 1 over them. Float is computed with double, in which no square overflows.
EMULATOR_DEVICE double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
EMULATOR_DEVICE double norm4d(double a, double b, double c, double d) {
  return std::hypot(std::hypot(a, b), std::hypot(c, d));
}
EMULATOR_DEVICE double rhypot(double a, double b) { return 1.0 / std::hypot(a, b); }
EMULATOR_DEVICE double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
EMULATOR_DEVICE double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
EMULATOR_DEVICE float norm3df(float a, float b, float c) {
  return static_cast<float>(norm3d(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
}
EMULATOR_DEVICE float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(
      norm4d(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c), static_cast<double>(d)));
}
EMULATOR_DEVICE float rhypotf(float a, float b) {
  return static_cast<float>(rhypot(static_cast<double>(a), static_cast<double>(b)));
}
EMULATOR_DEVICE float rnorm3df(float a, float b, float c) {
  return static_cast<float>(rnorm3d(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
}
EMULATOR_DEVICE float rnorm4df(float a, float b, float c, float d) {
  return static_cast<float>(rnorm4d(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c),
                                    static_cast<double>(d)));
}
EMULATOR_DEVICE double norm(int count, const double* values) {
  double length = 0;
  for (int i = 0; i < count; ++i) length = std::hypot(length, values[i]);
  return length;
}
EMULATOR_DEVICE float normf(int count, const float* values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return static_cast<float>(std::sqrt(sum));
}
EMULATOR_DEVICE double rnorm(int count, const double* values) { return 1.0 / norm(count, values); }
EMULATOR_DEVICE float rnormf(int count, const float* values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return static_cast<float>(1.0 / std::sqrt(sum));
}

EMULATOR_DEVICE float fdividef(float a, float b) { return a / b; }
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
