// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Half precision: 1 bit of sign, 5 of exponent, 10 of fraction.
#pragma once

#include <cuda_runtime.h>

#include "emulator/math/small_floats.hpp"

EMULATOR_SMALL_TYPE(__half, __half2, __half_raw, __half2_raw, half, __nv_bfloat16)
__half_raw emulator_raw(__half);
EMULATOR_SMALL_FUNCTIONS(__half, __half2)
EMULATOR_SMALL_CONVERSIONS(__half, __half2, __half_raw, half, half, half2)
EMULATOR_DEVICE float2 __half22float2(__half2 v) { return __half22float2_emulated(v); }
#ifdef __CUDACC__
EMULATOR_SMALL_ATOMICS(__half, __half2, __half_raw)
#endif

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
