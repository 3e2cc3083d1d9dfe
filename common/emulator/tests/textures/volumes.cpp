// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Three dimensions, and numbers of 16 bits, against the formulas of CUDA's guide.
#include <cstdint>
#include <type_traits>

#include "texture_test.hpp"

namespace {

/// A number of 16 bits: sign, 5 bits of exponent, 10 behind the point.
struct half {
  std::uint16_t bits;

  explicit operator double() const {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double sign = (bits >> 15) != 0 ? -1 : 1;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
  }
};

template <class C>
constexpr bool is_half = std::is_same_v<C, half>;
/// What formulas.hpp scales by: nothing, for numbers that are no integers.
template <class C>
using scale_type = std::conditional_t<is_half<C>, float, C>;

template <class C>
cudaChannelFormatDesc format_of(int components) {
  const int bits = 8 * static_cast<int>(sizeof(C));
  const cudaChannelFormatKind kind = is_half<C> || std::is_floating_point_v<C> ? cudaChannelFormatKindFloat
                                     : std::is_signed_v<C>                     ? cudaChannelFormatKindSigned
                                                           : cudaChannelFormatKindUnsigned;
  return cudaCreateChannelDesc(bits, components > 1 ? bits : 0, components > 2 ? bits : 0,
                               components > 3 ? bits : 0, kind);
}

/// Slice after slice, each row by row.
template <class C>
struct volume {
  int size[3], components;
  std::vector<C> numbers;

  double at(const int (&i)[3], int c) const {
    return static_cast<double>(
        numbers[static_cast<std::size_t>(((i[2] * size[1] + i[1]) * size[0] + i[0]) * components + c)]);
  }
};

template <class C>
volume<C> make_volume(int width, int height, int depth, int components) {
  volume<C> v{{width, height, depth}, components, {}};
  std::uint32_t state = 4711;
  for (int i = 0; i < width * height * depth * components; ++i) {
    state = state * 1664525u + 1013904223u;
    if constexpr (is_half<C>)  // all but infinities and what is no number
      v.numbers.push_back({static_cast<std::uint16_t>(state >> 16 & ~(i % 5 == 0 ? 0x7800u : 0x4000u))});
    else if constexpr (std::is_floating_point_v<C>)
      v.numbers.push_back(static_cast<float>(static_cast<std::int32_t>(state >> 8) - (1 << 23)) / 1024);
    else
      v.numbers.push_back(static_cast<C>(state >> 9));
  }
  return v;
}

/// tex3D() at `at`, component c.
template <class C>
double expected(const volume<C>& v, const reading& how, const double (&at)[3], int c) {
  double below[3], weight[3];
  cudaTextureAddressMode mode[3];
  for (int axis = 0; axis < 3; ++axis) {
    double x = at[axis];
    mode[axis] = how.address[axis];
    if (how.normalized_coordinates) {
      if (!how.linear) x = formulas::remapped(x, mode[axis]);
      x *= v.size[axis];
    } else if (mode[axis] != cudaAddressModeBorder) {
      mode[axis] = cudaAddressModeClamp;
    }
    if (how.linear) x -= 0.5;
    below[axis] = std::floor(x);
    weight[axis] = how.linear ? formulas::weight(x) : 0;
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double share = 1;
    int texel[3] = {};
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      const int step = corner >> axis & 1;
      share *= step == 0 ? 1 - weight[axis] : weight[axis];
      inside &= formulas::find_texel(below[axis] + step, v.size[axis], mode[axis], texel[axis]);
    }
    if (share == 0) continue;
    sum += share * (inside ? formulas::scaled<scale_type<C>>(v.at(texel, c), how.normalized_float)
                           : formulas::border<scale_type<C>>(static_cast<double>(how.border[c]),
                                                             how.normalized_float));
  }
  return formulas::as_returned<scale_type<C>>(sum, how.normalized_float);
}

/// A texture object of an array of three dimensions, of two (depth 0) or one (height 0).
template <class C>
class bound_array {
 public:
  bound_array(const volume<C>& v, const reading& how, int dimensions) {
    const cudaChannelFormatDesc format = format_of<C>(v.components);
    const auto size = [&](int axis) { return static_cast<std::size_t>(v.size[axis]); };
    require_success(cudaMalloc3DArray(
        &array_, &format,
        make_cudaExtent(size(0), dimensions > 1 ? size(1) : 0, dimensions > 2 ? size(2) : 0)));
    cudaMemcpy3DParms copy;
    std::memset(&copy, 0, sizeof copy);
    copy.srcPtr =
        make_cudaPitchedPtr(const_cast<C*>(v.numbers.data()),
                            size(0) * static_cast<std::size_t>(v.components) * sizeof(C), size(0), size(1));
    copy.dstArray = array_;
    copy.extent = make_cudaExtent(size(0), size(1), size(2));
    copy.kind = cudaMemcpyHostToDevice;
    require_success(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = resource_of(cudaResourceTypeArray);
    resource.res.array.array = array_;
    object_ = texture_of(resource, how);
  }
  bound_array(const bound_array&) = delete;
  ~bound_array() {
    cudaDestroyTextureObject(object_);
    cudaFreeArray(array_);
  }
  cudaTextureObject_t object() const { return object_; }

 private:
  cudaTextureObject_t object_ = 0;
  cudaArray_t array_ = nullptr;
};

/// Outside on both sides, borders, centers, and between them by whole steps of 1/256 and parts of one.
std::vector<float> coordinates(int size, const reading& how, int axis) {
  const auto n = static_cast<float>(size);
  std::vector<float> all = {-n - 0.4f, -0.6f, 0, 0.5f, 1.3f, n / 2, n - 0.2f, n + 0.3f, 2 * n + 0.7f};
  if (how.linear)
    for (const float steps : {77.0f, 10.25f, 255.75f}) all.push_back(1.5f + steps / 256);
  if (!how.normalized_coordinates) return all;
  std::vector<float> normalized;
  for (const float x : all) {
    // At the border of two texels the last bit decides.
    if (!how.linear && x == std::floor(x) && (x != 0 || how.address[axis] == cudaAddressModeMirror)) continue;
    normalized.push_back(x / n);
  }
  return normalized;
}

double allowed_error(const reading& how, double range) {
  if (exact) return 0;
  return range * ((how.linear ? 3.0 / 256 : 0) + (how.linear || how.normalized_float ? 1e-6 : 0));
}

/// Compares what was fetched at `places`; `got(i, c)` is component c of it.
template <class C, class Got>
void compare(const volume<C>& v, const reading& how, const std::vector<float3>& places, Got got) {
  double least = 0, most = 4;  // with the border's color
  for (const C number : v.numbers) {
    const double value = formulas::scaled<scale_type<C>>(static_cast<double>(number), how.normalized_float);
    least = std::fmin(least, value);
    most = std::fmax(most, value);
  }
  const double bound = allowed_error(how, most - least);
  int wrong = 0;
  for (std::size_t i = 0; i < places.size() && wrong < 3; ++i) {
    for (int c = 0; c < v.components; ++c) {
      const double at[3] = {static_cast<double>(places[i].x), static_cast<double>(places[i].y),
                            static_cast<double>(places[i].z)};
      const double want = static_cast<double>(static_cast<float>(expected(v, how, at, c)));
      const double have = static_cast<double>(got(i, c));
      if (std::fabs(have - want) <= bound) continue;
      ++wrong;
      CAPTURE(words_of(how));
      CAPTURE(sizeof(C));
      CAPTURE(c);
      CAPTURE(places[i].x);
      CAPTURE(places[i].y);
      CAPTURE(places[i].z);
      CHECK(have == want);
    }
  }
  CHECK(wrong == 0);
}

/// Every pair of modes on x and y, each mode on z with every one of them on x. T: what a fetch returns; R:
/// its component.
template <class T, class R, class C>
void check_volume(int components, bool normalized_float, bool filtered) {
  const volume<C> v = make_volume<C>(5, 4, 3, components);
  for (int modes = 0; modes < 16; ++modes) {
    for (const bool linear : {false, true}) {
      if (linear && !filtered) continue;
      for (const bool normalized_coordinates : {false, true}) {
        const int x = modes % 4, y = modes / 4, z = (x + y) % 4;
        reading how{{static_cast<cudaTextureAddressMode>(x), static_cast<cudaTextureAddressMode>(y),
                     static_cast<cudaTextureAddressMode>(z)},
                    linear,
                    normalized_float,
                    normalized_coordinates,
                    {0.5f, -0.25f, 4, 0}};
        if (!filtered) std::memset(how.border, 0, sizeof how.border);
        const bound_array<C> texture(v, how, 3);
        std::vector<float3> places;
        for (const float at_z : coordinates(v.size[2], how, 2))
          for (const float at_y : coordinates(v.size[1], how, 1))
            for (const float at_x : coordinates(v.size[0], how, 0)) places.push_back({at_x, at_y, at_z});
        const std::vector<T> results = fetch_3d<T>(texture.object(), places);
        compare(v, how, places, [&](std::size_t i, int c) { return component<R>(results[i], c); });
      }
    }
  }
}

}  // namespace

TEST_CASE("tex3D() agrees with the formulas: float and integers") {
  check_volume<float, float, float>(1, false, true);
  check_volume<float4, float, float>(4, false, true);
  check_volume<int, int, int>(1, false, false);
  check_volume<ushort2, unsigned short, unsigned short>(2, false, false);
  check_volume<uchar4, unsigned char, unsigned char>(4, false, false);
}
TEST_CASE("tex3D() agrees with the formulas: integers as numbers in [0, 1] and [-1, 1]") {
  check_volume<float, float, unsigned char>(1, true, true);
  check_volume<float4, float, signed char>(4, true, true);
  check_volume<float2, float, unsigned short>(2, true, true);
  check_volume<float, float, short>(1, true, true);
}
TEST_CASE("tex3D() agrees with the formulas: numbers of 16 bits") {
  check_volume<float, float, half>(1, false, true);
  check_volume<float2, float, half>(2, false, true);
  check_volume<float4, float, half>(4, false, true);
}

namespace {

template <class T>
void check_flat_half(int components) {
  for (const int dimensions : {1, 2}) {
    const volume<half> v = make_volume<half>(7, dimensions == 2 ? 5 : 1, 1, components);
    for (const cudaTextureAddressMode mode : {cudaAddressModeClamp, cudaAddressModeBorder}) {
      for (const bool linear : {false, true}) {
        // The axes that are not there are clamped: the only row and slice count whole.
        const reading how{{mode, dimensions == 2 ? mode : cudaAddressModeClamp, cudaAddressModeClamp},
                          linear,
                          false,
                          false,
                          {0.5f, -0.25f, 4, 0}};
        const bound_array<half> texture(v, how, dimensions);
        std::vector<float3> places;
        for (const float y : dimensions == 2 ? coordinates(v.size[1], how, 1) : std::vector<float>{0.5f})
          for (const float x : coordinates(v.size[0], how, 0)) places.push_back({x, y, 0.5f});
        const std::vector<T> results = fetch_flat<T>(texture.object(), dimensions, places);
        compare(v, how, places, [&](std::size_t i, int c) { return component<float>(results[i], c); });
      }
    }
  }
}

}  // namespace

// Not in the guide, and seen on an H200.
TEST_CASE("the border of numbers of 16 bits is one that 16 bits can hold") {
  const volume<half> v = make_volume<half>(4, 4, 1, 4);
  for (const bool linear : {false, true}) {
    const reading how{{cudaAddressModeBorder, cudaAddressModeBorder, cudaAddressModeClamp},
                      linear,
                      false,
                      false,
                      {0.1f, 70000, 1e-9f, -0.69970703125f}};
    const bound_array<half> texture(v, how, 2);
    const float4 outside = fetch_flat<float4>(texture.object(), 2, {{-3, -3, 0.5f}})[0];
    CAPTURE(linear);
    CHECK(outside.x == 0.0999755859375f);
    CHECK(outside.y == 65504);
    CHECK(outside.z == 0);
    CHECK(outside.w == -0.69970703125f);  // to its last bit
  }
}

TEST_CASE("numbers of 16 bits in one and two dimensions, and in linear memory") {
  check_flat_half<float>(1);
  check_flat_half<float2>(2);
  check_flat_half<float4>(4);

  // Each of the 65536 patterns that is a finite number.
  volume<half> v{{1 << 16, 1, 1}, 1, {}};
  std::vector<float3> places;
  for (int i = 0; i < 1 << 16; ++i) {
    v.numbers.push_back({static_cast<std::uint16_t>(i)});
    places.push_back({static_cast<float>(i), 0, 0});
  }
  char* memory = nullptr;
  require_success(cudaMalloc(&memory, v.numbers.size() * sizeof(half)));
  require_success(
      cudaMemcpy(memory, v.numbers.data(), v.numbers.size() * sizeof(half), cudaMemcpyHostToDevice));
  cudaResourceDesc resource = resource_of(cudaResourceTypeLinear);
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDescHalf();
  resource.res.linear.sizeInBytes = v.numbers.size() * sizeof(half);
  const cudaTextureObject_t texture = texture_of(resource, {});
  const std::vector<float> results = fetch_flat<float>(texture, 0, places);
  int wrong = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool finite = (i >> 10 & 31) != 31;
    const bool right = finite ? static_cast<double>(results[i]) == static_cast<double>(v.numbers[i])
                              : !std::isfinite(results[i]);
    if (right) continue;
    CAPTURE(i);
    if (++wrong < 4) CHECK(static_cast<double>(results[i]) == static_cast<double>(v.numbers[i]));
  }
  CHECK(wrong == 0);
  require_success(cudaDestroyTextureObject(texture));
  require_success(cudaFree(memory));
}

TEST_CASE("worked out by hand: the middle of a cube is the mean of its corners") {
  const volume<float> cube{{2, 2, 2}, 1, {1, 2, 3, 4, 5, 6, 7, 8}};
  reading how{{cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp}, true, false, false, {}};
  const bound_array<float> texture(cube, how, 3);
  CHECK(
      fetch_3d<float>(texture.object(), {{1, 1, 1}, {0.5f, 0.5f, 1.5f}, {1, 0.5f, 0.5f}, {0.5f, 0.5f, 1}}) ==
      std::vector<float>{4.5f, 5, 1.5f, 3});
}
