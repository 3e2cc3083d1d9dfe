// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What cuFFT's functions compute on the emulated device, against the definition of the discrete Fourier
// transform.
#include <cufft.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <numeric>
#include <random>
#include <type_traits>

#include "../../../tests/emulator_test.hpp"

namespace {

using wide = std::complex<double>;
using extents = std::vector<int>;  // the innermost dimension last

/// Sums of n terms, in long double: more digits than what is compared with it.
std::vector<wide> definition_1d(const std::vector<wide>& x, int sign,
                                const std::vector<std::size_t>& wanted) {
  const std::size_t n = x.size();
  using longest = std::complex<long double>;
  std::vector<longest> roots(n);
  for (std::size_t k = 0; k < n; ++k) {
    const long double angle =
        2 * std::acos(-1.0L) * static_cast<long double>(k) / static_cast<long double>(n);
    roots[k] = {std::cos(angle), static_cast<long double>(sign) * std::sin(angle)};
  }
  std::vector<wide> y;
  for (const std::size_t k : wanted) {
    longest sum = 0;
    std::size_t turn = 0;  // j * k mod n
    for (std::size_t j = 0; j < n; ++j) {
      const longest a = x[j], b = roots[turn];
      sum += longest(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
      turn += k;
      if (turn >= n) turn -= n;
    }
    y.emplace_back(static_cast<double>(sum.real()), static_cast<double>(sum.imag()));
  }
  return y;
}

/// Along every dimension, one after the other.
std::vector<wide> definition(std::vector<wide> x, const extents& n, int sign) {
  std::size_t step = 1;
  for (std::size_t d = n.size(); d-- > 0;) {
    const auto length = static_cast<std::size_t>(n[d]);
    std::vector<std::size_t> all(length);
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t line = 0; line < x.size() / length; ++line) {
      const std::size_t first = line / step * step * length + line % step;
      std::vector<wide> values(length);
      for (std::size_t k = 0; k < length; ++k) values[k] = x[first + k * step];
      values = definition_1d(values, sign, all);
      for (std::size_t k = 0; k < length; ++k) x[first + k * step] = values[k];
    }
    step *= length;
  }
  return x;
}

double relative_error(const std::vector<wide>& got, const std::vector<wide>& expected) {
  REQUIRE(got.size() == expected.size());
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    difference += std::norm(got[i] - expected[i]);
    size += std::norm(expected[i]);
  }
  return std::sqrt(difference / std::max(size, 1e-300));
}

std::size_t product(const extents& n) {
  return std::accumulate(n.begin(), n.end(), std::size_t{1},
                         [](std::size_t a, int b) { return a * static_cast<std::size_t>(b); });
}

/// The types and calls of one precision.
template <class T>
struct with;
template <>
struct with<float> {
  using real = cufftReal;
  using complex = cufftComplex;
  static constexpr cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
  static constexpr double rounding = 6e-8;
  static cufftResult run(cufftHandle p, complex* x, complex* y, int sign) {
    return cufftExecC2C(p, x, y, sign);
  }
  static cufftResult run(cufftHandle p, real* x, complex* y) { return cufftExecR2C(p, x, y); }
  static cufftResult run(cufftHandle p, complex* x, real* y) { return cufftExecC2R(p, x, y); }
};
template <>
struct with<double> {
  using real = cufftDoubleReal;
  using complex = cufftDoubleComplex;
  static constexpr cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
  static constexpr double rounding = 1.2e-16;
  static cufftResult run(cufftHandle p, complex* x, complex* y, int sign) {
    return cufftExecZ2Z(p, x, y, sign);
  }
  static cufftResult run(cufftHandle p, real* x, complex* y) { return cufftExecD2Z(p, x, y); }
  static cufftResult run(cufftHandle p, complex* x, real* y) { return cufftExecZ2D(p, x, y); }
};

/// A few roundings, each of which the next stage may add to.
template <class T>
double allowed(std::size_t n) {
  return with<T>::rounding * (2 + 2 * std::log2(static_cast<double>(n)));
}

/// Random numbers that T holds exactly, so that the definition sees the same.
template <class T>
std::vector<wide> random_signal(std::size_t n, bool real, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<T> value(-1, 1);
  std::vector<wide> x(n);
  for (wide& each : x) {
    const T first = value(random);
    each = {first, real ? T(0) : value(random)};
  }
  return x;
}

/// One side of a plan in memory: where transform b has its element i, in elements of that side.
struct layout {
  extents rows;   // elements used per dimension
  extents embed;  // elements there are per dimension
  int stride = 1, distance = 0;
  std::size_t place(std::size_t b, std::size_t i) const {
    std::size_t at = 0, scale = 1;
    for (std::size_t d = rows.size(); d-- > 0;) {
      const auto size = static_cast<std::size_t>(rows[d]);
      at += i % size * scale;
      i /= size;
      scale *= static_cast<std::size_t>(embed[d]);
    }
    return b * static_cast<std::size_t>(distance) + at * static_cast<std::size_t>(stride);
  }
  std::size_t span(std::size_t batch) const { return place(batch - 1, product(rows) - 1) + 1; }
};

layout packed(const extents& rows, int last_embed = 0) {
  layout l{rows, rows};
  if (last_embed != 0) l.embed.back() = last_embed;
  l.distance = static_cast<int>(product(l.embed));
  return l;
}

extents halved(extents n) {
  n.back() = n.back() / 2 + 1;
  return n;
}

template <class E>
E element(wide value) {
  if constexpr (std::is_floating_point_v<E>)
    return static_cast<E>(value.real());
  else
    return E{static_cast<decltype(E::x)>(value.real()), static_cast<decltype(E::x)>(value.imag())};
}
template <class E>
wide number(E value) {
  if constexpr (std::is_floating_point_v<E>)
    return value;
  else
    return {value.x, value.y};
}

constexpr double untouched = -12345;

/// Device memory of at least `bytes`, with `x` at its places and a mark everywhere else.
template <class E>
std::vector<E> arranged(const std::vector<std::vector<wide>>& x, const layout& l,
                        std::size_t least_bytes = 0) {
  const std::size_t size = std::max(l.span(x.size()), (least_bytes + sizeof(E) - 1) / sizeof(E));
  std::vector<E> all(size, element<E>({untouched, untouched}));
  for (std::size_t b = 0; b < x.size(); ++b)
    for (std::size_t i = 0; i < x[b].size(); ++i) all[l.place(b, i)] = element<E>(x[b][i]);
  return all;
}

/// Runs the plan on `x` and compares every transform with `expected`; what lies between the outputs must not
/// change.
template <class In, class Out, class Run>
void check_run(const std::vector<std::vector<wide>>& x, const layout& in,
               const std::vector<std::vector<wide>>& expected, const layout& out, bool in_place, double bound,
               Run&& run) {
  const std::size_t batch = x.size(), output_bytes = out.span(batch) * sizeof(Out);
  device_array<In> d_x(arranged<In>(x, in, in_place ? output_bytes : 0));
  device_array<Out> d_y(std::vector<Out>(out.span(batch), element<Out>({untouched, untouched})));
  Out* const y = in_place ? reinterpret_cast<Out*>(d_x.data()) : d_y.data();
  REQUIRE(run(d_x.data(), y) == CUFFT_SUCCESS);
  std::vector<Out> all(out.span(batch));
  REQUIRE(cudaMemcpy(all.data(), y, output_bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  std::vector<bool> used(all.size());
  for (std::size_t b = 0; b < batch; ++b) {
    std::vector<wide> got(expected[b].size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      got[i] = number(all[out.place(b, i)]);
      used[out.place(b, i)] = true;
    }
    CAPTURE(b);
    CHECK(relative_error(got, expected[b]) <= bound);
  }
  if (in_place) return;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!used[i]) changed += number(all[i]).real() != untouched;
  CHECK(changed == 0);
}

struct plan {
  cufftHandle handle = CUFFT_PLAN_NULL;
  plan() = default;
  plan(const plan&) = delete;
  ~plan() { CHECK(cufftDestroy(handle) == CUFFT_SUCCESS); }
};

/// Both layouts of a plan for signals n, and how it is made.
struct shapes {
  layout complex_in, complex_out, real, real_here, half;
};
shapes basic(const extents& n) {
  const extents half = halved(n);
  return {packed(n), packed(n), packed(n), packed(n, 2 * half.back()), packed(half)};
}

/// All kinds of transforms of one size.
template <class T>
void check_all(const extents& n, std::size_t batch) {
  using use = with<T>;
  CAPTURE(n.size());
  CAPTURE(n.back());
  CAPTURE(sizeof(T));
  const std::size_t points = product(n);
  const double bound = allowed<T>(points);
  const shapes s = basic(n);
  const auto make = [&](plan& p, cufftType type) {
    return cufftPlanMany(&p.handle, static_cast<int>(n.size()), const_cast<int*>(n.data()), nullptr, 1, 0,
                         nullptr, 1, 0, type, static_cast<int>(batch));
  };
  plan c2c, r2c, c2r;
  REQUIRE(make(c2c, use::c2c) == CUFFT_SUCCESS);
  REQUIRE(make(r2c, use::r2c) == CUFFT_SUCCESS);
  REQUIRE(make(c2r, use::c2r) == CUFFT_SUCCESS);

  std::vector<std::vector<wide>> x, forward, inverse, signal, half, scaled;
  for (unsigned b = 0; b < batch; ++b) {
    x.push_back(random_signal<T>(points, false, b));
    forward.push_back(definition(x[b], n, CUFFT_FORWARD));
    inverse.push_back(definition(x[b], n, CUFFT_INVERSE));
    signal.push_back(random_signal<T>(points, true, 100 + b));
    const auto whole = definition(signal[b], n, CUFFT_FORWARD);
    half.emplace_back();
    const auto row = static_cast<std::size_t>(n.back()), half_row = row / 2 + 1;
    for (std::size_t i = 0; i < points / row * half_row; ++i)
      half[b].push_back(whole[i / half_row * row + i % half_row]);
    scaled.push_back(signal[b]);
    for (wide& value : scaled[b]) value *= static_cast<double>(points);
  }
  using complex = typename use::complex;
  for (const bool in_place : {false, true}) {
    CAPTURE(in_place);
    for (const int sign : {CUFFT_FORWARD, CUFFT_INVERSE})
      check_run<complex, complex>(x, s.complex_in, sign == CUFFT_FORWARD ? forward : inverse, s.complex_out,
                                  in_place, bound,
                                  [&](auto* in, auto* out) { return use::run(c2c.handle, in, out, sign); });
    const layout& real = in_place ? s.real_here : s.real;
    check_run<T, complex>(signal, real, half, s.half, in_place, bound,
                          [&](auto* in, auto* out) { return use::run(r2c.handle, in, out); });
    // The spectrum of the definition, rounded to T: its rounding is part of what comes back.
    check_run<complex, T>(half, s.half, scaled, real, in_place, 2 * bound,
                          [&](auto* in, auto* out) { return use::run(c2r.handle, in, out); });
  }
}

const int lengths[] = {97, 101, 120, 127, 128, 202, 243, 251, 256, 343, 1000, 1009, 1024, 1155, 2018};

}  // namespace

TEST_CASE("every length from 1 to 64, in batches") {
  for (int n = 1; n <= 64; ++n) {
    check_all<float>({n}, 3);
    check_all<double>({n}, 3);
  }
}

TEST_CASE("primes, powers and smooth lengths") {
  for (const int n : lengths) {
    check_all<float>({n}, 1);
    check_all<double>({n}, 1);
  }
}

TEST_CASE("two and three dimensions") {
  for (const extents& n :
       {extents{5, 7}, extents{6, 9}, extents{8, 8}, extents{1, 6}, extents{6, 1}, extents{7, 10},
        extents{101, 3}, extents{3, 4, 5}, extents{4, 3, 6}, extents{2, 2, 2}}) {
    check_all<float>(n, 2);
    check_all<double>(n, 2);
  }
}

namespace {

/// Some elements of a long transform: all of them would be n^2.
template <class T>
void check_long(std::size_t n) {
  using use = with<T>;
  using complex = typename use::complex;
  CAPTURE(n);
  CAPTURE(sizeof(T));
  const auto x = random_signal<T>(n, true, 7);
  std::vector<std::size_t> wanted = {0, 1, 2, n / 2, n / 3};
  std::mt19937 random(5);
  for (int i = 0; i < 20; ++i) wanted.push_back(random() % (n / 2));
  const auto expected = definition_1d(x, CUFFT_FORWARD, wanted);

  plan r2c, c2r;
  REQUIRE(cufftPlan1d(&r2c.handle, static_cast<int>(n), use::r2c, 1) == CUFFT_SUCCESS);
  REQUIRE(cufftPlan1d(&c2r.handle, static_cast<int>(n), use::c2r, 1) == CUFFT_SUCCESS);
  device_array<T> d_x(arranged<T>({x}, packed({static_cast<int>(n)})));
  device_array<complex> d_y(n / 2 + 1);
  REQUIRE(use::run(r2c.handle, d_x.data(), d_y.data()) == CUFFT_SUCCESS);
  const auto y = d_y.to_host();
  std::vector<wide> got;
  for (const std::size_t k : wanted) got.push_back(number(y[k]));
  CHECK(relative_error(got, expected) <= allowed<T>(n));

  REQUIRE(use::run(c2r.handle, d_y.data(), d_x.data()) == CUFFT_SUCCESS);
  std::vector<wide> back;
  for (const T value : d_x.to_host()) back.emplace_back(static_cast<double>(value) / static_cast<double>(n));
  CHECK(relative_error(back, x) <= 2 * allowed<T>(n));
}

}  // namespace

TEST_CASE("long transforms keep their digits") {
  for (const std::size_t n : {10007, 20014, 65536, 1 << 20}) {
    check_long<float>(n);
    check_long<double>(n);
  }
}

TEST_CASE("layouts with strides, distances and embedding") {
  struct many {
    extents n, input_embed, output_embed;
    int input_stride, input_distance, output_stride, output_distance;
  };
  constexpr std::size_t batch = 3;
  // Rows of a matrix, its columns (a batch that interleaves), both in rows with room behind them, and planes.
  const many all[] = {
      {{12}, {12}, {12}, 1, 12, 1, 12},
      {{12}, {12}, {12}, 3, 1, 3, 1},
      {{15}, {15}, {15}, 2, 40, 1, 20},
      {{15}, {1}, {1}, 1, 15, 3, 1},
      {{5, 6}, {5, 6}, {5, 8}, 1, 30, 1, 40},
      {{4, 7}, {6, 9}, {4, 7}, 2, 120, 3, 100},
      {{3, 4, 5}, {3, 5, 6}, {3, 4, 7}, 1, 90, 1, 84},
  };
  for (const many& m : all) {
    CAPTURE(m.n.size());
    CAPTURE(m.n.back());
    CAPTURE(m.input_stride);
    const std::size_t points = product(m.n);
    std::vector<std::vector<wide>> x, y;
    for (unsigned b = 0; b < batch; ++b) {
      x.push_back(random_signal<float>(points, false, b));
      y.push_back(definition(x[b], m.n, CUFFT_FORWARD));
    }
    const layout in{m.n, m.input_embed, m.input_stride, m.input_distance};
    const layout out{m.n, m.output_embed, m.output_stride, m.output_distance};
    extents n = m.n, input_embed = m.input_embed, output_embed = m.output_embed;
    plan p;
    REQUIRE(cufftPlanMany(&p.handle, static_cast<int>(n.size()), n.data(), input_embed.data(), m.input_stride,
                          m.input_distance, output_embed.data(), m.output_stride, m.output_distance,
                          CUFFT_C2C, batch) == CUFFT_SUCCESS);
    check_run<cufftComplex, cufftComplex>(
        x, in, y, out, false, allowed<float>(points),
        [&](auto* a, auto* b) { return cufftExecC2C(p.handle, a, b, CUFFT_FORWARD); });

    // The same with 64-bit arguments, in two steps, with real input: half of the output.
    std::vector<long long> wide_n(n.begin(), n.end()), wide_in(input_embed.begin(), input_embed.end()),
        wide_out(output_embed.begin(), output_embed.end());
    std::vector<std::vector<wide>> signal, half;
    const auto row = static_cast<std::size_t>(n.back()), half_row = row / 2 + 1;
    for (unsigned b = 0; b < batch; ++b) {
      signal.push_back(random_signal<double>(points, true, b));
      const auto whole = definition(signal[b], m.n, CUFFT_FORWARD);
      half.emplace_back();
      for (std::size_t i = 0; i < points / row * half_row; ++i)
        half[b].push_back(whole[i / half_row * row + i % half_row]);
    }
    plan two;
    std::size_t size = 0;
    REQUIRE(cufftCreate(&two.handle) == CUFFT_SUCCESS);
    REQUIRE(cufftMakePlanMany64(two.handle, static_cast<int>(n.size()), wide_n.data(), wide_in.data(),
                                m.input_stride, m.input_distance, wide_out.data(), m.output_stride,
                                m.output_distance, CUFFT_D2Z, batch, &size) == CUFFT_SUCCESS);
    const layout half_out{halved(m.n), m.output_embed, m.output_stride, m.output_distance};
    check_run<double, cufftDoubleComplex>(signal, in, half, half_out, false, allowed<double>(points),
                                          [&](auto* a, auto* b) { return cufftExecD2Z(two.handle, a, b); });
  }
}

TEST_CASE("without inembed or onembed, strides and distances count for nothing") {
  extents n = {8};
  const auto x = random_signal<float>(24, false, 3);
  std::vector<std::vector<wide>> parts, expected;
  for (int b = 0; b < 3; ++b) {
    parts.emplace_back(x.begin() + 8 * b, x.begin() + 8 * b + 8);
    expected.push_back(definition(parts.back(), n, CUFFT_FORWARD));
  }
  for (const bool input : {false, true}) {
    plan p;
    REQUIRE(cufftPlanMany(&p.handle, 1, n.data(), input ? n.data() : nullptr, 5, 77,
                          input ? nullptr : n.data(), 3, 99, CUFFT_C2C, 3) == CUFFT_SUCCESS);
    check_run<cufftComplex, cufftComplex>(
        parts, packed(n), expected, packed(n), false, allowed<float>(8),
        [&](auto* a, auto* b) { return cufftExecC2C(p.handle, a, b, CUFFT_FORWARD); });
  }
}

TEST_CASE("overlapping blocks can be read from one signal, as overlap-save does") {
  extents n = {16};
  constexpr int hop = 10, batch = 4;
  const auto signal = random_signal<float>(hop * (batch - 1) + 16, true, 11);
  plan p;
  REQUIRE(cufftPlanMany(&p.handle, 1, n.data(), n.data(), 1, hop, n.data(), 1, 9, CUFFT_R2C, batch) ==
          CUFFT_SUCCESS);
  std::vector<std::vector<wide>> blocks, expected;
  for (int b = 0; b < batch; ++b) {
    blocks.emplace_back(signal.begin() + hop * b, signal.begin() + hop * b + 16);
    expected.push_back(definition(blocks.back(), n, CUFFT_FORWARD));
    expected.back().resize(9);
  }
  check_run<float, cufftComplex>(blocks, {n, n, 1, hop}, expected, {{9}, {9}, 1, 9}, false,
                                 allowed<float>(16),
                                 [&](auto* a, auto* b) { return cufftExecR2C(p.handle, a, b); });
}

TEST_CASE("complex to real: imaginary parts at 0 and n / 2 count for nothing, and the input is lost") {
  for (const int n : {1, 2, 8, 9}) {
    plan p;
    REQUIRE(cufftPlan1d(&p.handle, n, CUFFT_C2R, 1) == CUFFT_SUCCESS);
    std::vector<cufftComplex> spectrum(static_cast<std::size_t>(n / 2 + 1), cufftComplex{1, 0}),
        other = spectrum;
    other[0].y = 5;
    if (n % 2 == 0) other.back().y = -3;
    device_array<cufftComplex> d_a(spectrum), d_b(other);
    device_array<float> d_x(static_cast<std::size_t>(n)), d_y(static_cast<std::size_t>(n));
    REQUIRE(cufftExecC2R(p.handle, d_a.data(), d_x.data()) == CUFFT_SUCCESS);
    REQUIRE(cufftExecC2R(p.handle, d_b.data(), d_y.data()) == CUFFT_SUCCESS);
    CHECK(d_x.to_host() == d_y.to_host());
    for (const cufftComplex& each : d_b.to_host()) CHECK((std::isnan(each.x) && std::isnan(each.y)));
  }
}

TEST_CASE("the same plan again, and again: nothing grows, and long signals do not take long") {
  constexpr int n = 1 << 20;
  device_array<float> d_x(n);
  device_array<cufftComplex> d_y(n / 2 + 1);
  std::size_t free_before = 0, free_after = 0, total = 0;
  double least_seconds = 1e9;
  REQUIRE(cudaMemGetInfo(&free_before, &total) == cudaSuccess);
  for (int i = 0; i < 5; ++i) {
    plan p;
    REQUIRE(cufftPlan1d(&p.handle, n, CUFFT_R2C, 1) == CUFFT_SUCCESS);
    const auto begin = std::chrono::steady_clock::now();
    REQUIRE(cufftExecR2C(p.handle, d_x.data(), d_y.data()) == CUFFT_SUCCESS);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    least_seconds = std::min(least_seconds, seconds.count());
  }
  REQUIRE(cudaMemGetInfo(&free_after, &total) == cudaSuccess);
  CHECK(free_before == free_after);
  MESSAGE("2^20 floats, R2C: " << least_seconds * 1e3 << " ms");
  CHECK(least_seconds < 0.5);
}
