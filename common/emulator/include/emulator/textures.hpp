// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Reading through texture objects: tex1Dfetch<T>(), tex1D<T>(), tex2D<T>() and tex3D<T>(), each also in the
/// form that stores through a pointer. What a fetch returns is worked out in
/// source/kernel_calls/texture_fetch.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "channel_descriptor.h"
#include "export.hpp"

namespace cuda_emulator {

/// What a kernel wants from a fetch, or gets: components of this kind and size.
struct texel_type {
  std::uint8_t kind;   ///< cudaChannelFormatKind: Signed, Unsigned or Float.
  std::uint8_t bytes;  ///< of one component
  std::uint8_t components;
};

/// Four components of 32 bits; the first one in the lower half of `low`.
struct texel_bits {
  std::uint64_t low, high;
};

EMULATOR_API texel_bits fetch_element(cudaTextureObject_t texture, int x, texel_type wanted);
EMULATOR_API texel_bits fetch_texel(cudaTextureObject_t texture, int dimensions, float x, float y, float z,
                                    texel_type wanted);

template <class T>
constexpr texel_type texel_type_of() {
  using traits = texel_traits<T>;
  static_assert(
      traits::components != 0,
      "a texture is read as char, short, int (signed or unsigned) or float, or as a vector of one, two "
      "or four of these");
  if constexpr (traits::components != 0)
    return {channel_kind<typename traits::component>, sizeof(typename traits::component), traits::components};
  else
    return {};
}

template <class C>
EMULATOR_DEVICE C texel_component(std::uint64_t both, int shift) {
  const auto bits = static_cast<std::uint32_t>(both >> shift);
  if constexpr (channel_kind<C> == cudaChannelFormatKindFloat)
    return __builtin_bit_cast(float, bits);
  else
    return static_cast<C>(bits);
}

template <class T>
EMULATOR_DEVICE T as_texel(const texel_bits bits) {
  using C = typename texel_traits<T>::component;
  if constexpr (texel_traits<T>::components == 4)
    return T{texel_component<C>(bits.low, 0), texel_component<C>(bits.low, 32),
             texel_component<C>(bits.high, 0), texel_component<C>(bits.high, 32)};
  else if constexpr (texel_traits<T>::components == 2)
    return T{texel_component<C>(bits.low, 0), texel_component<C>(bits.low, 32)};
  else
    return T{texel_component<C>(bits.low, 0)};
}

template <class T>
constexpr bool not_emulated = false;

}  // namespace cuda_emulator

/// Element x of linear memory; outside of it 0. Neither filtered nor normalized coordinates.
template <class T>
EMULATOR_DEVICE T tex1Dfetch(cudaTextureObject_t texture, int x) {
  return cuda_emulator::as_texel<T>(
      cuda_emulator::fetch_element(texture, x, cuda_emulator::texel_type_of<T>()));
}
/// From a one-dimensional array.
template <class T>
EMULATOR_DEVICE T tex1D(cudaTextureObject_t texture, float x) {
  return cuda_emulator::as_texel<T>(
      cuda_emulator::fetch_texel(texture, 1, x, 0, 0, cuda_emulator::texel_type_of<T>()));
}
/// From a two-dimensional array or from rows in linear memory. Texel (i, j) has its center at (i + 0.5,
/// j + 0.5).
template <class T>
EMULATOR_DEVICE T tex2D(cudaTextureObject_t texture, float x, float y) {
  return cuda_emulator::as_texel<T>(
      cuda_emulator::fetch_texel(texture, 2, x, y, 0, cuda_emulator::texel_type_of<T>()));
}
/// From a three-dimensional array.
template <class T>
EMULATOR_DEVICE T tex3D(cudaTextureObject_t texture, float x, float y, float z) {
  return cuda_emulator::as_texel<T>(
      cuda_emulator::fetch_texel(texture, 3, x, y, z, cuda_emulator::texel_type_of<T>()));
}

template <class T>
EMULATOR_DEVICE void tex1Dfetch(T* result, cudaTextureObject_t texture, int x) {
  *result = tex1Dfetch<T>(texture, x);
}
template <class T>
EMULATOR_DEVICE void tex1D(T* result, cudaTextureObject_t texture, float x) {
  *result = tex1D<T>(texture, x);
}
template <class T>
EMULATOR_DEVICE void tex2D(T* result, cudaTextureObject_t texture, float x, float y) {
  *result = tex2D<T>(texture, x, y);
}
template <class T>
EMULATOR_DEVICE void tex3D(T* result, cudaTextureObject_t texture, float x, float y, float z) {
  *result = tex3D<T>(texture, x, y, z);
}

// What CUDA has beyond these: said at once, and not as "not declared".
#define EMULATOR_REFUSE(name)                                        \
  template <class T, class... Arguments>                             \
  EMULATOR_DEVICE T name(Arguments...) {                             \
    static_assert(cuda_emulator::not_emulated<T>, #name              \
                  "() is not emulated: of texture functions there "  \
                  "are tex1Dfetch(), tex1D(), tex2D() and tex3D()"); \
    return T();                                                      \
  }                                                                  \
  template <class T, class... Arguments>                             \
  EMULATOR_DEVICE void name(T*, cudaTextureObject_t, Arguments...) { \
    static_assert(cuda_emulator::not_emulated<T>, #name              \
                  "() is not emulated: of texture functions there "  \
                  "are tex1Dfetch(), tex1D(), tex2D() and tex3D()"); \
  }
EMULATOR_REFUSE(tex1DLod)
EMULATOR_REFUSE(tex1DGrad)
EMULATOR_REFUSE(tex1DLayered)
EMULATOR_REFUSE(tex1DLayeredLod)
EMULATOR_REFUSE(tex1DLayeredGrad)
EMULATOR_REFUSE(tex2DLod)
EMULATOR_REFUSE(tex2DGrad)
EMULATOR_REFUSE(tex2DLayered)
EMULATOR_REFUSE(tex2DLayeredLod)
EMULATOR_REFUSE(tex2DLayeredGrad)
EMULATOR_REFUSE(tex2Dgather)
EMULATOR_REFUSE(tex3DLod)
EMULATOR_REFUSE(tex3DGrad)
EMULATOR_REFUSE(texCubemap)
EMULATOR_REFUSE(texCubemapLod)
EMULATOR_REFUSE(texCubemapGrad)
EMULATOR_REFUSE(texCubemapLayered)
EMULATOR_REFUSE(texCubemapLayeredLod)
EMULATOR_REFUSE(texCubemapLayeredGrad)
#undef EMULATOR_REFUSE
#define EMULATOR_REFUSE(name)                                              \
  template <class T, class... Arguments>                                   \
  EMULATOR_DEVICE T name##read(cudaSurfaceObject_t, Arguments...) {        \
    static_assert(cuda_emulator::not_emulated<T>, #name                    \
                  "read() is not emulated: surfaces have one, two or "     \
                  "three dimensions here");                                \
    return T();                                                            \
  }                                                                        \
  template <class T, class... Arguments>                                   \
  EMULATOR_DEVICE void name##read(T*, cudaSurfaceObject_t, Arguments...) { \
    static_assert(cuda_emulator::not_emulated<T>, #name                    \
                  "read() is not emulated: surfaces have one, two or "     \
                  "three dimensions here");                                \
  }                                                                        \
  template <class T, class... Arguments>                                   \
  EMULATOR_DEVICE void name##write(T, cudaSurfaceObject_t, Arguments...) { \
    static_assert(cuda_emulator::not_emulated<T>, #name                    \
                  "write() is not emulated: surfaces have one, two or "    \
                  "three dimensions here");                                \
  }
EMULATOR_REFUSE(surf1DLayered)
EMULATOR_REFUSE(surf2DLayered)
EMULATOR_REFUSE(surfCubemap)
EMULATOR_REFUSE(surfCubemapLayered)
#undef EMULATOR_REFUSE

// Surfaces: x counts bytes. The access itself is one of the kernel's, and checked like all others.
namespace cuda_emulator {
/// Where an element of the surface lies; null where it is outside and counts as zero.
EMULATOR_API void* surface_element(cudaSurfaceObject_t surface, int dimensions, int x, int y, int z,
                                   unsigned bytes, cudaSurfaceBoundaryMode mode);
template <class T>
EMULATOR_DEVICE T surface_read(cudaSurfaceObject_t surface, int dimensions, int x, int y, int z,
                               cudaSurfaceBoundaryMode mode) {
  const void* const element = surface_element(surface, dimensions, x, y, z, sizeof(T), mode);
  return element == nullptr ? T() : *static_cast<const T*>(element);
}
template <class T>
EMULATOR_DEVICE void surface_write(T value, cudaSurfaceObject_t surface, int dimensions, int x, int y, int z,
                                   cudaSurfaceBoundaryMode mode) {
  void* const element = surface_element(surface, dimensions, x, y, z, sizeof(T), mode);
  if (element != nullptr) *static_cast<T*>(element) = value;
}
}  // namespace cuda_emulator

#define EMULATOR_SURFACE(n, PLACE, x, y, z)                                                          \
  template <class T>                                                                                 \
  EMULATOR_DEVICE T surf##n##Dread(cudaSurfaceObject_t surface, EMULATOR_UNPACK PLACE,               \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    return cuda_emulator::surface_read<T>(surface, n, x, y, z, mode);                                \
  }                                                                                                  \
  template <class T>                                                                                 \
  EMULATOR_DEVICE void surf##n##Dread(T* result, cudaSurfaceObject_t surface, EMULATOR_UNPACK PLACE, \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
    *result = cuda_emulator::surface_read<T>(surface, n, x, y, z, mode);                             \
  }                                                                                                  \
  template <class T>                                                                                 \
  EMULATOR_DEVICE void surf##n##Dwrite(T value, cudaSurfaceObject_t surface, EMULATOR_UNPACK PLACE,  \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
    cuda_emulator::surface_write<T>(value, surface, n, x, y, z, mode);                               \
  }
#define EMULATOR_UNPACK(...) __VA_ARGS__
EMULATOR_SURFACE(1, (int x), x, 0, 0)
EMULATOR_SURFACE(2, (int x, int y), x, y, 0)
EMULATOR_SURFACE(3, (int x, int y, int z), x, y, z)
#undef EMULATOR_SURFACE
#undef EMULATOR_UNPACK
