// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Device functions beyond those in math.cu: directed rounding, small integers in one of 32 bits, special
// functions, what kernels ask about addresses. Expected values are worked out by other means and hold on a
// GPU, too.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "../emulator_test.hpp"

namespace {

template <class T, class Kernel>
std::vector<T> run(Kernel kernel, std::size_t count) {
  device_array<T> d_out(count);
  kernel<<<1, 1>>>(d_out.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return d_out.to_host();
}

// Four results per pair and operation: to nearest, toward zero, up, down.
__global__ void float_rounding_kernel(const float* x, const float* y, int size, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= size) return;
  const float a = x[i], b = y[i];
  float* o = out + 28 * i;
#define FOUR(...)                                                                                       \
  *o++ = ROUNDED(_rn, __VA_ARGS__), *o++ = ROUNDED(_rz, __VA_ARGS__), *o++ = ROUNDED(_ru, __VA_ARGS__), \
  *o++ = ROUNDED(_rd, __VA_ARGS__)
#define ROUNDED(mode, name, ...) name##mode(__VA_ARGS__)
  FOUR(__fadd, a, b);
  FOUR(__fsub, a, b);
  FOUR(__fmul, a, b);
  FOUR(__fdiv, a, b);
  FOUR(__fmaf, a, b, 1.0f);
  FOUR(__frcp, b);
  FOUR(__fsqrt, fabsf(a));
}
__global__ void double_rounding_kernel(double* o) {
  FOUR(__dadd, 1.0, 0x1p-60);
  FOUR(__dsub, 1.0, 0x1p-60);
  FOUR(__dmul, 1.0 + 0x1p-52, -1.0 - 0x1p-52);
  FOUR(__ddiv, 1.0, 3.0);
  FOUR(__fma, 1.0 + 0x1p-52, 1.0 + 0x1p-52, -1.0);
  FOUR(__drcp, -3.0);
  FOUR(__dsqrt, 2.0);
}
__global__ void convert_kernel(double* o) {
  FOUR(__int2float, 16777217);
  FOUR(__int2float, -16777217);
  FOUR(__uint2float, 4294967295u);
  FOUR(__ll2float, -9007199254740993ll);
  FOUR(__ull2float, 18446744073709551615ull);
  FOUR(__ll2double, 9007199254740993ll);
  FOUR(__ull2double, 18446744073709551615ull);
  FOUR(__double2float, 1.0 + 0x1p-30);
  FOUR(__double2float, -1e300);
#undef FOUR
#undef ROUNDED
}

// A small generator of bits, the same on host and device.
__host__ __device__ unsigned next_bits(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return (state ^ state >> 15) * 2654435761u;
}

__global__ void packed_kernel(unsigned* out) {
  unsigned state = 42;
  int n = 0;
  for (int i = 0; i < 16; ++i) {
    const unsigned a = next_bits(state), b = i % 4 == 3 ? a : next_bits(state), c = next_bits(state);
#define BOTH(name) out[n++] = name##2(a, b), out[n++] = name##4(a, b)
#define ALONE(name) out[n++] = name##2(a), out[n++] = name##4(a)
    BOTH(__vadd), BOTH(__vaddss), BOTH(__vaddus), BOTH(__vsub), BOTH(__vsubss), BOTH(__vsubus);
    BOTH(__vavgs), BOTH(__vavgu), BOTH(__vhaddu), BOTH(__vabsdiffs), BOTH(__vabsdiffu);
    BOTH(__vmaxs), BOTH(__vmaxu), BOTH(__vmins), BOTH(__vminu), BOTH(__vsads), BOTH(__vsadu);
    BOTH(__vcmpeq), BOTH(__vcmpne), BOTH(__vcmpges), BOTH(__vcmpgeu), BOTH(__vcmpgts), BOTH(__vcmpgtu);
    BOTH(__vcmples), BOTH(__vcmpleu), BOTH(__vcmplts), BOTH(__vcmpltu);
    BOTH(__vseteq), BOTH(__vsetne), BOTH(__vsetges), BOTH(__vsetgeu), BOTH(__vsetgts), BOTH(__vsetgtu);
    BOTH(__vsetles), BOTH(__vsetleu), BOTH(__vsetlts), BOTH(__vsetltu);
    ALONE(__vabs), ALONE(__vabsss), ALONE(__vneg), ALONE(__vnegss);
#undef BOTH
#undef ALONE
    const int sa = static_cast<int>(a), sb = static_cast<int>(b), sc = static_cast<int>(c);
    out[n++] = static_cast<unsigned>(__vimax3_s32(sa, sb, sc));
    out[n++] = __vimin3_u32(a, b, c);
    out[n++] = __vimax3_s16x2(a, b, c);
    out[n++] = __vimin3_u16x2(a, b, c);
    out[n++] = static_cast<unsigned>(__viaddmax_s32(sa, sb, sc));
    out[n++] = __viaddmin_s16x2(a, b, c);
    out[n++] = __viaddmax_s16x2_relu(a, b, c);
    out[n++] = static_cast<unsigned>(__vimin_s32_relu(sa, sb));
    bool high = false, low = false;
    out[n++] = __vibmax_s16x2(a, b, &high, &low);
    out[n++] = 2u * high + low;
    out[n++] = static_cast<unsigned>(__dp4a(sa, sb, sc));
    out[n++] = __dp4a(a, b, c);
    out[n++] = static_cast<unsigned>(__dp2a_lo(sa, sb, sc));
    out[n++] = __dp2a_hi(a, b, c);
  }
}

__global__ void bits_kernel(long long* out) {
  int n = 0;
  out[n++] = __urhadd(0xffffffffu, 0xfffffffeu);
  out[n++] = __uhadd(0xffffffffu, 0xfffffffeu);
  out[n++] = __rhadd(-3, -2);
  out[n++] = __hadd(-3, -2);
  out[n++] = __funnelshift_lc(0x80000001u, 0x7u, 40);
  out[n++] = __funnelshift_l(0x80000001u, 0x7u, 33);
  out[n++] = __funnelshift_rc(0x80000001u, 0x7u, 40);
  out[n++] = __funnelshift_r(0x80000001u, 0x7u, 33);
  out[n++] = __funnelshift_lc(0x80000001u, 0x7u, 4);
  out[n++] = __fns(0b1011010u, 0, 2);
  out[n++] = __fns(0b1011010u, 3, 1);
  out[n++] = __fns(0b1011010u, 6, -3);
  out[n++] = __fns(0b1011010u, 1, 0);
  out[n++] = __fns(0b1011010u, 2, 0);
  out[n++] = __fns(0b1011010u, 5, 3);
  out[n++] = umin(3u, 4000000000u) + llmax(-5, 7) + static_cast<long long>(ullmin(9, 11));
  out[n++] = __brevll(1) == 1ull << 63;
}

__constant__ int in_constant = 3;
__device__ int in_global = 4;
__global__ void spaces_kernel(const int* x, unsigned* out) {
  __shared__ int in_shared;
  int own = 5;
  int* local = &own;
  in_shared = 6;
  out[0] = (__isGlobal(x) != 0) + 10 * (__isGlobal(&in_global) != 0) + 100 * (__isGlobal(&in_shared) != 0);
  out[1] = (__isShared(&in_shared) != 0) + 10 * (__isShared(x) != 0);
  out[2] = (__isLocal(local) != 0) + 10 * (__isLocal(&in_shared) != 0);
  out[3] = static_cast<unsigned>(*local + in_shared + in_constant);
}

__global__ void special_kernel(double* out) {
  int n = 0;
  out[n++] = erfinv(0.5);
  out[n++] = erfinv(-1e-9);
  out[n++] = erfcinv(1e-30);
  out[n++] = erfcinv(1.75);
  out[n++] = erfcx(0.5);
  out[n++] = erfcx(30.0);
  out[n++] = normcdf(-1.0);
  out[n++] = normcdfinv(0.975);
  out[n++] = cyl_bessel_i0(1.0);
  out[n++] = cyl_bessel_i1(-1.0);
  out[n++] = rnorm3d(2.0, 3.0, 6.0) * 7;
  out[n++] = norm4d(1.0, 2.0, 4.0, 10.0);
  const double values[4] = {2, 4, 5, 6};
  out[n++] = norm(4, values);
  out[n++] = static_cast<double>(erfinvf(0.25f));
  out[n++] = static_cast<double>(normcdff(1.5f));
  out[n++] = static_cast<double>(rsqrt(4.0f)) + rsqrt(16.0);
  out[n++] = sinpi(0.25) + cospi(1.0 / 3);
  out[n++] = j0(1.0) + y1(2.0) + jn(3, 4.0);
  out[n++] = exp10(2.0) + static_cast<double>(exp10f(-1.0f));
  out[n++] = fdim(3.0, 1.0) + rhypot(3.0, 4.0) * 5 + rcbrt(27.0) * 3;
  out[n++] = static_cast<double>(rnorm4df(1.0f, 2.0f, 4.0f, 10.0f) * 11.0f);
}

struct alignas(8) pair {
  float a, b;
};
__global__ void __launch_bounds__(128, 2) small_kernel(pair* out, const float4* in) {
  const float4 v = __ldcs(in);
  __builtin_assume(v.x > 0);
  __prof_trigger(3);
  if (__builtin_expect(v.x > 0, 1)) out[threadIdx.x] = {v.x, v.w};
  const clock_t begin = clock();
  __nanosleep(20);
  if (clock() < begin) out[threadIdx.x].a = -1;
}

}  // namespace

TEST_CASE("float arithmetic that says how to round") {
  unsigned state = 7;
  std::vector<float> x(500), y(500);
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Exponents near each other, so that the exact results fit into 64 bits.
    x[i] =
        std::ldexp(static_cast<float>(static_cast<int>(next_bits(state)) >> 8), static_cast<int>(i % 9) - 24);
    y[i] = std::ldexp(static_cast<float>(static_cast<int>(next_bits(state)) >> 8 | 1), -20);
  }
  device_array<float> d_x(x), d_y(y), d_out(28 * x.size());
  float_rounding_kernel<<<4, 128>>>(d_x.data(), d_y.data(), 500, d_out.data());
  const auto out = d_out.to_host();
  const auto infinity = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(i);
    const long double a = x[i], b = y[i];
    const long double exact[] = {a + b, a - b, a * b, a / b, a * b + 1, 1 / b, std::sqrt(std::fabs(a))};
    for (std::size_t k = 0; k < 7; ++k) {
      CAPTURE(k);
      const float *r = &out[28 * i + 4 * k], nearest = static_cast<float>(exact[k]);
      const float up =
          static_cast<long double>(nearest) < exact[k] ? std::nextafter(nearest, infinity) : nearest;
      const float down =
          static_cast<long double>(nearest) > exact[k] ? std::nextafter(nearest, -infinity) : nearest;
      CHECK(r[0] == nearest);
      CHECK(r[1] == (exact[k] > 0 ? down : up));
      CHECK(r[2] == up);
      CHECK(r[3] == down);
    }
  }
}

TEST_CASE("double arithmetic and conversions that say how to round") {
  const double e = 0x1p-52, third = 1.0 / 3, root = std::sqrt(2.0);
  CHECK(run<double>(double_rounding_kernel, 28) ==
        std::vector<double>{1, 1, 1 + e, 1, 1, 1 - e / 2, 1, 1 - e / 2, -1 - 2 * e, -1 - 2 * e, -1 - 2 * e,
                            -1 - 3 * e, third, third, third + e / 4, third, 2 * e, 2 * e, 2 * e + 2 * e * e,
                            2 * e, -third, -third, -third, -third - e / 4,
                            // the square root of 2 lies below the double that is nearest to it
                            root, root - e, root, root - e});
  const float most = std::numeric_limits<float>::max(), infinity = std::numeric_limits<float>::infinity();
  const std::vector<double> expected{
      16777216,         16777216,    16777218,        16777216,    -16777216,
      -16777216,        -16777216,   -16777218,       4294967296., 4294967040.,
      4294967296.,      4294967040., -0x1p53,         -0x1p53,     -0x1p53,
      -0x1p53 - 0x1p30, 0x1p64,      0x1p64 - 0x1p40, 0x1p64,      0x1p64 - 0x1p40,
      0x1p53,           0x1p53,      0x1p53 + 2,      0x1p53,      0x1p64,
      0x1p64 - 0x1p11,  0x1p64,      0x1p64 - 0x1p11, 1,           1,
      1 + 0x1p-23,      1,           -infinity,       -most,       -most,
      -infinity};
  const auto out = run<double>(convert_kernel, expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(out[i] == expected[i]);
  }
}

namespace {

// The same again, as the names say it: 16 or 8 bits at a time, by way of arrays.
template <class Part, class F>
unsigned by_parts(unsigned a, unsigned b, unsigned c, F f) {
  Part x[4], y[4], z[4];
  std::memcpy(x, &a, 4), std::memcpy(y, &b, 4), std::memcpy(z, &c, 4);
  for (std::size_t i = 0; i < 4 / sizeof(Part); ++i)
    x[i] = static_cast<Part>(
        f(static_cast<long long>(x[i]), static_cast<long long>(y[i]), static_cast<long long>(z[i])));
  std::memcpy(&a, x, 4);
  return a;
}
template <class Part>
long long fit(long long v) {
  const long long low = std::numeric_limits<Part>::min(), high = std::numeric_limits<Part>::max();
  return v < low ? low : v > high ? high : v;
}

class expected_values {
 public:
  expected_values(unsigned a, unsigned b, unsigned c) : a_(a), b_(b), c_(c) {}
  template <class S16, class S8, class F>
  void both(F f) {
    values.push_back(by_parts<S16>(a_, b_, c_, [&](auto x, auto y, auto) { return f(x, y, S16{}); }));
    values.push_back(by_parts<S8>(a_, b_, c_, [&](auto x, auto y, auto) { return f(x, y, S8{}); }));
  }
  template <class F>
  void of_signed(F f) {
    both<std::int16_t, std::int8_t>(f);
  }
  template <class F>
  void of_unsigned(F f) {
    both<std::uint16_t, std::uint8_t>(f);
  }
  template <class Part>
  unsigned differences() const {
    unsigned sum = 0;
    for (int shift = 0; shift < 32; shift += 8 * static_cast<int>(sizeof(Part))) {
      const int p = static_cast<Part>(a_ >> shift), q = static_cast<Part>(b_ >> shift);
      sum += static_cast<unsigned>(std::abs(p - q));
    }
    return sum;
  }
  void all(bool set) {
    const long long yes = set ? 1 : -1;
    of_signed([=](auto p, auto q, auto) { return p == q ? yes : 0; });
    of_signed([=](auto p, auto q, auto) { return p != q ? yes : 0; });
    of_signed([=](auto p, auto q, auto) { return p >= q ? yes : 0; });
    of_unsigned([=](auto p, auto q, auto) { return p >= q ? yes : 0; });
    of_signed([=](auto p, auto q, auto) { return p > q ? yes : 0; });
    of_unsigned([=](auto p, auto q, auto) { return p > q ? yes : 0; });
    of_signed([=](auto p, auto q, auto) { return p <= q ? yes : 0; });
    of_unsigned([=](auto p, auto q, auto) { return p <= q ? yes : 0; });
    of_signed([=](auto p, auto q, auto) { return p < q ? yes : 0; });
    of_unsigned([=](auto p, auto q, auto) { return p < q ? yes : 0; });
  }
  std::vector<unsigned> values;

 private:
  unsigned a_, b_, c_;
};

}  // namespace

TEST_CASE("two or four small integers in one") {
  // Which part of __vibmax_s16x2() came from the first argument: a >= b, says NVIDIA's documentation, and so
  // does the PTX in its header. What nvcc 13.0 makes of that PTX for an H200 says b >= a.
#ifdef EMULATED_CUDA
  constexpr bool compiled_for_gpu = false;
#else
  constexpr bool compiled_for_gpu = true;
#endif
  constexpr std::size_t per_round = 96;
  const auto out = run<unsigned>(packed_kernel, 16 * per_round);
  unsigned state = 42;
  for (std::size_t i = 0; i < 16; ++i) {
    const unsigned a = next_bits(state), b = i % 4 == 3 ? a : next_bits(state), c = next_bits(state);
    expected_values e(a, b, c);
    e.of_signed([](auto p, auto q, auto) { return p + q; });
    e.of_signed([](auto p, auto q, auto part) { return fit<decltype(part)>(p + q); });
    e.of_unsigned([](auto p, auto q, auto part) { return fit<decltype(part)>(p + q); });
    e.of_signed([](auto p, auto q, auto) { return p - q; });
    e.of_signed([](auto p, auto q, auto part) { return fit<decltype(part)>(p - q); });
    e.of_unsigned([](auto p, auto q, auto part) { return fit<decltype(part)>(p - q); });
    e.of_signed([](auto p, auto q, auto) { return std::llround(0.5 * static_cast<double>(p + q)); });
    e.of_unsigned([](auto p, auto q, auto) { return std::llround(0.5 * static_cast<double>(p + q)); });
    e.of_unsigned([](auto p, auto q, auto) { return (p + q) / 2; });
    e.of_signed([](auto p, auto q, auto) { return std::llabs(p - q); });
    e.of_unsigned([](auto p, auto q, auto) { return std::llabs(p - q); });
    e.of_signed([](auto p, auto q, auto) { return std::max(p, q); });
    e.of_unsigned([](auto p, auto q, auto) { return std::max(p, q); });
    e.of_signed([](auto p, auto q, auto) { return std::min(p, q); });
    e.of_unsigned([](auto p, auto q, auto) { return std::min(p, q); });
    e.values.push_back(e.differences<std::int16_t>());
    e.values.push_back(e.differences<std::int8_t>());
    e.values.push_back(e.differences<std::uint16_t>());
    e.values.push_back(e.differences<std::uint8_t>());
    e.all(false);
    e.all(true);
    e.of_signed([](auto p, auto, auto) { return std::llabs(p); });
    e.of_signed([](auto p, auto, auto part) { return fit<decltype(part)>(std::llabs(p)); });
    e.of_signed([](auto p, auto, auto) { return -p; });
    e.of_signed([](auto p, auto, auto part) { return fit<decltype(part)>(-p); });
    const int sa = static_cast<int>(a), sb = static_cast<int>(b), sc = static_cast<int>(c);
    const int sum = static_cast<int>(a + b);
    const auto put = [&](auto v) { e.values.push_back(static_cast<unsigned>(v)); };
    put(std::max({sa, sb, sc}));
    put(std::min({a, b, c}));
    put(by_parts<std::int16_t>(a, b, c, [](auto p, auto q, auto r) { return std::max({p, q, r}); }));
    put(by_parts<std::uint16_t>(a, b, c, [](auto p, auto q, auto r) { return std::min({p, q, r}); }));
    put(std::max(sum, sc));
    put(by_parts<std::int16_t>(a, b, c, [](auto p, auto q, auto r) {
      return std::min<long long>(static_cast<std::int16_t>(p + q), r);
    }));
    put(by_parts<std::int16_t>(a, b, c, [](auto p, auto q, auto r) {
      return std::max({static_cast<long long>(static_cast<std::int16_t>(p + q)), r, 0ll});
    }));
    put(std::max(std::min(sa, sb), 0));
    put(by_parts<std::int16_t>(a, b, c, [](auto p, auto q, auto) { return std::max(p, q); }));
    put(2 * (static_cast<std::int16_t>(a >> 16) >= static_cast<std::int16_t>(b >> 16)) +
        (static_cast<std::int16_t>(a) >= static_cast<std::int16_t>(b)));
    long long dot = sc, udot = c;
    for (int k = 0; k < 32; k += 8) {
      dot += static_cast<std::int8_t>(a >> k) * static_cast<std::int8_t>(b >> k);
      udot += static_cast<std::uint8_t>(a >> k) * static_cast<std::uint8_t>(b >> k);
    }
    put(dot);
    put(udot);
    put(sc + 1ll * static_cast<std::int16_t>(a) * static_cast<std::int8_t>(b) +
        1ll * static_cast<std::int16_t>(a >> 16) * static_cast<std::int8_t>(b >> 8));
    put(c + 1ll * static_cast<std::uint16_t>(a) * static_cast<std::uint8_t>(b >> 16) +
        1ll * (a >> 16) * (b >> 24));
    REQUIRE(e.values.size() == per_round);
    for (std::size_t k = 0; k < per_round; ++k) {
      CAPTURE(i);
      CAPTURE(k);
      if (k == per_round - 5 && compiled_for_gpu) continue;
      CHECK(out[per_round * i + k] == e.values[k]);
    }
  }
}

TEST_CASE("averages, shifts of two words, the n-th bit that is set") {
  CHECK(run<long long>(bits_kernel, 17) ==
        std::vector<long long>{0xffffffffll, 0xfffffffell, -2, -3, 0x80000001ll, 0xf, 7, 0xc0000000ll, 0x78,
                               3, 3, 3, 1, 0xffffffffll, 0xffffffffll, 3 + 7 + 9, 1});
}

TEST_CASE("what kind of memory an address is of") {
  device_array<int> d_x(4);
  device_array<unsigned> d_out(4);
  spaces_kernel<<<1, 1>>>(d_x.data(), d_out.data());
  CHECK(d_out.to_host() == std::vector<unsigned>{11, 1, 1, 14});
}

TEST_CASE("special functions") {
  // Values from tables of these functions, to 15 digits.
  const std::vector<double> expected{0.476936276204470,
                                     -8.86226925452758e-10,
                                     8.14861622316986,
                                     -0.813419847597618,
                                     0.615690344192926,
                                     0.0187958888614168,
                                     0.158655253931457,
                                     1.95996398454005,
                                     1.26606587775201,
                                     -0.565159103992485,
                                     1,
                                     11,
                                     9,
                                     0.225312055012178,
                                     0.933192798731142,
                                     0.75,
                                     0.707106781186548 + 0.5,
                                     0.765197686557967 - 0.107032431540938 + 0.430171473875622,
                                     100.1,
                                     4,
                                     1};
  const auto out = run<double>(special_kernel, expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    const bool single = i == 13 || i == 14 || i == 18 || i == 20;
    CHECK(out[i] == doctest::Approx(expected[i]).epsilon(single ? 1e-6 : 1e-13).scale(0));
  }
}

TEST_CASE("promises, hints, clocks") {
  device_array<float4> d_in(std::vector<float4>{{1, 2, 3, 4}});
  device_array<pair> d_out(40);
  small_kernel<<<1, 40>>>(d_out.data(), d_in.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto out = d_out.to_host();
  CHECK(out[39].a == 1);
  CHECK(out[39].b == 4);
}
