// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the elements of arrays and textures consist of: one, two or four components of 8, 16 or 32 bits.
#pragma once

#include "cuda_runtime_api.h"
#include "vector_types.h"

namespace cuda_emulator {

/// For each type that a texture can hold: its component, and how many there are. 0 for all other types.
template <class T>
struct texel_traits {
  using component = void;
  static constexpr int components = 0;
};
// clang-format off
#define EMULATOR_TEXEL(T, C, n) \
  template <> struct texel_traits<T> { using component = C; static constexpr int components = n; };
#define EMULATOR_TEXELS(C, name) \
  EMULATOR_TEXEL(C, C, 1) \
  EMULATOR_TEXEL(name##1, C, 1) EMULATOR_TEXEL(name##2, C, 2) EMULATOR_TEXEL(name##4, C, 4)
EMULATOR_TEXEL(char, char, 1)
EMULATOR_TEXELS(signed char, char)
EMULATOR_TEXELS(unsigned char, uchar)
EMULATOR_TEXELS(short, short)
EMULATOR_TEXELS(unsigned short, ushort)
EMULATOR_TEXELS(int, int)
EMULATOR_TEXELS(unsigned int, uint)
EMULATOR_TEXELS(float, float)
// clang-format on
#undef EMULATOR_TEXELS
#undef EMULATOR_TEXEL

template <class C>
constexpr cudaChannelFormatKind channel_kind = C(0.5f) != C(0) ? cudaChannelFormatKindFloat
                                               : C(-1) < C(0)  ? cudaChannelFormatKindSigned
                                                               : cudaChannelFormatKindUnsigned;

}  // namespace cuda_emulator

/// Of numbers of 16 bits, which a fetch returns as float.
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}

/// The description of elements of type T; cudaChannelFormatKindNone where textures cannot hold them.
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using traits = cuda_emulator::texel_traits<T>;
  if constexpr (traits::components == 0) {
    return {0, 0, 0, 0, cudaChannelFormatKindNone};
  } else {
    constexpr int bits = static_cast<int>(8 * sizeof(typename traits::component));
    constexpr int n = traits::components;
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
            cuda_emulator::channel_kind<typename traits::component>};
  }
}
