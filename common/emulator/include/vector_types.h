// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// CUDA's vector types with CUDA's sizes and alignments.
#pragma once

// clang-format off
#define EMULATOR_VECTOR_1(name, T)           struct name##1 { T x; }
#define EMULATOR_VECTOR_2(name, T, align)    struct __attribute__((aligned(align))) name##2 { T x, y; }
#define EMULATOR_VECTOR_3(name, T)           struct name##3 { T x, y, z; }
#define EMULATOR_VECTOR_4(name, T, align)    struct __attribute__((aligned(align))) name##4 { T x, y, z, w; }
#define EMULATOR_VECTORS(name, T, align2, align4) \
  EMULATOR_VECTOR_1(name, T); EMULATOR_VECTOR_2(name, T, align2); \
  EMULATOR_VECTOR_3(name, T); EMULATOR_VECTOR_4(name, T, align4)

EMULATOR_VECTORS(char,      signed char,         2,  4);
EMULATOR_VECTORS(uchar,     unsigned char,       2,  4);
EMULATOR_VECTORS(short,     short,               4,  8);
EMULATOR_VECTORS(ushort,    unsigned short,      4,  8);
EMULATOR_VECTORS(int,       int,                 8, 16);
EMULATOR_VECTORS(uint,      unsigned int,        8, 16);
EMULATOR_VECTORS(long,      long,               16, 16);
EMULATOR_VECTORS(ulong,     unsigned long,      16, 16);
EMULATOR_VECTORS(longlong,  long long,          16, 16);
EMULATOR_VECTORS(ulonglong, unsigned long long, 16, 16);
EMULATOR_VECTORS(float,     float,               8, 16);
EMULATOR_VECTORS(double,    double,             16, 16);
// clang-format on

/// Extents of a grid or a block; what is not given is 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
