// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// CUDA's vector types with CUDA's sizes and alignments.
#pragma once

// In kernel files an assignment is one access, as on a GPU, also where g++ would rather build the new value
// in place, element by element (v[i] = make_float4(...)).
#ifdef __CUDACC__
#define EMULATOR_ASSIGN(type, T, size, ...)                                                        \
  typedef T emulator_whole __attribute__((vector_size(size), may_alias));                          \
  constexpr type& operator=(const type& other) {                                                   \
    if (__builtin_is_constant_evaluated()) {                                                       \
      __VA_ARGS__;                                                                                 \
    } else {                                                                                       \
      *reinterpret_cast<emulator_whole*>(this) = *reinterpret_cast<const emulator_whole*>(&other); \
    }                                                                                              \
    return *this;                                                                                  \
  }
#else
#define EMULATOR_ASSIGN(type, T, size, ...)
#endif

// clang-format off
#define EMULATOR_VECTOR_1(name, T)           struct name##1 { T x; }
#define EMULATOR_VECTOR_2(name, T, align)                              \
  struct __attribute__((aligned(align))) name##2 {                     \
    T x, y;                                                            \
    EMULATOR_ASSIGN(name##2, T, 2 * sizeof(T), x = other.x, y = other.y) \
  }
#define EMULATOR_VECTOR_3(name, T)           struct name##3 { T x, y, z; }
#define EMULATOR_VECTOR_4(name, T, align)    struct __attribute__((aligned(align))) name##4 { T x, y, z, w; }
// What a GPU moves in one access has at most 16 bytes.
#define EMULATOR_VECTOR_WHOLE_4(name, T, align)                        \
  struct __attribute__((aligned(align))) name##4 {                     \
    T x, y, z, w;                                                      \
    EMULATOR_ASSIGN(name##4, T, 4 * sizeof(T), x = other.x, y = other.y, z = other.z, w = other.w) \
  }
#define EMULATOR_NAMED(name) \
  typedef struct name##1 name##1; typedef struct name##2 name##2; \
  typedef struct name##3 name##3; typedef struct name##4 name##4
#define EMULATOR_VECTORS(name, T, align2, align4) \
  EMULATOR_VECTOR_1(name, T); EMULATOR_VECTOR_2(name, T, align2); \
  EMULATOR_VECTOR_3(name, T); EMULATOR_VECTOR_WHOLE_4(name, T, align4); EMULATOR_NAMED(name)
#define EMULATOR_WIDE_VECTORS(name, T) \
  EMULATOR_VECTOR_1(name, T); EMULATOR_VECTOR_2(name, T, 16); \
  EMULATOR_VECTOR_3(name, T); EMULATOR_VECTOR_4(name, T, 16); EMULATOR_NAMED(name)

EMULATOR_VECTORS(char,      signed char,         2,  4);
EMULATOR_VECTORS(uchar,     unsigned char,       2,  4);
EMULATOR_VECTORS(short,     short,               4,  8);
EMULATOR_VECTORS(ushort,    unsigned short,      4,  8);
EMULATOR_VECTORS(int,       int,                 8, 16);
EMULATOR_VECTORS(uint,      unsigned int,        8, 16);
EMULATOR_WIDE_VECTORS(long, long);
EMULATOR_WIDE_VECTORS(ulong, unsigned long);
EMULATOR_WIDE_VECTORS(longlong, long long);
EMULATOR_WIDE_VECTORS(ulonglong, unsigned long long);
EMULATOR_VECTORS(float,     float,               8, 16);
EMULATOR_WIDE_VECTORS(double, double);
// clang-format on

/// Extents of a grid or a block; what is not given is 1.
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
