// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Every type of element, read in every way, against the formulas of CUDA's guide.
#include <cstdint>
#include <string>
#include <type_traits>

#include "texture_test.hpp"

namespace {

using formulas::picture;

enum class memory { array, rows };

template <class C, int components>
struct vector_of;
#define VECTORS(C, name)   \
  template <>              \
  struct vector_of<C, 1> { \
    using type = C;        \
  };                       \
  template <>              \
  struct vector_of<C, 2> { \
    using type = name##2;  \
  };                       \
  template <>              \
  struct vector_of<C, 4> { \
    using type = name##4;  \
  };
VECTORS(signed char, char)
VECTORS(unsigned char, uchar)
VECTORS(short, short)
VECTORS(unsigned short, ushort)
VECTORS(int, int)
VECTORS(unsigned int, uint)
VECTORS(float, float)

/// Numbers over the whole range of C, its ends among them.
template <class C>
picture<C> make_picture(int width, int height, int components) {
  picture<C> p{width, height, components, {}};
  std::uint32_t state = 12345;
  for (int i = 0; i < width * height * components; ++i) {
    state = state * 1664525u + 1013904223u;
    if constexpr (std::is_floating_point_v<C>)
      p.numbers.push_back(static_cast<float>(static_cast<std::int32_t>(state >> 8) - (1 << 23)) / 1024);
    else
      p.numbers.push_back(static_cast<C>(state >> 7));
  }
  p.numbers.front() = std::numeric_limits<C>::is_integer ? std::numeric_limits<C>::lowest() : C(-8192);
  p.numbers.back() = std::numeric_limits<C>::is_integer ? std::numeric_limits<C>::max() : C(8192);
  return p;
}

/// A texture object and what it is bound to, for the length of a test.
template <class T>
class texture {
 public:
  template <class C>
  texture(const picture<C>& p, const reading& how, memory where, bool one_dimension) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    const std::size_t row = static_cast<std::size_t>(p.width) * sizeof(T);
    const auto rows = static_cast<std::size_t>(p.height);
    cudaResourceDesc resource =
        resource_of(where == memory::array ? cudaResourceTypeArray : cudaResourceTypePitch2D);
    if (where == memory::array) {
      require_success(
          cudaMallocArray(&array_, &format, static_cast<std::size_t>(p.width), one_dimension ? 0 : rows));
      require_success(
          cudaMemcpy2DToArray(array_, 0, 0, p.numbers.data(), row, row, rows, cudaMemcpyHostToDevice));
      resource.res.array.array = array_;
    } else {
      std::size_t pitch = 0;
      require_success(cudaMallocPitch(&rows_, &pitch, row, rows));
      require_success(cudaMemcpy2D(rows_, pitch, p.numbers.data(), row, row, rows, cudaMemcpyHostToDevice));
      resource.res.pitch2D = {rows_, format, static_cast<std::size_t>(p.width), rows, pitch};
    }
    object_ = texture_of(resource, how);
  }
  texture(const texture&) = delete;
  ~texture() {
    cudaDestroyTextureObject(object_);
    cudaFreeArray(array_);
    cudaFree(rows_);
  }
  cudaTextureObject_t object() const { return object_; }

 private:
  cudaTextureObject_t object_ = 0;
  cudaArray_t array_ = nullptr;
  char* rows_ = nullptr;
};

/// In texels: outside on both sides, near and far; borders of texels and of the picture; centers; between
/// them by whole steps of 1/256, and by parts of such a step.
std::vector<float> coordinates(int size, const reading& how, int axis) {
  const auto n = static_cast<float>(size);
  std::vector<float> all = {-50.6f,   -2 * n + 0.3f, -n - 0.4f,    -1.5f,        -0.6f,    -0.3f,
                            0,        0.25f,         0.5f,         0.75f,        1.3f,     2.5f,
                            2.6f,     n / 2,         n - 1,        n - 0.5f,     n - 0.2f, n,
                            n + 0.3f, n + 1.7f,      2 * n - 0.4f, 2 * n + 0.7f, 100.4f};
  if (how.linear)
    for (const float steps : {1.0f, 77.0f, 128.0f, 255.0f, 10.25f, 10.75f, 255.75f, 0.25f})
      all.push_back(1.5f + steps / 256);
  if (!how.normalized_coordinates) return all;
  std::vector<float> normalized;
  for (const float x : all) {
    // At the border of two texels the last bit decides, and the mirrored border belongs to either.
    if (!how.linear && x == std::floor(x) && x != 0 && (x != n || how.address[axis] == cudaAddressModeMirror))
      continue;
    normalized.push_back(x / n);
  }
  return normalized;
}

constexpr double allowed_step = exact ? 0 : 1.0 / 256;  // of a weight
constexpr double allowed_least = exact ? 0 : 1e-6;      // of a number between 0 and 1

/// R: the type of a component as it is returned, C or float.
template <class R, class C, int components>
void check_reading(const reading& how, memory where, bool one_dimension) {
  using T = typename vector_of<C, components>::type;
  using result = typename vector_of<R, components>::type;
  const picture<C> p = make_picture<C>(7, one_dimension ? 1 : 5, components);
  const texture<T> bound(p, how, where, one_dimension);
  std::vector<float2> places;
  const std::vector<float> along_y = one_dimension ? std::vector<float>{0} : coordinates(p.height, how, 1);
  for (const float y : along_y)
    for (const float x : coordinates(p.width, how, 0)) places.push_back({x, y});
  std::vector<result> results;
  if (one_dimension) {
    std::vector<float> along_x;
    for (const float2& at : places) along_x.push_back(at.x);
    results = fetch_1d<result>(bound.object(), along_x);
  } else {
    results = fetch_2d<result>(bound.object(), places);
  }
  double least = 1e300, most = -1e300;
  for (const C number : p.numbers) {
    least = std::fmin(least, formulas::scaled<C>(static_cast<double>(number), how.normalized_float));
    most = std::fmax(most, formulas::scaled<C>(static_cast<double>(number), how.normalized_float));
  }
  const double range = std::fmax(most, 4) - std::fmin(least, 0);  // with the border's color
  const double bound_on_error =
      how.linear || how.normalized_float ? range * ((how.linear ? 2 * allowed_step : 0) + allowed_least) : 0;
  int wrong = 0;
  for (std::size_t i = 0; i < places.size() && wrong < 3; ++i) {
    for (int c = 0; c < components; ++c) {
      const double formula =
          formulas::fetch(p, how, static_cast<double>(places[i].x), static_cast<double>(places[i].y), c);
      const auto got = static_cast<double>(component<R>(results[i], c));
      const auto want = static_cast<double>(static_cast<R>(formula));
      if (std::fabs(got - want) <= bound_on_error) continue;
      ++wrong;
      CAPTURE(words_of(how));
      CAPTURE(sizeof(C));
      CAPTURE(std::numeric_limits<C>::is_signed);
      CAPTURE(std::string(where == memory::array ? "array" : "rows"));
      CAPTURE(one_dimension);
      CAPTURE(c);
      CAPTURE(places[i].x);
      CAPTURE(places[i].y);
      CHECK(got == want);
    }
  }
  CHECK(wrong == 0);
}

template <class R, class C, int components>
void check_all(bool normalized_float) {
  constexpr cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp,
                                              cudaAddressModeMirror, cudaAddressModeBorder};
  for (const bool linear : {false, true}) {
    if (linear && !std::is_same_v<R, float>) continue;
    for (const bool normalized_coordinates : {false, true}) {
      for (const auto mode_x : modes) {
        reading how{
            {mode_x, mode_x, mode_x}, linear, normalized_float, normalized_coordinates, {0.5f, -0.25f, 4, 0}};
        // What a border of integers looks like the guide does not say; zero is zero.
        if (!std::is_same_v<R, float>) std::memset(how.border, 0, sizeof how.border);
        for (const auto mode_y : modes) {
          how.address[1] = mode_y;
          check_reading<R, C, components>(how, memory::array, false);
          check_reading<R, C, components>(how, memory::array, true);
        }
        check_reading<R, C, components>(how, memory::rows, false);
      }
    }
  }
}

template <class C>
void check_type() {
  check_all<C, C, 1>(false);
  check_all<C, C, 2>(false);
  check_all<C, C, 4>(false);
  if constexpr (sizeof(C) < 4) {
    check_all<float, C, 1>(true);
    check_all<float, C, 2>(true);
    check_all<float, C, 4>(true);
  }
}

}  // namespace

TEST_CASE("fetches agree with the formulas: float") { check_type<float>(); }
TEST_CASE("fetches agree with the formulas: 8 bits") {
  check_type<signed char>();
  check_type<unsigned char>();
}
TEST_CASE("fetches agree with the formulas: 16 bits") {
  check_type<short>();
  check_type<unsigned short>();
}
TEST_CASE("fetches agree with the formulas: 32 bits") {
  check_type<int>();
  check_type<unsigned int>();
}

namespace {

template <class R, class C, int components>
void check_elements(bool normalized_float) {
  using T = typename vector_of<C, components>::type;
  const picture<C> p = make_picture<C>(37, 1, components);
  char* memory = nullptr;
  const std::size_t bytes = p.numbers.size() * sizeof(C);
  require_success(cudaMalloc(&memory, bytes));
  require_success(cudaMemcpy(memory, p.numbers.data(), bytes, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = resource_of(cudaResourceTypeLinear);
  resource.res.linear = {memory, cudaCreateChannelDesc<T>(), bytes};
  const cudaTextureObject_t object = texture_of(resource, {{}, false, normalized_float, false, {}});
  const std::vector<int> places = {0, 1, 2, 17, 35, 36, 37, 38, 1000, -1, -2, -100000, 2147483647};
  const auto results = fetch_elements<typename vector_of<R, components>::type>(object, places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (int c = 0; c < components; ++c) {
      CAPTURE(places[i]);
      CAPTURE(c);
      double want = 0;  // outside
      if (places[i] >= 0 && places[i] < p.width)
        want = formulas::as_returned<C>(formulas::scaled<C>(p.at(places[i], 0, c), normalized_float),
                                        normalized_float);
      const auto got = static_cast<double>(component<R>(results[i], c));
      CHECK(std::fabs(got - static_cast<double>(static_cast<R>(want))) <=
            (normalized_float ? allowed_least : 0));
    }
  }
  require_success(cudaDestroyTextureObject(object));
  require_success(cudaFree(memory));
}

template <class C>
void check_elements_of() {
  check_elements<C, C, 1>(false);
  check_elements<C, C, 2>(false);
  check_elements<C, C, 4>(false);
  if constexpr (sizeof(C) < 4) {
    check_elements<float, C, 1>(true);
    check_elements<float, C, 4>(true);
  }
}

}  // namespace

TEST_CASE("elements of linear memory; outside of it zero") {
  check_elements_of<signed char>();
  check_elements_of<unsigned char>();
  check_elements_of<short>();
  check_elements_of<unsigned short>();
  check_elements_of<int>();
  check_elements_of<unsigned int>();
  check_elements_of<float>();
}

TEST_CASE("worked out by hand: two texels, 10 and 20") {
  const picture<float> p{2, 1, 1, {10, 20}};
  reading how{{cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp}, true, false, false, {}};
  const std::vector<float> places = {0, 0.5f, 0.75f, 1, 1.25f, 1.5f, 2, -9, 9};
  const texture<float> bound(p, how, memory::array, true);
  CHECK(fetch_1d<float>(bound.object(), places) ==
        std::vector<float>{10, 10, 12.5f, 15, 17.5f, 20, 20, 10, 20});
  how.linear = false;
  const texture<float> points(p, how, memory::array, true);
  CHECK(fetch_1d<float>(points.object(), places) == std::vector<float>{10, 10, 10, 20, 20, 20, 20, 10, 20});
  how.address[0] = cudaAddressModeWrap;
  how.normalized_coordinates = true;
  const texture<float> wrapped(p, how, memory::array, true);
  CHECK(fetch_1d<float>(wrapped.object(), {-0.75f, -0.25f, 0.25f, 0.75f, 1.25f}) ==
        std::vector<float>{10, 20, 10, 20, 10});
  how.address[0] = cudaAddressModeMirror;
  const texture<float> mirrored(p, how, memory::array, true);
  CHECK(fetch_1d<float>(mirrored.object(), {-0.75f, -0.25f, 0.25f, 0.75f, 1.25f, 1.75f, 2.25f}) ==
        std::vector<float>{20, 10, 10, 20, 20, 10, 10});
}
