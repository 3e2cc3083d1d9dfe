// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// bfloat16: 1 bit of sign, 8 of exponent, 7 of fraction: the upper half of a float.
#pragma once

#include <cuda_runtime.h>

#include "cuda_fp16.h"
#include "emulator/math/small_floats.hpp"

EMULATOR_SMALL_TYPE(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __nv_bfloat162_raw, bfloat, __half)
__nv_bfloat16_raw emulator_raw(__nv_bfloat16);
EMULATOR_SMALL_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
EMULATOR_SMALL_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, bfloat, bfloat16, bfloat162)
EMULATOR_DEVICE float2 __bfloat1622float2(__nv_bfloat162 v) { return __bfloat1622float2_emulated(v); }
#ifdef __CUDACC__
EMULATOR_SMALL_ATOMICS(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw)
#endif

inline __half::__half(const __nv_bfloat16& other) : __half(other.emulator_value()) {}
inline __nv_bfloat16::__nv_bfloat16(const __half& other) : __nv_bfloat16(other.emulator_value()) {}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
