// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// CUDA's complex numbers for C: pairs x + y i, and arithmetic as functions.
#pragma once

#include <math.h>

#include "host_defines.h"
#include "vector_functions.h"
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// Kernel files: the translator takes the words of CUDA away; the functions are inlined and so each access
// counts.
#define EMULATOR_BOTH __host__ __device__ static inline
#define EMULATOR_COMPLEX(complex, real, f, make, root)                                         \
  EMULATOR_BOTH real cuCreal##f(complex z) { return z.x; }                                     \
  EMULATOR_BOTH real cuCimag##f(complex z) { return z.y; }                                     \
  EMULATOR_BOTH complex cuConj##f(complex z) { return make(z.x, -z.y); }                       \
  EMULATOR_BOTH complex cuCadd##f(complex a, complex b) { return make(a.x + b.x, a.y + b.y); } \
  EMULATOR_BOTH complex cuCsub##f(complex a, complex b) { return make(a.x - b.x, a.y - b.y); } \
  EMULATOR_BOTH complex cuCmul##f(complex a, complex b) {                                      \
    return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
  }                                                                                            \
  EMULATOR_BOTH complex cuCdiv##f(complex a, complex b) {                                      \
    const real scale = 1 / (b.x * b.x + b.y * b.y);                                            \
    return make((a.x * b.x + a.y * b.y) * scale, (a.y * b.x - a.x * b.y) * scale);             \
  }                                                                                            \
  EMULATOR_BOTH real cuCabs##f(complex z) { return root(z.x, z.y); }                           \
  EMULATOR_BOTH complex cuCfma##f(complex a, complex b, complex c) { return cuCadd##f(cuCmul##f(a, b), c); }

EMULATOR_BOTH cuFloatComplex make_cuFloatComplex(float x, float y) { return make_float2(x, y); }
EMULATOR_BOTH cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
EMULATOR_BOTH cuDoubleComplex make_cuDoubleComplex(double x, double y) { return make_double2(x, y); }
EMULATOR_COMPLEX(cuFloatComplex, float, f, make_float2, hypotf)
EMULATOR_COMPLEX(cuDoubleComplex, double, , make_double2, hypot)

EMULATOR_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_double2(z.x, z.y); }
EMULATOR_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_float2(static_cast<float>(z.x), static_cast<float>(z.y));
}
#undef EMULATOR_COMPLEX
#undef EMULATOR_BOTH
