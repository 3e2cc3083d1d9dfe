// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Reading through texture objects: tex1Dfetch<T>(), tex1D<T>(), tex2D<T>() and tex3D<T>(), each also in the
// form that stores through a pointer. What a fetch returns is worked out in
// source/kernel_calls/texture_fetch.cpp.
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

/// What an array is, and what a fetch wants it to be.
enum class texture_shape : std::uint8_t {
  line,
  plane,
  box,
  layered_line,
  layered_plane,
  cubemap,
  layered_cubemap
};

/// Four components of 32 bits; the first one in the lower half of `low`.
struct texel_bits {
  std::uint64_t low, high;
};

EMULATOR_API texel_bits fetch_element(cudaTextureObject_t texture, int x, texel_type wanted);
EMULATOR_API texel_bits fetch_texel(cudaTextureObject_t texture, texture_shape shape, float x, float y,
                                    float z, texel_type wanted);
EMULATOR_API texel_bits fetch_layer(cudaTextureObject_t texture, texture_shape shape, float x, float y,
                                    int layer, texel_type wanted);
/// In the direction of (x, y, z) from the center of a cube.
EMULATOR_API texel_bits fetch_cubemap(cudaTextureObject_t texture, texture_shape shape, float x, float y,
                                      float z, int layer, texel_type wanted);

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
  return cuda_emulator::as_texel<T>(cuda_emulator::fetch_texel(texture, cuda_emulator::texture_shape::line, x,
                                                               0, 0, cuda_emulator::texel_type_of<T>()));
}
/// From a two-dimensional array or from rows in linear memory. Texel (i, j) has its center at (i + 0.5,
/// j + 0.5).
template <class T>
EMULATOR_DEVICE T tex2D(cudaTextureObject_t texture, float x, float y) {
  return cuda_emulator::as_texel<T>(cuda_emulator::fetch_texel(texture, cuda_emulator::texture_shape::plane,
                                                               x, y, 0, cuda_emulator::texel_type_of<T>()));
}
/// From a three-dimensional array.
template <class T>
EMULATOR_DEVICE T tex3D(cudaTextureObject_t texture, float x, float y, float z) {
  return cuda_emulator::as_texel<T>(cuda_emulator::fetch_texel(texture, cuda_emulator::texture_shape::box, x,
                                                               y, z, cuda_emulator::texel_type_of<T>()));
}
/// From one layer of an array of layers; a layer that is not there means the last one.
template <class T>
EMULATOR_DEVICE T tex1DLayered(cudaTextureObject_t texture, float x, int layer) {
  return cuda_emulator::as_texel<T>(cuda_emulator::fetch_layer(
      texture, cuda_emulator::texture_shape::layered_line, x, 0, layer, cuda_emulator::texel_type_of<T>()));
}
template <class T>
EMULATOR_DEVICE T tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer) {
  return cuda_emulator::as_texel<T>(cuda_emulator::fetch_layer(
      texture, cuda_emulator::texture_shape::layered_plane, x, y, layer, cuda_emulator::texel_type_of<T>()));
}
/// From the face of a cube that the direction (x, y, z) meets.
template <class T>
EMULATOR_DEVICE T texCubemap(cudaTextureObject_t texture, float x, float y, float z) {
  return cuda_emulator::as_texel<T>(cuda_emulator::fetch_cubemap(
      texture, cuda_emulator::texture_shape::cubemap, x, y, z, 0, cuda_emulator::texel_type_of<T>()));
}
template <class T>
EMULATOR_DEVICE T texCubemapLayered(cudaTextureObject_t texture, float x, float y, float z, int layer) {
  return cuda_emulator::as_texel<T>(
      cuda_emulator::fetch_cubemap(texture, cuda_emulator::texture_shape::layered_cubemap, x, y, z, layer,
                                   cuda_emulator::texel_type_of<T>()));
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
template <class T>
EMULATOR_DEVICE void tex1DLayered(T* result, cudaTextureObject_t texture, float x, int layer) {
  *result = tex1DLayered<T>(texture, x, layer);
}
template <class T>
EMULATOR_DEVICE void tex2DLayered(T* result, cudaTextureObject_t texture, float x, float y, int layer) {
  *result = tex2DLayered<T>(texture, x, y, layer);
}
template <class T>
EMULATOR_DEVICE void texCubemap(T* result, cudaTextureObject_t texture, float x, float y, float z) {
  *result = texCubemap<T>(texture, x, y, z);
}
template <class T>
EMULATOR_DEVICE void texCubemapLayered(T* result, cudaTextureObject_t texture, float x, float y, float z,
                                       int layer) {
  *result = texCubemapLayered<T>(texture, x, y, z, layer);
}

// What CUDA has beyond these: said at once, and not as "not declared".
#define EMULATOR_REFUSE(name)                                        \
  template <class T, class... Arguments>                             \
  EMULATOR_DEVICE T name(Arguments...) {                             \
    static_assert(cuda_emulator::not_emulated<T>, #name              \
                  "() is not emulated: of texture functions there "  \
                  "are those without Lod and Grad");                 \
    return T();                                                      \
  }                                                                  \
  template <class T, class... Arguments>                             \
  EMULATOR_DEVICE void name(T*, cudaTextureObject_t, Arguments...) { \
    static_assert(cuda_emulator::not_emulated<T>, #name              \
                  "() is not emulated: of texture functions there "  \
                  "are those without Lod and Grad");                 \
  }
EMULATOR_REFUSE(tex1DLod)
EMULATOR_REFUSE(tex1DGrad)
EMULATOR_REFUSE(tex1DLayeredLod)
EMULATOR_REFUSE(tex1DLayeredGrad)
EMULATOR_REFUSE(tex2DLod)
EMULATOR_REFUSE(tex2DGrad)
EMULATOR_REFUSE(tex2DLayeredLod)
EMULATOR_REFUSE(tex2DLayeredGrad)
EMULATOR_REFUSE(tex2Dgather)
EMULATOR_REFUSE(tex3DLod)
EMULATOR_REFUSE(tex3DGrad)
EMULATOR_REFUSE(texCubemapLod)
EMULATOR_REFUSE(texCubemapGrad)
EMULATOR_REFUSE(texCubemapLayeredLod)
EMULATOR_REFUSE(texCubemapLayeredGrad)
#undef EMULATOR_REFUSE
// Surfaces: x counts bytes. The access itself is one of the kernel's, and checked like all others.
namespace cuda_emulator {
/// Where an element of the surface lies; null where it is outside and counts as zero.
EMULATOR_API void* surface_element(cudaSurfaceObject_t surface, texture_shape shape, int x, int y, int z,
                                   unsigned bytes, cudaSurfaceBoundaryMode mode);
template <class T>
EMULATOR_DEVICE T surface_read(cudaSurfaceObject_t surface, texture_shape shape, int x, int y, int z,
                               cudaSurfaceBoundaryMode mode) {
  const void* const element = surface_element(surface, shape, x, y, z, sizeof(T), mode);
  return element == nullptr ? T() : *static_cast<const T*>(element);
}
template <class T>
EMULATOR_DEVICE void surface_write(T value, cudaSurfaceObject_t surface, texture_shape shape, int x, int y,
                                   int z, cudaSurfaceBoundaryMode mode) {
  void* const element = surface_element(surface, shape, x, y, z, sizeof(T), mode);
  if (element != nullptr) *static_cast<T*>(element) = value;
}
}  // namespace cuda_emulator

#define EMULATOR_SURFACE(name, shape, PLACE, x, y, z)                                                      \
  template <class T>                                                                                       \
  EMULATOR_DEVICE T surf##name##read(cudaSurfaceObject_t surface, EMULATOR_UNPACK PLACE,                   \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    return cuda_emulator::surface_read<T>(surface, cuda_emulator::texture_shape::shape, x, y, z, mode);    \
  }                                                                                                        \
  template <class T>                                                                                       \
  EMULATOR_DEVICE void surf##name##read(T* result, cudaSurfaceObject_t surface, EMULATOR_UNPACK PLACE,     \
                                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
    *result = cuda_emulator::surface_read<T>(surface, cuda_emulator::texture_shape::shape, x, y, z, mode); \
  }                                                                                                        \
  template <class T>                                                                                       \
  EMULATOR_DEVICE void surf##name##write(T value, cudaSurfaceObject_t surface, EMULATOR_UNPACK PLACE,      \
                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    cuda_emulator::surface_write<T>(value, surface, cuda_emulator::texture_shape::shape, x, y, z, mode);   \
  }
#define EMULATOR_UNPACK(...) __VA_ARGS__
EMULATOR_SURFACE(1D, line, (int x), x, 0, 0)
EMULATOR_SURFACE(2D, plane, (int x, int y), x, y, 0)
EMULATOR_SURFACE(3D, box, (int x, int y, int z), x, y, z)
EMULATOR_SURFACE(1DLayered, layered_line, (int x, int layer), x, 0, layer)
EMULATOR_SURFACE(2DLayered, layered_plane, (int x, int y, int layer), x, y, layer)
EMULATOR_SURFACE(Cubemap, cubemap, (int x, int y, int face), x, y, face)
EMULATOR_SURFACE(CubemapLayered, layered_cubemap, (int x, int y, int layer_and_face), x, y, layer_and_face)
#undef EMULATOR_SURFACE
#undef EMULATOR_UNPACK
