// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// make_float4() and its family.
#pragma once

#include "vector_types.h"

// clang-format off
#define EMULATOR_MAKE(name, T) \
  static inline constexpr name##1 make_##name##1(T x) { return {x}; } \
  static inline constexpr name##2 make_##name##2(T x, T y) { return {x, y}; } \
  static inline constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  static inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

EMULATOR_MAKE(char, signed char)
EMULATOR_MAKE(uchar, unsigned char)
EMULATOR_MAKE(short, short)
EMULATOR_MAKE(ushort, unsigned short)
EMULATOR_MAKE(int, int)
EMULATOR_MAKE(uint, unsigned int)
EMULATOR_MAKE(long, long)
EMULATOR_MAKE(ulong, unsigned long)
EMULATOR_MAKE(longlong, long long)
EMULATOR_MAKE(ulonglong, unsigned long long)
EMULATOR_MAKE(float, float)
EMULATOR_MAKE(double, double)
// clang-format on
#undef EMULATOR_MAKE
