// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Functions that device code has and C++ has not.
#include <cmath>

#include <math_constants.h>

#include "../emulator_test.hpp"

namespace {

// Each kernel writes what it computed; the host compares with values worked out by hand.
__global__ void bits_kernel(long long* out) {
  int n = 0;
  out[n++] = __popc(0xf0f0u);
  out[n++] = __popcll(~0ull);
  out[n++] = __clz(1);
  out[n++] = __clz(0);
  out[n++] = __clzll(1);
  out[n++] = __ffs(8);
  out[n++] = __ffs(0);
  out[n++] = __ffsll(1ll << 40);
  out[n++] = __brev(1u);
  out[n++] = static_cast<long long>(__brevll(2ull) >> 62);
  out[n++] = __umulhi(0xffffffffu, 0xffffffffu);
  out[n++] = __mulhi(-1, 5);
  out[n++] = static_cast<long long>(__umul64hi(~0ull, 2));
  out[n++] = __mul64hi(-1, 5);
  out[n++] = __mul24(0x01000003, 5);
  out[n++] = __mul24(0x00ffffff, 2);
  out[n++] = __umul24(0xff000003u, 5);
  out[n++] = __sad(-5, 7, 1);
  out[n++] = __usad(7, 5, 1);
  out[n++] = __hadd(-3, 4);
  out[n++] = __rhadd(-3, 4);
  out[n++] = __funnelshift_l(0x80000000u, 1, 1);
  out[n++] = __funnelshift_r(0, 1, 31);
  out[n++] = __byte_perm(0x33221100, 0x77665544, 0x7530);
  out[n++] = __dp4a(0x01020304, 0x01010101, 100);
  out[n++] = min(3, -4);
  out[n++] = max(3u, 4u);
  out[n++] = min(5ll, 4ll);
}

__global__ void conversions_kernel(long long* out) {
  int n = 0;
  out[n++] = __float2int_rn(2.5f);
  out[n++] = __float2int_rn(3.5f);
  out[n++] = __float2int_rz(-2.7f);
  out[n++] = __float2int_ru(2.1f);
  out[n++] = __float2int_rd(-2.1f);
  out[n++] = __float2int_rn(1e20f);
  out[n++] = __float2int_rn(-1e20f);
  out[n++] = __float2int_rn(CUDART_NAN_F);
  out[n++] = __float2uint_rz(-1.0f);
  out[n++] = __double2int_rn(-0.5);
  out[n++] = __double2ll_rz(1e15 + 0.75);
  out[n++] = static_cast<long long>(__double2uint_rn(4294967295.0));
  out[n++] = __float_as_int(1.0f);
  out[n++] = __double_as_longlong(-2.0) == static_cast<long long>(0xc000000000000000ull);
  out[n++] = __double2hiint(1.0);
  out[n++] = __double2loint(1.0);
}

__global__ void reals_kernel(double* out) {
  int n = 0;
  out[n++] = rsqrtf(4.0f);
  out[n++] = rsqrt(0.25);
  out[n++] = fdividef(1.0f, 4.0f);
  out[n++] = __fdividef(3.0f, 2.0f);
  out[n++] = __fmaf_rn(2.0f, 3.0f, 1.0f);
  out[n++] = __fma_rn(2.0, 3.0, 1.0);
  out[n++] = fmaf(1.0f + 0x1p-23f, 1.0f + 0x1p-23f, -1.0f - 0x1p-22f) / 0x1p-46f;  // one rounding only
  out[n++] = __saturatef(1.5f) + __saturatef(-2.0f) + __saturatef(CUDART_NAN_F);
  out[n++] = __expf(0.0f);
  out[n++] = __logf(1.0f) + __sinf(0.0f) + __cosf(0.0f) + __powf(2.0f, 3.0f);
  float s, c;
  sincosf(0.0f, &s, &c);
  out[n++] = s + 2 * c;
  __sincosf(0.0f, &s, &c);
  out[n++] = s + 3 * c;
  out[n++] = sinpi(0.5) + cospi(1.0);
  out[n++] = min(1.0f, 2.0f) + max(1.0, 2.0);
  out[n++] = __uint_as_float(0x40490fdbu) == CUDART_PI_F;
  out[n++] = __hiloint2double(0x3ff00000, 0);
  out[n++] = __longlong_as_double(0x4000000000000000ll);
  out[n++] = __frcp_rn(4.0f) + __fsqrt_rn(4.0f) + __ddiv_rn(1.0, 2.0);
  out[n++] = rcbrtf(8.0f);
  out[n++] = norm3d(2.0, 3.0, 6.0);
}

__global__ void vectors_kernel(float4* out, const float4* in) {
  const float4 v = in[threadIdx.x];
  out[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
}
__global__ void hinted_kernel(const float* in, float* out) {
  __stcs(&out[0], __ldg(&in[0]) + __ldcs(&in[1]) + __ldcg(&in[2]) + __ldca(&in[3]));
  __stwt(&out[1], __ldcv(&in[4]));
}
__global__ void clocks_kernel(long long* out) {
  const long long begin = clock64();
  __nanosleep(100);
  out[threadIdx.x] = clock64() - begin;
}

template <class T, class Kernel>
void check_values(Kernel kernel, const std::vector<T>& expected) {
  device_array<T> d_out(expected.size());
  kernel<<<1, 1>>>(d_out.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<T> out = d_out.to_host();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(out[i] == expected[i]);
  }
}

}  // namespace

TEST_CASE("integers and bits") {
  check_values<long long>(bits_kernel,
                          {8,  64, 31, 32, 63, 4, 0, 41, 0x80000000ll, 1,   0xfffffffell, -1, 1, -1, 15,
                           -2, 15, 13, 3,  0,  1, 3, 2,  0x77553300ll, 110, -4,           4,  4});
}

TEST_CASE("conversions") {
  check_values<long long>(conversions_kernel,
                          {2, 4, -2, 3, -3, 2147483647, -2147483648ll, 0, 0, 0, 1000000000000000ll,
                           4294967295ll, 0x3f800000, 1, 0x3ff00000, 0});
}

TEST_CASE("real functions") {
  check_values<double>(reals_kernel,
                       {0.5, 2, 0.25, 1.5, 7, 7, 1, 1, 1, 9, 2, 3, 0, 3, 1, 1, 2, 2.75, 0.5, 7});
}

TEST_CASE("vector types") {
  static_assert(sizeof(float3) == 12 && alignof(float3) == 4);
  static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && alignof(float2) == 8);
  static_assert(sizeof(double2) == 16 && alignof(double2) == 16);
  static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4 && alignof(short2) == 4);
  device_array<float4> d_in(std::vector<float4>{{1, 2, 3, 4}, {5, 6, 7, 8}}), d_out(2);
  vectors_kernel<<<1, 2>>>(d_out.data(), d_in.data());
  const auto out = d_out.to_host();
  CHECK(out[1].x == 8);
  CHECK(out[1].w == 5);
  CHECK(make_int3(1, 2, 3).z == 3);
  CHECK(make_uchar4(1, 2, 3, 255).w == 255);
  const dim3 extent(5);
  CHECK(extent.y == 1);
}

TEST_CASE("cache hints, clocks") {
  device_array<float> d_in(std::vector<float>{1, 2, 3, 4, 5}), d_out(2);
  hinted_kernel<<<1, 1>>>(d_in.data(), d_out.data());
  CHECK(d_out.to_host() == std::vector<float>{10, 5});
  device_array<long long> d_times(40);
  clocks_kernel<<<1, 40>>>(d_times.data());
  for (const long long time : d_times.to_host()) CHECK(time > 0);
}
