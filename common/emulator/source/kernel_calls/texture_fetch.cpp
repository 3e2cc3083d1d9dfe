// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a fetch returns: the formulas of the CUDA C++ Programming Guide, appendix "Texture Fetching".
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "memory/textures.hpp"
#include "run/worker.hpp"

namespace cuda_emulator {
namespace {

constexpr std::int64_t outside = -1;

/// The texel that stands for number i of 0 .. size - 1, or `outside`: then it is the border.
std::int64_t inside(std::int64_t i, std::int64_t size, cudaTextureAddressMode mode) {
  if (i >= 0 && i < size) return i;
  switch (mode) {
    case cudaAddressModeClamp:
      return i < 0 ? 0 : size - 1;
    case cudaAddressModeWrap:
      return (i % size + size) % size;
    case cudaAddressModeMirror: {
      const std::int64_t in_pair = (i % (2 * size) + 2 * size) % (2 * size);
      return in_pair < size ? in_pair : 2 * size - 1 - in_pair;
    }
    case cudaAddressModeBorder:
      break;
  }
  return outside;
}

/// A coordinate in texels. Where it lies so far away that the number of its texel would not fit, another one
/// is taken that means the same. NaN counts as 0.
double in_texels(float coordinate, std::int64_t size, bool normalized, cudaTextureAddressMode mode) {
  constexpr double far = 1 << 20;
  double x = static_cast<double>(coordinate);
  if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)
    if (std::fabs(x) > far) x -= 2 * std::floor(x / 2);
  if (std::isnan(x)) return 0;
  if (normalized) x *= static_cast<double>(size);
  return std::clamp(x, -0x1p40, 0x1p40);
}

/// One axis of a fetch: one texel, or two and the weight of the second.
struct taps {
  std::int64_t texel[2];
  double weight;  // of texel[1]
  double at;      // the coordinate, in texels
};

taps taps_of(const texture& t, int axis, float coordinate) {
  const std::int64_t size = t.size[axis];
  const cudaTextureAddressMode mode = t.address[axis];
  const double x = in_texels(coordinate, size, t.description.normalizedCoords != 0, mode);
  if (t.description.filterMode == cudaFilterModePoint)
    return {{inside(static_cast<std::int64_t>(std::floor(x)), size, mode), outside}, 0, x};
  // The centers of texels are at i + 0.5. The weight has 8 bits behind the point, one before it: it can be 1.
  const double from_center = x - 0.5, below = std::floor(from_center);
  const auto i = static_cast<std::int64_t>(below);
  return {{inside(i, size, mode), inside(i + 1, size, mode)},
          std::floor((from_center - below) * 256 + 0.5) / 256,
          x};
}

/// The other axis where there is one dimension. An H200 reads such an array like one of two dimensions at
/// y = 0, on the edge of its only row: with linear filtering a border on that axis makes half of the result.
taps single_row(const texture& t) {
  if (t.address[1] == cudaAddressModeBorder && t.description.filterMode == cudaFilterModeLinear)
    return {{outside, 0}, 0.5, 0.5};
  return {{0, 0}, 0, 0.5};
}

/// Component c of an element as it lies in memory, with its sign.
template <class T>
T component_at(const char* element, int c) {
  T value;
  std::memcpy(&value, element + static_cast<std::size_t>(c) * sizeof value, sizeof value);
  return value;
}

std::uint32_t integer_component(const char* element, int c, const texel_type& type) {
  const bool is_signed = type.kind == cudaChannelFormatKindSigned;
  switch (type.bytes) {
    case 1:
      return is_signed ? static_cast<std::uint32_t>(component_at<std::int8_t>(element, c))
                       : component_at<std::uint8_t>(element, c);
    case 2:
      return is_signed ? static_cast<std::uint32_t>(component_at<std::int16_t>(element, c))
                       : component_at<std::uint16_t>(element, c);
    default:
      return component_at<std::uint32_t>(element, c);
  }
}

/// The largest number that a component can hold.
double largest(const texel_type& type) {
  return std::exp2(8 * type.bytes - (type.kind == cudaChannelFormatKindSigned ? 1 : 0)) - 1;
}

/// A number of 16 bits: 5 of exponent, 10 behind the point.
float half_component(const char* element, int c) {
  const auto bits = component_at<std::uint16_t>(element, c);
  const int exponent = bits >> 10 & 31;
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 15) << 31, fraction = bits & 1023u;
  if (exponent == 0)
    return std::bit_cast<float>(sign | 0x3f800000u) * std::ldexp(static_cast<float>(fraction), -24);
  const std::uint32_t wide = exponent == 31 ? 255u : static_cast<std::uint32_t>(exponent) + 112u;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

float float_component(const char* element, int c, const texel_type& type) {
  return type.bytes == 2 ? half_component(element, c) : component_at<float>(element, c);
}

/// As a number: in [0, 1] or [-1, 1] where it is an integer, but for the least one, which lies below -1.
double number_component(const char* element, int c, const texel_type& type) {
  if (type.kind == cudaChannelFormatKindFloat) return float_component(element, c, type);
  const std::uint32_t bits = integer_component(element, c, type);
  if (type.kind == cudaChannelFormatKindUnsigned) return static_cast<double>(bits) / largest(type);
  return static_cast<double>(static_cast<std::int32_t>(bits)) / largest(type);
}

/// A number that 16 bits can hold, as near to 0 as `color` or nearer.
float half_border(float color) {
  if (std::isnan(color) || std::isinf(color)) return color;
  constexpr float most = 65504;
  if (std::fabs(color) >= most) return std::copysign(most, color);
  // 10 bits behind the first one, and nothing below 2^-24.
  const int last = color == 0 ? 0 : std::max(std::ilogb(color) - 10, -24);
  return std::ldexp(std::trunc(std::ldexp(color, -last)), last);
}

/// The same for the border: its color is one that an element could have (seen on an H200, not documented).
double number_border(float color, const texel_type& type) {
  if (type.kind == cudaChannelFormatKindFloat && type.bytes == 2) return half_border(color);
  if (type.kind == cudaChannelFormatKindFloat || std::isnan(color)) return color;
  const double least = type.kind == cudaChannelFormatKindSigned ? -1 : 0;
  return std::floor(std::clamp(static_cast<double>(color), least, 1.0) * largest(type)) / largest(type);
}

std::uint32_t integer_border(float color, const texel_type& type) {
  const double most = largest(type), least = type.kind == cudaChannelFormatKindSigned ? -most - 1 : 0;
  const double value = std::isnan(color) ? 0 : std::clamp(static_cast<double>(color), least, most);
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

texel_bits packed(const std::uint32_t (&components)[4]) {
  return {components[0] | std::uint64_t{components[1]} << 32,
          components[2] | std::uint64_t{components[3]} << 32};
}

/// The address of a texel, looked at by the checks.
const char* element_at(const texture& t, std::int64_t x, std::int64_t y, std::int64_t z, std::uint64_t pc) {
  const char* const element = t.data + static_cast<std::size_t>(z * t.size[1] + y) * t.pitch +
                              static_cast<std::size_t>(x) * t.element_bytes();
  if (current_observer != nullptr)
    current_observer->fetch(element, t.element_bytes(), {t.handle, x, y, z}, t.may_change, pc);
  return element;
}

void begin(const texture& t, double x, double y, double z) {
  if (current_observer != nullptr) current_observer->begin_fetch(t.handle, {x, y, z});
}

void end(const texture& t, std::uint64_t pc) {
  if (current_observer != nullptr && current_observer->end_fetch(t.element_bytes(), pc))
    current_worker->pause();
}

bool returns_floats(const texture& t) {
  return t.format.kind == cudaChannelFormatKindFloat || t.normalized_read;
}

/// The least of a signed type counts as -1, but only after filtering (seen on an H200).
double as_returned(double value, const texel_type& type) {
  return type.kind == cudaChannelFormatKindSigned ? std::max(-1.0, value) : value;
}

std::uint32_t float_bits(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

/// One texel without filtering; a coordinate `outside`: the border.
texel_bits one_texel(const texture& t, std::int64_t x, std::int64_t y, std::int64_t z, std::uint64_t pc) {
  const bool border = x == outside || y == outside || z == outside;
  const char* const element = border ? nullptr : element_at(t, x, y, z, pc);
  std::uint32_t bits[4] = {};
  for (int c = 0; c < t.format.components; ++c) {
    const float color = t.description.borderColor[c];
    if (!returns_floats(t))
      bits[c] = border ? integer_border(color, t.format) : integer_component(element, c, t.format);
    else if (t.format.kind == cudaChannelFormatKindFloat)  // NaN keeps its bits
      bits[c] = border ? std::bit_cast<std::uint32_t>(t.format.bytes == 2 ? half_border(color) : color)
                : t.format.bytes == 2 ? std::bit_cast<std::uint32_t>(half_component(element, c))
                                      : component_at<std::uint32_t>(element, c);
    else
      bits[c] = float_bits(as_returned(
          border ? number_border(color, t.format) : number_component(element, c, t.format), t.format));
  }
  return packed(bits);
}

/// (1-a)(1-b)(1-c) T[i,j,k] + a(1-b)(1-c) T[i+1,j,k] + ... + abc T[i+1,j+1,k+1], rounded once. An axis that
/// is not there has weight 0.
texel_bits filtered(const texture& t, const taps (&axes)[3], std::uint64_t pc) {
  double sums[4] = {};
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    std::int64_t at[3];
    for (int axis = 0; axis < 3; ++axis) {
      const int which = corner >> axis & 1;
      weight *= which == 0 ? 1 - axes[axis].weight : axes[axis].weight;
      at[axis] = axes[axis].texel[which];
    }
    if (weight == 0) continue;  // not even looked at: it may lie where nobody has written
    const bool border = at[0] == outside || at[1] == outside || at[2] == outside;
    const char* const element = border ? nullptr : element_at(t, at[0], at[1], at[2], pc);
    for (int c = 0; c < t.format.components; ++c)
      sums[c] += weight * (border ? number_border(t.description.borderColor[c], t.format)
                                  : number_component(element, c, t.format));
  }
  std::uint32_t bits[4] = {};
  for (int c = 0; c < t.format.components; ++c) bits[c] = float_bits(as_returned(sums[c], t.format));
  return packed(bits);
}

texel_bits along_axes(const texture& t, const taps (&axes)[3], std::uint64_t pc) {
  begin(t, axes[0].at, axes[1].at, axes[2].at);
  const texel_bits result = t.description.filterMode == cudaFilterModePoint
                                ? one_texel(t, axes[0].texel[0], axes[1].texel[0], axes[2].texel[0], pc)
                                : filtered(t, axes, pc);
  end(t, pc);
  return result;
}

/// Of a cube from -1 to 1: a face and, from -1 to 1, a place on it (the guide's table of cubemap fetches).
struct place_on_cube {
  int face;
  double s, t;
};
struct direction {
  double x, y, z;
};

place_on_cube on_cube(const direction& d) {
  const double x = std::fabs(d.x), y = std::fabs(d.y), z = std::fabs(d.z);
  if (z >= x && z >= y && z > 0)
    return d.z > 0 ? place_on_cube{4, d.x / z, -d.y / z} : place_on_cube{5, -d.x / z, -d.y / z};
  if (y >= x && y > 0)
    return d.y > 0 ? place_on_cube{2, d.x / y, d.z / y} : place_on_cube{3, d.x / y, -d.z / y};
  if (x > 0) return d.x > 0 ? place_on_cube{0, -d.z / x, -d.y / x} : place_on_cube{1, d.z / x, -d.y / x};
  return {4, 0, 0};  // no direction, or no number
}

/// Where a place lies that is beyond one edge of its face: around the edge, as far behind it.
direction folded(const place_on_cube& place) {
  const double s = std::clamp(place.s, -1.0, 1.0), t = std::clamp(place.t, -1.0, 1.0);
  const double depth = 1 - (std::fabs(place.s - s) + std::fabs(place.t - t));
  switch (place.face) {
    case 0:
      return {depth, -t, -s};
    case 1:
      return {-depth, -t, s};
    case 2:
      return {s, depth, t};
    case 3:
      return {s, -depth, -t};
    case 4:
      return {s, -t, depth};
    default:
      return {-s, -t, -depth};
  }
}

/// The texture, if it can be read like this. Else a finding, and null.
const texture* usable(cudaTextureObject_t handle, texture_shape shape, bool linear, const texel_type& wanted,
                      std::uint64_t pc) {
  if (current_observer != nullptr) current_observer->count_fetch();
  const texture* const t = find_texture(handle);
  const char* why = nullptr;
  if (t == nullptr)
    why = "  Usual cause: cudaCreateTextureObject() failed or was forgotten; check what it returns.";
  else if (t->handle != handle || !t->alive)
    why = "  Usual cause: cudaDestroyTextureObject() too early, or an object that was kept too long.";
  else if (linear && !t->linear)
    why = "  tex1Dfetch() reads linear memory only (cudaResourceTypeLinear). Use tex1D() or tex2D() here.";
  else if (!linear && t->linear)
    why = "  Linear memory is read by tex1Dfetch() only.";
  else if (t->shape != shape)
    why = shape <= texture_shape::box && t->shape <= texture_shape::box
              ? "  tex1D() reads arrays of one dimension, tex2D() what has two, tex3D() arrays of three."
              : "  tex1DLayered() and tex2DLayered() read arrays of layers (cudaArrayLayered), texCubemap() "
                "cubemaps\n  (cudaArrayCubemap), and only these do.";
  else if (returns_floats(*t) != (wanted.kind == cudaChannelFormatKindFloat))
    why = returns_floats(*t)
              ? "  This texture returns floating-point numbers: ask for float, float2 or float4."
              : "  This texture returns integers. To get floating-point numbers in [0, 1] or [-1, 1], "
                "make it with\n  cudaReadModeNormalizedFloat.";
  else if (wanted.components > t->format.components)
    why = "  Its elements have fewer components than the fetch asks for.";
  else if (!returns_floats(*t) && wanted.bytes < t->format.bytes)
    why = "  Its elements are wider than what the fetch asks for.";
  else
    return t;
  if (current_observer != nullptr)
    current_observer->refuse_fetch(finding_kind::wrong_texture, handle, why, pc);
  return nullptr;
}

}  // namespace

texel_bits fetch_element(cudaTextureObject_t handle, int x, texel_type wanted) {
  const auto pc = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
  const texture* const t = usable(handle, texture_shape::line, true, wanted, pc);
  if (t == nullptr) return {0, 0};
  begin(*t, x + 0.5, 0.5, 0.5);
  const texel_bits result = x < 0 || x >= t->size[0] ? texel_bits{0, 0} : one_texel(*t, x, 0, 0, pc);
  end(*t, pc);
  return result;
}

texel_bits fetch_texel(cudaTextureObject_t handle, texture_shape shape, float x, float y, float z,
                       texel_type wanted) {
  const auto pc = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
  const texture* const t = usable(handle, shape, false, wanted, pc);
  if (t == nullptr) return {0, 0};
  return along_axes(*t,
                    {taps_of(*t, 0, x), t->dimensions > 1 ? taps_of(*t, 1, y) : single_row(*t),
                     t->dimensions > 2 ? taps_of(*t, 2, z) : taps{{0, 0}, 0, 0.5}},
                    pc);
}

texel_bits fetch_layer(cudaTextureObject_t handle, texture_shape shape, float x, float y, int layer,
                       texel_type wanted) {
  const auto pc = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
  const texture* const t = usable(handle, shape, false, wanted, pc);
  if (t == nullptr) return {0, 0};
  const std::int64_t slice = std::clamp<std::int64_t>(layer, 0, t->size[2] - 1);
  return along_axes(*t,
                    {taps_of(*t, 0, x),
                     t->dimensions > 1 ? taps_of(*t, 1, y) : single_row(*t),
                     {{slice, slice}, 0, static_cast<double>(slice) + 0.5}},
                    pc);
}

texel_bits fetch_cubemap(cudaTextureObject_t handle, texture_shape shape, float x, float y, float z,
                         int layer, texel_type wanted) {
  const auto pc = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
  const texture* const t = usable(handle, shape, false, wanted, pc);
  if (t == nullptr) return {0, 0};
  const std::int64_t first_face = 6 * std::clamp<std::int64_t>(layer, 0, t->size[2] / 6 - 1);
  const double size = static_cast<double>(t->size[0]);
  const place_on_cube place = on_cube({x, y, z});
  const double at[2] = {(place.s + 1) / 2 * size, (place.t + 1) / 2 * size};
  begin(*t, at[0], at[1], static_cast<double>(first_face + place.face) + 0.5);
  const auto texel = [&](double in_texels) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(in_texels)), 0, t->size[0] - 1);
  };
  texel_bits result{};
  if (t->description.filterMode == cudaFilterModePoint) {
    result = one_texel(*t, texel(at[0]), texel(at[1]), first_face + place.face, pc);
  } else {
    // Neighbors beyond an edge are on the face behind it; at a corner three faces meet, and the fourth
    // neighbor is the mean of the other three.
    const double below[2] = {std::floor(at[0] - 0.5), std::floor(at[1] - 0.5)};
    double weight[2], sums[4] = {}, corner_weight = 0, others[4] = {};
    for (int axis = 0; axis < 2; ++axis)
      weight[axis] = std::floor((at[axis] - 0.5 - below[axis]) * 256 + 0.5) / 256;
    bool at_corner = false;
    for (int k = 0; k < 4; ++k) {
      double s = below[0] + (k & 1), v = below[1] + (k >> 1);
      const double w =
          ((k & 1) != 0 ? weight[0] : 1 - weight[0]) * ((k >> 1) != 0 ? weight[1] : 1 - weight[1]);
      const bool beyond_s = s < 0 || s >= size, beyond_t = v < 0 || v >= size;
      if (beyond_s && beyond_t) {
        at_corner = true;
        corner_weight = w;
        continue;
      }
      place_on_cube neighbor{place.face, (2 * s + 1) / size - 1, (2 * v + 1) / size - 1};
      if (beyond_s || beyond_t) neighbor = on_cube(folded(neighbor));
      const char* const element =
          element_at(*t, texel((neighbor.s + 1) / 2 * size), texel((neighbor.t + 1) / 2 * size),
                     first_face + neighbor.face, pc);
      for (int c = 0; c < t->format.components; ++c) {
        const double value = number_component(element, c, t->format);
        sums[c] += w * value;
        others[c] += value / 3;
      }
    }
    std::uint32_t bits[4] = {};
    for (int c = 0; c < t->format.components; ++c)
      bits[c] = float_bits(as_returned(sums[c] + (at_corner ? corner_weight * others[c] : 0), t->format));
    result = packed(bits);
  }
  end(*t, pc);
  return result;
}

}  // namespace cuda_emulator
