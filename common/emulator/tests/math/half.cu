// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Numbers of 16 bits. What is right is found by looking through a table of all that there are, with integers
// large enough for exact results; it holds on a GPU, too.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "../emulator_test.hpp"

#ifdef EMULATED_CUDA
#include "emulator/counts.hpp"
#endif

namespace {

__extension__ typedef __int128 wide;

/// All finite numbers of at least 0, in units of the smallest one, 2^-24: the value of bits i is table[i].
const std::vector<long long>& table() {
  static const std::vector<long long> values = [] {
    std::vector<long long> result;
    for (int bits = 0; bits < 0x7c00; ++bits) {
      const int exponent = bits >> 10, fraction = bits & 1023;
      result.push_back(exponent == 0 ? fraction : static_cast<long long>(fraction + 1024) << (exponent - 1));
    }
    return result;
  }();
  return values;
}
/// Bits of the half nearest to x * 2^-24 / 2^shift.
std::uint16_t nearest(wide x, int shift, bool negative_zero = false) {
  const bool negative = x < 0 || (x == 0 && negative_zero);
  const wide size = x < 0 ? -x : x;
  const auto& t = table();
  std::size_t low = 0, high = t.size();  // the last one that is not larger
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (static_cast<wide>(t[middle]) << shift <= size ? low : high) = middle;
  }
  const wide below = static_cast<wide>(t[low]) << shift;
  const wide above = (low + 1 < t.size() ? static_cast<wide>(t[low + 1]) : static_cast<wide>(1) << 40)
                     << shift;
  const wide twice = 2 * size - below - above;
  const std::size_t bits = twice > 0 || (twice == 0 && low % 2 == 1) ? low + 1 : low;
  return static_cast<std::uint16_t>(bits | (negative ? 0x8000u : 0u));
}
long long units(std::uint16_t bits) { return (bits & 0x8000) != 0 ? -table()[bits & 0x7fff] : table()[bits]; }

__host__ __device__ unsigned next_bits(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return (state ^ state >> 15) * 2654435761u;
}

__global__ void to_float_kernel(float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __half2float(__ushort_as_half(static_cast<unsigned short>(i)));
}

__global__ void arithmetic_kernel(const __half* a, const __half* b, const __half* c, int size,
                                  unsigned short* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= size) return;
  unsigned short* o = out + 8 * i;
  *o++ = __half_as_ushort(a[i] + b[i]);
  *o++ = __half_as_ushort(a[i] - b[i]);
  *o++ = __half_as_ushort(__hmul(a[i], b[i]));
  *o++ = __half_as_ushort(__hfma(a[i], b[i], c[i]));
  *o++ = __half_as_ushort(hsqrt(__habs(a[i])));
  *o++ = __half_as_ushort(-a[i]);
  const __half2 both =
      __hfma2(__halves2half2(a[i], c[i]), __halves2half2(b[i], b[i]), __halves2half2(c[i], a[i]));
  *o++ = __half_as_ushort(__low2half(both));
  *o++ = __half_as_ushort(__high2half(both));
}

__global__ void conversions_kernel(unsigned short* out) {
  int n = 0;
  const auto put = [&](__half x) { out[n++] = __half_as_ushort(x); };
  put(__float2half(1.0f));
  put(__float2half(65519.0f));  // the largest is 65504; from 65520 on infinity is nearer
  put(__float2half(65520.0f));
  put(__float2half_rz(1e9f));
  put(__float2half_ru(1e-9f));
  put(__float2half_rd(-1e-9f));
  put(__float2half_rn(1e-9f));
  put(__float2half(2049.0f));  // halfway between two: to the even one
  put(__float2half(2051.0f));
  put(__float2half_rd(1.0f + 0x1p-20f));
  put(__float2half_ru(1.0f + 0x1p-20f));
  put(__double2half(1.0 + 0x1p-11 + 0x1p-40));  // by way of float it would be halfway
  put(__int2half_rn(70000));
  put(__int2half_rz(-2049));
  put(__ull2half_rn(1025));
  put(__float2half(nanf("")));
  put(__half(0.1f));
  put(__half(3));
}

__global__ void others_kernel(int* out) {
  int n = 0;
  const __half two = 2.0f, three = 3.0f, none = __float2half(nanf(""));
  out[n++] = two < three;
  out[n++] = __hgt(two, three);
  out[n++] = __heq(none, none);
  out[n++] = __hequ(none, two);
  out[n++] = none != none;
  out[n++] = __hisnan(none);
  out[n++] = __hisinf(__float2half(-1e9f));
  out[n++] = __half2int_rn(__half(2.5f));
  out[n++] = __half2int_ru(__half(2.25f));
  out[n++] = __half2int_rd(__half(-2.25f));
  out[n++] = static_cast<int>(__half(-7.75f));
  out[n++] = static_cast<int>(__half2uint_rz(__half(-3.0f)));
  out[n++] = __half2int_rz(__hmax(two, none));
  out[n++] = __hisnan(__hmax_nan(two, none));
  out[n++] = __half2int_rz(__hmin(two, three));
  out[n++] = static_cast<int>(100 * __half2float(__hadd_sat(two, three)));
  out[n++] = static_cast<int>(100 * __half2float(__hmul_sat(two, -three)));
  const __half2 v = __floats2half2_rn(1.0f, 4.0f), w = make_half2(__half(4.0f), __half(4.0f));
  const float2 sum = __half22float2(v + w);
  out[n++] = static_cast<int>(sum.x * 10 + sum.y);
  out[n++] = __hbeq2(v, w) + 2 * __hbeq2(w, w) + 4 * __hble2(v, w);
  out[n++] = static_cast<int>(__low2float(__heq2(v, w)) + 10 * __high2float(__heq2(v, w)));
  const __half2 swapped = __lowhigh2highlow(v);
  out[n++] = static_cast<int>(__low2float(swapped) * 10 + __high2float(swapped));
  __half counting = 5.0f;
  ++counting;
  counting += two;
  counting *= __half(0.5f);
  out[n++] = static_cast<int>(__half2float(counting) * 10);
  out[n++] =
      static_cast<int>(__half2float(hfloor(__half(-1.5f)) + hceil(__half(1.5f)) + hrint(__half(2.5f))));
}

__global__ void atomic_kernel(__half* sum, __half2* sums) {
  atomicAdd(sum, __half(0.5f));
  atomicAdd(sums, __floats2half2_rn(1.0f, 0.25f));
}

__global__ void copy_kernel(const __half2* x, __half2* y) {
  __shared__ __half2 tile[32];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  const __half2 v = tile[31 - threadIdx.x];
  y[threadIdx.x] = __hadd2(v, __half2half2(__half(1.0f)));
  __half other = __shfl_xor_sync(0xffffffffu, __low2half(v), 1);
  if (__hisnan(other)) y[0] = v;
}

__global__ void bfloat_kernel(float* out) {
  int n = 0;
  const auto put = [&](__nv_bfloat16 x) { out[n++] = __bfloat162float(x); };
  const __nv_bfloat16 one = 1.0f, small = __float2bfloat16(0x1p-8f);
  put(__float2bfloat16(1.0f + 0x1p-8f));  // halfway: to the even one
  put(__float2bfloat16(1.0f + 0x1p-8f + 0x1p-20f));
  put(__float2bfloat16_rz(-1.99999f));
  put(one + small);
  put(__hfma(one + __float2bfloat16(0x1p-7f), small, one));  // 1 + 2^-8 + 2^-15
  put(__float2bfloat16(3e38f) * __float2bfloat16(-2.0f));
  put(__int2bfloat16_rn(257));
  put(__hdiv(one, __nv_bfloat16(3.0f)));
  out[n++] = static_cast<float>(__bfloat162int_rz(__nv_bfloat16(-7.5f)));
  const __nv_bfloat162 v = __floats2bfloat162_rn(1.5f, -2.0f) * __bfloat162bfloat162(__nv_bfloat16(4.0f));
  out[n++] = __low2float(v);
  out[n++] = __high2float(v);
  out[n++] = (one > small) + 2 * __hisnan(one) + 4 * __hbne2(v, v);
}

template <class T, class Kernel>
std::vector<T> run(Kernel kernel, std::size_t count) {
  device_array<T> d_out(count);
  kernel<<<1, 1>>>(d_out.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return d_out.to_host();
}

}  // namespace

TEST_CASE("every half as a float") {
  device_array<float> d_out(65536);
  to_float_kernel<<<256, 256>>>(d_out.data());
  const auto out = d_out.to_host();
  int wrong = 0;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const unsigned size = bits & 0x7fff;
    const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
    if (size > 0x7c00)
      wrong += !std::isnan(out[bits]);
    else if (size == 0x7c00)
      wrong += out[bits] != sign * std::numeric_limits<float>::infinity();
    else
      wrong += out[bits] != sign * std::ldexp(static_cast<float>(table()[size]), -24) ||
               std::signbit(out[bits]) != (sign < 0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("arithmetic is rounded once") {
  constexpr std::size_t size = 20000;
  unsigned state = 3;
  std::vector<std::uint16_t> a(size), b(size), c(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto finite = [&] {
      std::uint16_t bits;
      do bits = static_cast<std::uint16_t>(next_bits(state) >> 16);
      while ((bits & 0x7c00) == 0x7c00);
      return bits;
    };
    a[i] = finite(), b[i] = finite();
    // Products that a third number of their own size meets: there two roundings would differ from one.
    c[i] = i % 2 == 0 ? finite() : nearest(-static_cast<wide>(units(a[i])) * units(b[i]), 24);
    if ((c[i] & 0x7c00) == 0x7c00) c[i] = static_cast<std::uint16_t>(i);
    if ((c[i] & 0x7c00) == 0x7c00) c[i] = 1;
  }
  const auto halves = [](const std::vector<std::uint16_t>& bits) {
    std::vector<__half> result(bits.size());
    std::memcpy(static_cast<void*>(result.data()), bits.data(), 2 * bits.size());
    return result;
  };
  device_array<__half> d_a(halves(a)), d_b(halves(b)), d_c(halves(c));
  device_array<unsigned short> d_out(8 * size);
  arithmetic_kernel<<<(size + 127) / 128, 128>>>(d_a.data(), d_b.data(), d_c.data(), static_cast<int>(size),
                                                 d_out.data());
  const auto out = d_out.to_host();
  int wrong = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const wide x = units(a[i]), y = units(b[i]), z = units(c[i]);
    const auto sign = [](std::uint16_t bits) { return (bits & 0x8000) != 0; };
    const bool product_sign = sign(a[i]) != sign(b[i]);
    const auto fused = [&](wide p, wide q, wide r, bool both_negative) {
      return nearest(p * q + (r << 24), 24, both_negative);
    };
    // A sum that is 0 is -0 only if both parts are.
    const std::uint16_t expected[] = {nearest(x + y, 0, sign(a[i]) && sign(b[i])),
                                      nearest(x - y, 0, sign(a[i]) && !sign(b[i])),
                                      nearest(x * y, 24, product_sign),
                                      fused(x, y, z, product_sign && sign(c[i]) && x * y == 0),
                                      0,
                                      static_cast<std::uint16_t>(a[i] ^ 0x8000),
                                      fused(x, y, z, product_sign && sign(c[i]) && x * y == 0),
                                      fused(z, y, x, sign(c[i]) != sign(b[i]) && sign(a[i]) && z * y == 0)};
    for (std::size_t k = 0; k < 8; ++k) {
      // A product too small for any half, or an exact zero of two parts that are none: the sign is checked
      // above.
      const bool right = k == 4 || out[8 * i + k] == expected[k];
      wrong += !right;
      if (!right && wrong < 5) {
        CAPTURE(k);
        CAPTURE(a[i]);
        CAPTURE(b[i]);
        CAPTURE(c[i]);
        CHECK(out[8 * i + k] == expected[k]);
      }
    }
    // The square of the root's lower and upper neighbors encloses the number: root^2 in units of 2^-48.
    const std::uint16_t root = out[8 * i + 4];
    const wide number = static_cast<wide>(x < 0 ? -x : x) << 24;
    const auto halfway_squared = [&](std::size_t low) {
      const wide sum = table()[low] + table()[low + 1];
      return sum * sum;  // times 4
    };
    wrong += root > 0 && halfway_squared(static_cast<std::size_t>(root) - 1) > 4 * number;
    wrong += halfway_squared(root) < 4 * number;
  }
  CHECK(wrong == 0);
}

TEST_CASE("conversions to half") {
  const std::vector<unsigned short> expected{0x3c00, 0x7bff, 0x7c00, 0x7bff, 0x0001, 0x8001,
                                             0x0000, 0x6800, 0x6802, 0x3c00, 0x3c01, 0x3c01,
                                             0x7c00, 0xe800, 0x6401, 0x7fff, 0x2e66, 0x4200};
  const auto out = run<unsigned short>(conversions_kernel, expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(out[i] == expected[i]);
  }
}

TEST_CASE("comparisons, integers, pairs") {
  const std::vector<int> expected{1, 0, 0, 1,   1, 1,  -1, 2,  3,  -3, -7, 0,
                                  2, 1, 2, 100, 0, 58, 6,  10, 41, 40, 2};
  const auto out = run<int>(others_kernel, expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(out[i] == expected[i]);
  }
}

TEST_CASE("atomic sums") {
  in_all_orders([] {
    device_array<__half> d_sum(2);
    device_array<__half2> d_sums(1);
    atomic_kernel<<<4, 40>>>(d_sum.data(), d_sums.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto sum = d_sum.to_host();
    const auto sums = d_sums.to_host();
    CHECK(__half2float(sum[0]) == 80.0f);
    CHECK(__half2float(sum[1]) == 0.0f);
    CHECK(__low2float(sums[0]) == 160.0f);
    CHECK(__high2float(sums[0]) == 40.0f);
  });
}

TEST_CASE("pairs are moved in one piece") {
  std::vector<__half2> x(32);
  for (int i = 0; i < 32; ++i)
    x[static_cast<std::size_t>(i)] = __floats2half2_rn(static_cast<float>(i), -1.0f);
  device_array<__half2> d_x(x), d_y(32);
#ifdef EMULATED_CUDA
  cuda_emulator::begin_counting();
#endif
  copy_kernel<<<1, 32>>>(d_x.data(), d_y.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
#ifdef EMULATED_CUDA
  const auto counts = cuda_emulator::end_counting();
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].global_loads == 32);
  CHECK(counts[0].global_load_bytes == 128);
  CHECK(counts[0].global_stores == 32);
  CHECK(counts[0].global_store_bytes == 128);
  CHECK(counts[0].shared_loads == 32);
  CHECK(counts[0].shared_stores == 32);
  CHECK(counts[0].global_load_sectors == 4);
  CHECK(counts[0].shared_load_wavefronts == 1);
#endif
  const auto y = d_y.to_host();
  for (int i = 0; i < 32; ++i) {
    CHECK(__low2float(y[static_cast<std::size_t>(i)]) == static_cast<float>(32 - i));
    CHECK(__high2float(y[static_cast<std::size_t>(i)]) == 0.0f);
  }
}

TEST_CASE("bfloat16") {
  const std::vector<float> expected{
      1,   1 + 0x1p-7f,  -1.9921875f, 1, 1 + 0x1p-7f, -std::numeric_limits<float>::infinity(),
      256, 0.333984375f, -7,          6, -8,          1};
  CHECK(run<float>(bfloat_kernel, expected.size()) == expected);
}
