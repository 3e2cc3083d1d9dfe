// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Numbers of 8 bits. What is right is found by looking at a number's two neighbors; it holds on a GPU, too.
#include <cuda_fp8.h>

#include <cmath>
#include <limits>

#include "../emulator_test.hpp"

namespace {

struct format {
  __nv_fp8_interpretation_t kind;
  int fraction, bias, most;  // bits of fraction; the code of the largest number
  int beyond;                // what a number above it becomes without saturation
};
constexpr format formats[] = {{__NV_E4M3, 3, 7, 0x7e, 0x7f}, {__NV_E5M2, 2, 15, 0x7b, 0x7c}};

double value(const format& f, int code) {
  const int exponent = code >> f.fraction, fraction = code % (1 << f.fraction);
  if (exponent == 0) return std::ldexp(fraction, 1 - f.bias - f.fraction);
  return std::ldexp((1 << f.fraction) + fraction, exponent - f.bias - f.fraction);
}

__global__ void to_fp8_kernel(const double* x, int n, __nv_fp8_interpretation_t kind, unsigned char* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[2 * i] = __nv_cvt_double_to_fp8(x[i], __NV_SATFINITE, kind);
  y[2 * i + 1] = __nv_cvt_double_to_fp8(x[i], __NV_NOSAT, kind);
}

}  // namespace

TEST_CASE("fp8: a real number becomes the nearest of 8 bits, and of two the even one") {
  for (const format& f : formats) {
    CAPTURE(f.fraction);
    std::vector<double> x;
    std::vector<int> saturated, wide;
    const auto add = [&](double number, int code) {
      for (const int sign : {0, 0x80}) {
        x.push_back(sign != 0 ? -number : number);
        saturated.push_back(sign | (code > f.most ? f.most : code));
        wide.push_back(sign | (code > f.most ? f.beyond : code));
      }
    };
    for (int code = 0; code <= f.most; ++code) {
      const double here = value(f, code), next = value(f, code + 1), middle = (here + next) / 2;
      add(here, code);
      add(middle, code + code % 2);
      add(std::nextafter(middle, 0), code);
      add(std::nextafter(middle, next), code + 1);
    }
    add(1e5, 0x7f);
    add(std::numeric_limits<double>::infinity(), 0x7f);
    const int n = static_cast<int>(x.size());
    double* d_x;
    unsigned char* d_y;
    std::vector<unsigned char> y(2 * x.size());
    cudaMalloc(&d_x, x.size() * sizeof(double));
    cudaMalloc(&d_y, y.size());
    cudaMemcpy(d_x, x.data(), x.size() * sizeof(double), cudaMemcpyHostToDevice);
    to_fp8_kernel<<<(n + 63) / 64, 64>>>(d_x, n, f.kind, d_y);
    cudaMemcpy(y.data(), d_y, y.size(), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    for (int i = 0; i < n; ++i) {
      CAPTURE(x[i]);
      CHECK(y[2 * i] == saturated[i]);
      CHECK(y[2 * i + 1] == wide[i]);
      // Of the host, and from a float.
      CHECK(__nv_cvt_double_to_fp8(x[i], __NV_NOSAT, f.kind) == wide[i]);
      const float rounded = static_cast<float>(x[i]);
      if (rounded == x[i]) CHECK(__nv_cvt_float_to_fp8(rounded, __NV_SATFINITE, f.kind) == saturated[i]);
    }
    CHECK(__nv_cvt_float_to_fp8(-NAN, __NV_SATFINITE, f.kind) == 0x7f);
  }
}

TEST_CASE("fp8: all 256 are read back, one by one, in twos and in fours") {
  for (int code = 0; code < 256; ++code) {
    CAPTURE(code);
    const int size = code & 0x7f, sign = code & 0x80 ? -1 : 1;
    const auto bits = static_cast<unsigned char>(code);
    for (const format& f : formats) {
      const float got = __half2float(__half(__nv_cvt_fp8_to_halfraw(bits, f.kind)));
      if (size <= f.most)
        CHECK(got == sign * value(f, size));
      else if (f.kind == __NV_E5M2 && size == 0x7c)
        CHECK(got == sign * std::numeric_limits<float>::infinity());
      else
        CHECK(std::isnan(got));
    }
    if (size > 0x7b) continue;
    __nv_fp8_e4m3 one;
    __nv_fp8_e5m2 other;
    one.__x = other.__x = bits;
    CHECK(__nv_fp8_e4m3(static_cast<float>(one)).__x == code);
    CHECK(__nv_fp8_e5m2(static_cast<__half>(other)).__x == code);
    const __nv_fp8x2_e5m2 two(make_float2(static_cast<float>(other), 1));
    CHECK(two.__x == (0x3c << 8 | code));
    CHECK(static_cast<float2>(two).x == static_cast<float>(other));
    const __nv_fp8x4_e4m3 four(make_float4(1, 2, static_cast<float>(one), -1));
    CHECK(four.__x == (0xb8u << 24 | unsigned(code) << 16 | 0x4038));
    CHECK(static_cast<float4>(four).z == static_cast<float>(one));
  }
}
