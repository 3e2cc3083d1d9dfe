// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Inline PTX, instruction by instruction. What is expected is computed on the host, and holds on a GPU to the
// bit, except where a tolerance says that the hardware approximates.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "../copies.hpp"
#include "../emulator_test.hpp"

namespace {

using u32 = unsigned;
using u64 = unsigned long long;

/// Runs `kernel<<<blocks, threads>>>(in, out)` and returns what is in `out`.
template <class Out, class Kernel, class In>
std::vector<Out> run(Kernel kernel, const std::vector<In>& in, std::size_t size, unsigned threads = 1,
                     unsigned blocks = 1) {
  device_array<In> d_in(in);
  device_array<Out> d_out(std::vector<Out>(size, Out()));
  kernel<<<blocks, threads>>>(d_in.data(), d_out.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return d_out.to_host();
}

// One instruction of one, two or three operands, for thread i of operands 3 i, 3 i + 1, 3 i + 2.
#define INSTRUCTION_1(name, ptx, Out, out, In, in)        \
  __global__ void name(const In* x, Out* y) {             \
    const unsigned i = threadIdx.x;                       \
    Out result;                                           \
    asm(ptx " %0, %1;" : "=" out(result) : in(x[3 * i])); \
    y[i] = result;                                        \
  }
#define INSTRUCTION_2(name, ptx, Out, out, In, in)                              \
  __global__ void name(const In* x, Out* y) {                                   \
    const unsigned i = threadIdx.x;                                             \
    Out result;                                                                 \
    asm(ptx " %0, %1, %2;" : "=" out(result) : in(x[3 * i]), in(x[3 * i + 1])); \
    y[i] = result;                                                              \
  }
#define INSTRUCTION_3(name, ptx, Out, out, In, in)                                                    \
  __global__ void name(const In* x, Out* y) {                                                         \
    const unsigned i = threadIdx.x;                                                                   \
    Out result;                                                                                       \
    asm(ptx " %0, %1, %2, %3;" : "=" out(result) : in(x[3 * i]), in(x[3 * i + 1]), in(x[3 * i + 2])); \
    y[i] = result;                                                                                    \
  }

INSTRUCTION_2(add_kernel, "add.s32", u32, "r", u32, "r")
INSTRUCTION_2(add_sat_kernel, "add.sat.s32", u32, "r", u32, "r")
INSTRUCTION_2(sub_kernel, "sub.u32", u32, "r", u32, "r")
INSTRUCTION_2(sub_sat_kernel, "sub.sat.s32", u32, "r", u32, "r")
INSTRUCTION_2(mul_lo_kernel, "mul.lo.s32", u32, "r", u32, "r")
INSTRUCTION_2(mul_hi_s_kernel, "mul.hi.s32", u32, "r", u32, "r")
INSTRUCTION_2(mul_hi_u_kernel, "mul.hi.u32", u32, "r", u32, "r")
INSTRUCTION_2(mul_wide_s_kernel, "mul.wide.s32", u64, "l", u32, "r")
INSTRUCTION_2(mul_wide_u_kernel, "mul.wide.u32", u64, "l", u32, "r")
INSTRUCTION_3(mad_kernel, "mad.lo.u32", u32, "r", u32, "r")
INSTRUCTION_3(mad_hi_kernel, "mad.hi.s32", u32, "r", u32, "r")
INSTRUCTION_2(min_s_kernel, "min.s32", u32, "r", u32, "r")
INSTRUCTION_2(max_u_kernel, "max.u32", u32, "r", u32, "r")
INSTRUCTION_1(abs_kernel, "abs.s32", u32, "r", u32, "r")
INSTRUCTION_1(neg_kernel, "neg.s32", u32, "r", u32, "r")
INSTRUCTION_2(and_kernel, "and.b32", u32, "r", u32, "r")
INSTRUCTION_2(or_kernel, "or.b32", u32, "r", u32, "r")
INSTRUCTION_2(xor_kernel, "xor.b32", u32, "r", u32, "r")
INSTRUCTION_1(not_kernel, "not.b32", u32, "r", u32, "r")
INSTRUCTION_1(cnot_kernel, "cnot.b32", u32, "r", u32, "r")
INSTRUCTION_2(shl_kernel, "shl.b32", u32, "r", u32, "r")
INSTRUCTION_2(shr_u_kernel, "shr.u32", u32, "r", u32, "r")
INSTRUCTION_2(shr_s_kernel, "shr.s32", u32, "r", u32, "r")
INSTRUCTION_3(bfe_u_kernel, "bfe.u32", u32, "r", u32, "r")
INSTRUCTION_3(bfe_s_kernel, "bfe.s32", u32, "r", u32, "r")
INSTRUCTION_1(brev_kernel, "brev.b32", u32, "r", u32, "r")
INSTRUCTION_1(clz_kernel, "clz.b32", u32, "r", u32, "r")
INSTRUCTION_1(popc_kernel, "popc.b32", u32, "r", u32, "r")
INSTRUCTION_1(bfind_u_kernel, "bfind.u32", u32, "r", u32, "r")
INSTRUCTION_1(bfind_s_kernel, "bfind.s32", u32, "r", u32, "r")
INSTRUCTION_1(bfind_shift_kernel, "bfind.shiftamt.u32", u32, "r", u32, "r")
INSTRUCTION_3(prmt_kernel, "prmt.b32", u32, "r", u32, "r")
INSTRUCTION_3(prmt_f4e_kernel, "prmt.b32.f4e", u32, "r", u32, "r")
INSTRUCTION_3(prmt_b4e_kernel, "prmt.b32.b4e", u32, "r", u32, "r")
INSTRUCTION_3(prmt_rc8_kernel, "prmt.b32.rc8", u32, "r", u32, "r")
INSTRUCTION_3(prmt_ecl_kernel, "prmt.b32.ecl", u32, "r", u32, "r")
INSTRUCTION_3(prmt_ecr_kernel, "prmt.b32.ecr", u32, "r", u32, "r")
INSTRUCTION_3(prmt_rc16_kernel, "prmt.b32.rc16", u32, "r", u32, "r")
INSTRUCTION_3(shf_l_wrap_kernel, "shf.l.wrap.b32", u32, "r", u32, "r")
INSTRUCTION_3(shf_r_clamp_kernel, "shf.r.clamp.b32", u32, "r", u32, "r")
INSTRUCTION_3(dp4a_u_kernel, "dp4a.u32.u32", u32, "r", u32, "r")
INSTRUCTION_3(dp4a_su_kernel, "dp4a.s32.u32", u32, "r", u32, "r")
INSTRUCTION_3(dp2a_kernel, "dp2a.hi.s32.s32", u32, "r", u32, "r")
INSTRUCTION_3(sad_kernel, "sad.s32", u32, "r", u32, "r")

__global__ void lop3_kernel(const u32* x, u32* y) {
  const unsigned i = threadIdx.x;
  u32 result;
  asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(result) : "r"(x[3 * i]), "r"(x[3 * i + 1]), "r"(x[3 * i + 2]));
  y[i] = result;
}
__global__ void bfi_kernel(const u32* x, u32* y) {
  const unsigned i = threadIdx.x;
  u32 result;
  asm("bfi.b32 %0, %1, %2, 12, 7;" : "=r"(result) : "r"(x[3 * i]), "r"(x[3 * i + 1]));
  y[i] = result;
}

const std::vector<u32> words = {0u,          1u,          31u,         32u,         33u,
                                0x80000000u, 0x7fffffffu, 0xffffffffu, 0x12345678u, 0x9abcdef0u,
                                0xfffffffeu, 0x0000ff00u, 0x00010203u};

/// All triples of neighbors at three distances.
std::vector<u32> triples() {
  std::vector<u32> all;
  const std::size_t n = words.size();
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      all.push_back(words[a]);
      all.push_back(words[b]);
      all.push_back(words[(a + 2 * b + 1) % n]);
    }
  return all;
}

template <class Out>
void check_words(const char* name, void (*kernel)(const u32*, Out*), Out (*expected)(u32, u32, u32)) {
  CAPTURE(name);
  const std::vector<u32> in = triples();
  const auto threads = static_cast<unsigned>(in.size() / 3);
  const std::vector<Out> out = run<Out>(kernel, in, threads, threads);
  for (unsigned i = 0; i < threads; ++i) {
    const u32 a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    const Out wanted = expected(a, b, c);
    if (out[i] == wanted) continue;
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    CHECK(out[i] == wanted);
    return;
  }
}
#define CHECK_WORDS(kernel, ...)                                     \
  check_words<u32>(#kernel, kernel, [](u32 a, u32 b, u32 c) -> u32 { \
    (void)a, (void)b, (void)c;                                       \
    return __VA_ARGS__;                                              \
  })

using s32 = int;
using s64 = long long;
s64 clamp(s64 x) { return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x; }
u32 field(u32 a, u32 b, u32 c, bool with_sign) {
  const u32 from = b & 255, length = c & 255;
  u32 result = 0;
  const bool sign =
      with_sign && length != 0 && (a >> (from + length - 1 > 31 ? 31 : from + length - 1) & 1) != 0;
  for (u32 k = 0; k < 32; ++k)
    result |= static_cast<u32>(k < length && from + k < 32 ? a >> (from + k) & 1 : sign) << k;
  return result;
}
u32 bytes(u32 a, u32 b, int i0, int i1, int i2, int i3) {
  const u64 all = u64{b} << 32 | a;
  return static_cast<u32>((all >> 8 * i0 & 255) | (all >> 8 * i1 & 255) << 8 | (all >> 8 * i2 & 255) << 16 |
                          (all >> 8 * i3 & 255) << 24);
}

}  // namespace

TEST_CASE("integers: each instruction at the edges") {
  CHECK_WORDS(add_kernel, a + b);
  CHECK_WORDS(add_sat_kernel, static_cast<u32>(clamp(s64{s32(a)} + s32(b))));
  CHECK_WORDS(sub_kernel, a - b);
  CHECK_WORDS(sub_sat_kernel, static_cast<u32>(clamp(s64{s32(a)} - s32(b))));
  CHECK_WORDS(mul_lo_kernel, a * b);
  CHECK_WORDS(mul_hi_s_kernel, static_cast<u32>(s64{s32(a)} * s32(b) >> 32));
  CHECK_WORDS(mul_hi_u_kernel, static_cast<u32>(u64{a} * b >> 32));
  check_words<u64>("mul.wide.s32", mul_wide_s_kernel,
                   [](u32 a, u32 b, u32) { return u64(s64{s32(a)} * s32(b)); });
  check_words<u64>("mul.wide.u32", mul_wide_u_kernel, [](u32 a, u32 b, u32) { return u64{a} * b; });
  CHECK_WORDS(mad_kernel, a * b + c);
  CHECK_WORDS(mad_hi_kernel, static_cast<u32>(s64{s32(a)} * s32(b) >> 32) + c);
  CHECK_WORDS(min_s_kernel, s32(a) < s32(b) ? a : b);
  CHECK_WORDS(max_u_kernel, a > b ? a : b);
  CHECK_WORDS(abs_kernel, s32(a) < 0 ? 0u - a : a);
  CHECK_WORDS(neg_kernel, 0u - a);
  CHECK_WORDS(and_kernel, a & b);
  CHECK_WORDS(or_kernel, a | b);
  CHECK_WORDS(xor_kernel, a ^ b);
  CHECK_WORDS(not_kernel, ~a);
  CHECK_WORDS(cnot_kernel, a == 0 ? 1u : 0u);
  CHECK_WORDS(shl_kernel, b > 31 ? 0u : a << b);
  CHECK_WORDS(shr_u_kernel, b > 31 ? 0u : a >> b);
  CHECK_WORDS(shr_s_kernel, static_cast<u32>(s32(a) >> (b > 31 ? 31 : b)));
  CHECK_WORDS(sad_kernel, c + (s32(a) < s32(b) ? b - a : a - b));
}

TEST_CASE("bits and bytes") {
  CHECK_WORDS(bfe_u_kernel, field(a, b, c, false));
  CHECK_WORDS(bfe_s_kernel, field(a, b, c, true));
  CHECK_WORDS(bfi_kernel, (b & ~0x7f000u) | (a & 0x7f) << 12);
  CHECK_WORDS(brev_kernel, [](u32 x) {
    u32 r = 0;
    for (int k = 0; k < 32; ++k) r |= (x >> k & 1) << (31 - k);
    return r;
  }(a));
  CHECK_WORDS(clz_kernel, static_cast<u32>(std::countl_zero(a)));
  CHECK_WORDS(popc_kernel, static_cast<u32>(std::popcount(a)));
  CHECK_WORDS(bfind_u_kernel, 31u - static_cast<u32>(std::countl_zero(a)));
  CHECK_WORDS(bfind_s_kernel, 31u - static_cast<u32>(std::countl_zero(s32(a) < 0 ? ~a : a)));
  CHECK_WORDS(bfind_shift_kernel, a == 0 ? ~0u : static_cast<u32>(std::countl_zero(a)));
  CHECK_WORDS(prmt_kernel, [](u32 x, u32 y, u32 s) {
    u32 r = 0;
    for (int k = 0; k < 4; ++k) {
      const u32 nibble = s >> 4 * k & 15;
      u32 byte = bytes(x, y, static_cast<int>(nibble & 7), 0, 0, 0) & 255;
      if ((nibble & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
      r |= byte << 8 * k;
    }
    return r;
  }(a, b, c));
  // By the table of the PTX ISA, from the least byte of the result on.
  CHECK_WORDS(prmt_f4e_kernel, bytes(a, b, c % 4, c % 4 + 1, c % 4 + 2, c % 4 + 3));
  CHECK_WORDS(prmt_b4e_kernel, bytes(a, b, c % 4, (c % 4 + 7) % 8, (c % 4 + 6) % 8, (c % 4 + 5) % 8));
  CHECK_WORDS(prmt_rc8_kernel, bytes(a, b, c % 4, c % 4, c % 4, c % 4));
  CHECK_WORDS(prmt_ecl_kernel, c % 4 == 0   ? bytes(a, b, 0, 1, 2, 3)
                               : c % 4 == 1 ? bytes(a, b, 1, 1, 2, 3)
                               : c % 4 == 2 ? bytes(a, b, 2, 2, 2, 3)
                                            : bytes(a, b, 3, 3, 3, 3));
  CHECK_WORDS(prmt_ecr_kernel, c % 4 == 0   ? bytes(a, b, 0, 0, 0, 0)
                               : c % 4 == 1 ? bytes(a, b, 0, 1, 1, 1)
                               : c % 4 == 2 ? bytes(a, b, 0, 1, 2, 2)
                                            : bytes(a, b, 0, 1, 2, 3));
  CHECK_WORDS(prmt_rc16_kernel, c % 2 == 0 ? bytes(a, b, 0, 1, 0, 1) : bytes(a, b, 2, 3, 2, 3));
  CHECK_WORDS(shf_l_wrap_kernel, static_cast<u32>((u64{b} << 32 | a) << (c & 31) >> 32));
  CHECK_WORDS(shf_r_clamp_kernel, c > 31 ? b : static_cast<u32>((u64{b} << 32 | a) >> c));
  CHECK_WORDS(lop3_kernel, (a & b) | (a & c) | (b & c));
  CHECK_WORDS(dp4a_u_kernel, [](u32 x, u32 y, u32 z) {
    for (int k = 0; k < 32; k += 8) z += (x >> k & 255) * (y >> k & 255);
    return z;
  }(a, b, c));
  CHECK_WORDS(dp4a_su_kernel, [](u32 x, u32 y, u32 z) {
    for (int k = 0; k < 32; k += 8) z += static_cast<u32>(static_cast<signed char>(x >> k)) * (y >> k & 255);
    return z;
  }(a, b, c));
  CHECK_WORDS(dp2a_kernel,
              c + static_cast<u32>(static_cast<short>(a) * static_cast<signed char>(b >> 16) +
                                   static_cast<short>(a >> 16) * static_cast<signed char>(b >> 24)));
}

namespace {

// Numbers of 64 bits, of 16, carries, packing.
__global__ void wide_kernel(const u64* x, u64* y) {
  const u64 a = x[0], b = x[1];
  u64 r;
  asm("add.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  y[0] = r;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  y[1] = r;
  asm("mul.hi.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  y[2] = r;
  asm("shr.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(60));
  y[3] = r;
  u32 low, high;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(a));
  y[4] = high;
  y[5] = low;
  asm("mov.b64 %0, {%1, %2};" : "=l"(r) : "r"(high), "r"(low));
  y[6] = r;
  unsigned short h0, h1;
  asm("mov.b32 {%0, %1}, %2;" : "=h"(h0), "=h"(h1) : "r"(low));
  asm("mov.b32 %0, {%1, %2};" : "=r"(low) : "h"(h1), "h"(h0));
  y[7] = low;
  asm("clz.b64 %0, %1;" : "=r"(low) : "l"(b));
  y[8] = low;
  asm("brev.b64 %0, %1;" : "=l"(r) : "l"(b));
  y[9] = r;
  // Two words, as if they were 128 bits: the carry goes from instruction to instruction.
  u64 sum0, sum1;
  asm("add.cc.u64 %0, %2, %3;\n\t"
      "addc.u64 %1, %4, 0;"
      : "=l"(sum0), "=l"(sum1)
      : "l"(a), "l"(b), "l"(5ull));
  y[10] = sum0;
  y[11] = sum1;
  asm("sub.cc.u64 %0, %3, %2;\n\tsubc.u64 %1, %4, 0;" : "=l"(sum0), "=l"(sum1) : "l"(a), "l"(b), "l"(5ull));
  y[12] = sum0;
  y[13] = sum1;
  short s = -5;
  asm("mul.lo.s16 %0, %1, %2;" : "=h"(s) : "h"(s), "h"(static_cast<short>(7)));
  y[14] = static_cast<u64>(s);
  asm("div.s32 %0, %1, %2;" : "=r"(low) : "r"(-7), "r"(2));
  asm("rem.s32 %0, %1, %2;" : "=r"(high) : "r"(-7), "r"(2));
  y[15] = u64{high} << 32 | low;
}

// Predicates, names, declarations, comments, constants, special registers.
template <int n>
__global__ void forms_kernel(const u32* x, u32* y) {
  const unsigned i = threadIdx.x;
  u32 r = 7, q;
  asm volatile(
      "{\n\t"
      ".reg .pred p, q;  // two of them\n\t"
      ".reg .b32 t<3>; /* t0, t1, t2 */\n\t"
      "setp.lt.u32 p|q, %1, %2;\n\t"
      "mov.b32 t0, 0x10;\n\t"
      "add.s32 t1, t0, -1;\n\t"
      "selp.b32 t2, t0, t1, p;\n\t"
      "@p  add.u32 %0, %0, t2;\n\t"
      "@!p sub.u32 %0, %0, t2;\n\t"
      "@q  add.u32 %0, %0, 100;\n\t"
      "}"
      : "+r"(r)
      : "r"(x[i]), "n"(n));
  asm("mad.lo.u32 %0, %1, %2, 3;" : "=r"(q) : "r"(r), "n"(n + 1));
  y[4 * i] = r;
  y[4 * i + 1] = q;
  asm(R"(
    { .reg .u32 t;
      .reg .pred even, low, both;
      and.b32 t, %1, 1;
      setp.eq.s32 even, t, 0;
      setp.lo.and.u32 low, %1, 5, even;
      xor.pred both, low, even;
      not.pred both, both;
      selp.u32 %0, 1, 0, both; })"
      : "=r"(q)
      : "r"(x[i]));
  y[4 * i + 2] = q;
  asm("set.lt.u32.s32 %0, %1, 5;\n\tslct.u32.s32 %0, %0, 8, %1;" : "=r"(q) : "r"(static_cast<int>(x[i])));
  y[4 * i + 3] = q;
}

__global__ void special_kernel(const u32*, u32* y) {
  u32 v[8];
  asm("mov.u32 %0, %%tid.x; mov.u32 %1, %%ntid.x; mov.u32 %2, %%ctaid.x; mov.u32 %3, %%nctaid.x;"
      : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]));
  asm("mov.u32 %0, %%laneid;" : "=r"(v[4]));
  asm("mov.u32 %0, %lanemask_lt;" : "=r"(v[5]));  // nvcc knows both forms
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(v[6]));
  asm("{ .reg .u32 t; mov.u32 t, %%tid.x; add.u32 %0, t, WARP_SZ; }" : "=r"(v[7]));
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; ++k) y[8 * i + k] = v[k];
}

__global__ void clocks_kernel(const u32*, u64* y) {
  u64 before, after;
  u32 id, warp;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(after)::"memory");
  asm volatile("mov.u32 %0, %%smid; mov.u32 %1, %%warpid;" : "=r"(id), "=r"(warp));
  y[0] = before;
  y[1] = after;
  y[2] = id;
  y[3] = warp;
}

}  // namespace

TEST_CASE("64 and 16 bits, carries, packing") {
  const u64 a = 0xfedcba9876543210ull, b = 0x123456789abcdef0ull;
  const auto out = run<u64>(wide_kernel, std::vector<u64>{a, b}, 16);
  CHECK(out[0] == a + b);
  __extension__ typedef unsigned __int128 u128;
  __extension__ typedef __int128 s128;
  CHECK(out[1] == static_cast<u64>(u128{a} * b >> 64));
  CHECK(out[2] == static_cast<u64>(s128{static_cast<s64>(a)} * static_cast<s64>(b) >> 64));
  CHECK(out[3] == ~0ull);
  CHECK(out[4] == a >> 32);
  CHECK(out[5] == (a & 0xffffffff));
  CHECK(out[6] == (a << 32 | a >> 32));
  CHECK(out[7] == 0x32107654u);
  CHECK(out[8] == 3);
  CHECK(out[9] == 0x0f7b3d591e6a2c48ull);
  CHECK(out[10] == a + b);
  CHECK(out[11] == 6);
  CHECK(out[12] == b - a);
  CHECK(out[13] == 4);
  CHECK(static_cast<s64>(out[14]) == -35);
  CHECK(out[15] == 0xfffffffffffffffdull);
}

TEST_CASE("predicates, declarations, names, special registers") {
  const std::vector<u32> x = {0, 3, 4, 5, 9, 0x80000000u};
  const auto out = run<u32>(forms_kernel<5>, x, 4 * x.size(), static_cast<unsigned>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(x[i]);
    const u32 r = x[i] < 5 ? 7 + 16 : 7 - 15 + 100;
    CHECK(out[4 * i] == r);
    CHECK(out[4 * i + 1] == r * 6 + 3);
    const bool even = x[i] % 2 == 0, low = x[i] < 5 && even;
    CHECK(out[4 * i + 2] == (low == even ? 1u : 0u));
    CHECK(out[4 * i + 3] == (s32(x[i]) >= 0 ? (s32(x[i]) < 5 ? ~0u : 0u) : 8u));
  }
  const auto places = run<u32>(special_kernel, x, 8 * 3 * 70, 70, 3);
  for (u32 i = 0; i < 210; i += 23) {
    const u32* v = &places[8 * i];
    const u32 lane = i % 70 % 32;
    CHECK(v[0] == i % 70);
    CHECK(v[1] == 70);
    CHECK(v[2] == i / 70);
    CHECK(v[3] == 3);
    CHECK(v[4] == lane);
    CHECK(v[5] == (1u << lane) - 1);
    CHECK(v[6] == ~((1u << lane) - 1));
    CHECK(v[7] == i % 70 + 32);
  }
  const auto clocks = run<u64>(clocks_kernel, x, 4);
  CHECK(clocks[0] > 0);
  CHECK(clocks[1] > 0);
  CHECK(clocks[2] < 1000);
  CHECK(clocks[3] < 64);
}

namespace {

INSTRUCTION_2(add_f_kernel, "add.f32", float, "f", float, "f")
INSTRUCTION_2(add_rz_kernel, "add.rz.f32", float, "f", float, "f")
INSTRUCTION_2(add_rp_kernel, "add.rp.f32", float, "f", float, "f")
INSTRUCTION_2(add_ftz_kernel, "add.ftz.f32", float, "f", float, "f")
INSTRUCTION_2(mul_sat_kernel, "mul.sat.f32", float, "f", float, "f")
INSTRUCTION_2(sub_f_kernel, "sub.rn.f32", float, "f", float, "f")
INSTRUCTION_3(fma_kernel, "fma.rn.f32", float, "f", float, "f")
INSTRUCTION_3(fma_rm_kernel, "fma.rm.f32", float, "f", float, "f")
INSTRUCTION_2(min_f_kernel, "min.f32", float, "f", float, "f")
INSTRUCTION_2(max_f_kernel, "max.f32", float, "f", float, "f")
INSTRUCTION_2(max_nan_kernel, "max.NaN.f32", float, "f", float, "f")
INSTRUCTION_1(abs_f_kernel, "abs.f32", float, "f", float, "f")
INSTRUCTION_1(neg_f_kernel, "neg.f32", float, "f", float, "f")
INSTRUCTION_2(div_kernel, "div.rn.f32", float, "f", float, "f")
INSTRUCTION_1(rcp_kernel, "rcp.rn.f32", float, "f", float, "f")
INSTRUCTION_1(sqrt_kernel, "sqrt.rn.f32", float, "f", float, "f")
INSTRUCTION_2(copysign_kernel, "copysign.f32", float, "f", float, "f")
INSTRUCTION_1(ex2_kernel, "ex2.approx.f32", float, "f", float, "f")
INSTRUCTION_1(lg2_kernel, "lg2.approx.f32", float, "f", float, "f")
INSTRUCTION_1(rcp_approx_kernel, "rcp.approx.ftz.f32", float, "f", float, "f")
INSTRUCTION_1(rsqrt_kernel, "rsqrt.approx.f32", float, "f", float, "f")
INSTRUCTION_1(sqrt_approx_kernel, "sqrt.approx.f32", float, "f", float, "f")
INSTRUCTION_1(sin_kernel, "sin.approx.f32", float, "f", float, "f")
INSTRUCTION_1(tanh_kernel, "tanh.approx.f32", float, "f", float, "f")
INSTRUCTION_3(fma_d_kernel, "fma.rn.f64", double, "d", double, "d")
INSTRUCTION_2(add_rm_d_kernel, "add.rm.f64", double, "d", double, "d")

const float infinity = std::numeric_limits<float>::infinity(),
            tiny = std::numeric_limits<float>::denorm_min(),
            not_a_number = std::numeric_limits<float>::quiet_NaN();
const std::vector<float> reals = {0.0f,   -0.0f, 1.0f,     -1.5f,     0.1f,         3e38f,       -3e38f,
                                  1e-38f, tiny,  infinity, -infinity, not_a_number, 16777217.0f, 1 / 3.0f};

/// `tolerance` in relative terms; 0: the same bits, where one NaN is like any other.
void check_reals(const char* name, void (*kernel)(const float*, float*),
                 float (*expected)(float, float, float), float tolerance = 0) {
  CAPTURE(name);
  std::vector<float> in;
  for (const float a : reals)
    for (const float b : reals) in.insert(in.end(), {a, b, reals[in.size() / 3 % reals.size()]});
  const auto threads = static_cast<unsigned>(in.size() / 3);
  const std::vector<float> out = run<float>(kernel, in, threads, threads);
  for (unsigned i = 0; i < threads; ++i) {
    const float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2], wanted = expected(a, b, c);
    const bool same =
        std::bit_cast<u32>(out[i]) == std::bit_cast<u32>(wanted) || (out[i] != out[i] && wanted != wanted);
    const bool near = tolerance > 0 && std::fabs(out[i] - wanted) <= tolerance * std::fabs(wanted) + 1e-37f;
    if (same || near) continue;
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    CHECK(out[i] == wanted);
    return;
  }
}
#define CHECK_REALS(kernel, ...)                                        \
  check_reals(#kernel, kernel, [](float a, float b, float c) -> float { \
    (void)a, (void)b, (void)c;                                          \
    return __VA_ARGS__;                                                 \
  })
#define CHECK_NEAR(kernel, tolerance, ...)     \
  check_reals(                                 \
      #kernel, kernel,                         \
      [](float a, float b, float c) -> float { \
        (void)a, (void)b, (void)c;             \
        return __VA_ARGS__;                    \
      },                                       \
      tolerance)

float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }
/// The sum rounded toward zero, or up, by way of an exact one where doubles are enough.
float sum_toward(float a, float b, bool up) {
  const float near = a + b;
  if (!std::isfinite(near) && (!std::isfinite(a) || !std::isfinite(b))) return near;
  const long double exact = static_cast<long double>(a) + b;
  if (up) {
    const float r = static_cast<long double>(near) < exact ? std::nextafter(near, infinity) : near;
    return exact < -3.4028234663852886e38L && near == -infinity ? -3.40282347e38f : r;
  }
  if (std::isinf(near)) return std::copysign(3.40282347e38f, near);
  return std::fabs(static_cast<long double>(near)) > std::fabs(exact) ? std::nextafter(near, 0.0f) : near;
}

}  // namespace

TEST_CASE("real numbers: exact operations, roundings, special values") {
  CHECK_REALS(add_f_kernel, a + b);
  CHECK_REALS(sub_f_kernel, a - b);
  CHECK_REALS(add_ftz_kernel, flushed(flushed(a) + flushed(b)));
  CHECK_REALS(mul_sat_kernel, [](float p) { return p > 0 ? (p < 1 ? p : 1.0f) : 0.0f; }(a * b));
  CHECK_REALS(fma_kernel, std::fma(a, b, c));
  CHECK_REALS(min_f_kernel, a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b);
  CHECK_REALS(max_f_kernel, a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b);
  CHECK_REALS(max_nan_kernel, a != a || b != b ? not_a_number
                              : a == b         ? (std::signbit(a) ? b : a)
                              : a > b          ? a
                                               : b);
  CHECK_REALS(abs_f_kernel, std::fabs(a));
  CHECK_REALS(neg_f_kernel, -a);
  CHECK_REALS(div_kernel, a / b);
  CHECK_REALS(rcp_kernel, 1 / a);
  CHECK_REALS(sqrt_kernel, std::sqrt(a));
  CHECK_REALS(copysign_kernel, std::copysign(b, a));
  // Sums that double can hold: then the direction is all that matters.
  const std::vector<float> few = {1.0f,  0x1p-30f, 0, -1.0f, 0x1p-40f, 0, 16777216.0f, 1.5f, 0,
                                  -0.1f, 0x1p-27f, 0, 0.7f,  0.1f,     0};
  const auto zero = run<float>(add_rz_kernel, few, 5, 5), up = run<float>(add_rp_kernel, few, 5, 5);
  for (int i = 0; i < 5; ++i) {
    CHECK(zero[i] == sum_toward(few[3 * i], few[3 * i + 1], false));
    CHECK(up[i] == sum_toward(few[3 * i], few[3 * i + 1], true));
  }
  const auto down = run<float>(fma_rm_kernel, std::vector<float>{1.0f, 1.0f, -0x1p-30f}, 1);
  CHECK(down[0] == std::nextafter(1.0f, 0.0f));
  const auto doubles = run<double>(fma_d_kernel, std::vector<double>{0.1, 10.0, -1.0}, 1);
  CHECK(doubles[0] == std::fma(0.1, 10.0, -1.0));
  CHECK(run<double>(add_rm_d_kernel, std::vector<double>{1.0, -0x1p-80, 0}, 1)[0] ==
        std::nextafter(1.0, 0.0));
}

TEST_CASE("real numbers: what a GPU approximates") {
  CHECK_NEAR(ex2_kernel, 3e-7f, std::exp2(a));
  CHECK_NEAR(rcp_approx_kernel, 3e-7f, flushed(1 / flushed(a)));
  CHECK_NEAR(rsqrt_kernel, 5e-7f, static_cast<float>(1 / std::sqrt(static_cast<double>(a))));
  CHECK_NEAR(sqrt_approx_kernel, 5e-7f, std::sqrt(a));
  const std::vector<float> in = {8.0f, 0, 0, 0.25f, 0, 0, 3.0f, 0, 0};
  const auto logarithms = run<float>(lg2_kernel, in, 3, 3), sines = run<float>(sin_kernel, in, 3, 3),
             tangents = run<float>(tanh_kernel, in, 3, 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(std::fabs(logarithms[i] - std::log2(in[3 * i])) < 1e-6f);
    CHECK(std::fabs(sines[i] - std::sin(in[3 * i])) < 1e-5f);
    CHECK(std::fabs(tangents[i] - std::tanh(in[3 * i])) < 1e-3f);
  }
}

namespace {

// cvt to another type, through registers of 32 and 64 bits.
#define CONVERSION(name, ptx, Out, out, In, in)            \
  __global__ void name(const In* x, Out* y) {              \
    Out r;                                                 \
    asm(ptx " %0, %1;" : "=" out(r) : in(x[threadIdx.x])); \
    y[threadIdx.x] = r;                                    \
  }
CONVERSION(f32_to_s32, "cvt.rzi.s32.f32", s32, "r", float, "f")
CONVERSION(f32_to_s32_near, "cvt.rni.s32.f32", s32, "r", float, "f")
CONVERSION(f32_to_u32_up, "cvt.rpi.u32.f32", u32, "r", float, "f")
CONVERSION(f32_to_u8, "cvt.rmi.u8.f32", u32, "r", float, "f")
CONVERSION(f32_to_s8, "cvt.rni.s8.f32", s32, "r", float, "f")
CONVERSION(f32_to_s64, "cvt.rzi.s64.f32", s64, "l", float, "f")
CONVERSION(f32_whole, "cvt.rmi.f32.f32", float, "f", float, "f")
CONVERSION(f32_sat, "cvt.sat.f32.f32", float, "f", float, "f")
CONVERSION(f32_to_f16, "cvt.rn.f16.f32", unsigned short, "h", float, "f")
CONVERSION(f32_to_f16_zero, "cvt.rz.f16.f32", unsigned short, "h", float, "f")
CONVERSION(f32_to_bf16, "cvt.rn.bf16.f32", unsigned short, "h", float, "f")
CONVERSION(f32_to_tf32, "cvt.rna.tf32.f32", u32, "r", float, "f")
CONVERSION(f16_to_f32, "cvt.f32.f16", float, "f", unsigned short, "h")
CONVERSION(f64_to_f32, "cvt.rm.f32.f64", float, "f", double, "d")
CONVERSION(s32_to_f32_up, "cvt.rp.f32.s32", float, "f", s32, "r")
CONVERSION(u64_to_f32, "cvt.rn.f32.u64", float, "f", u64, "l")
CONVERSION(s8_to_s32, "cvt.s32.s8", s32, "r", s32, "r")
CONVERSION(s32_to_s8_sat, "cvt.sat.s8.s32", s32, "r", s32, "r")
CONVERSION(s32_to_u16_sat, "cvt.sat.u16.s32", u32, "r", s32, "r")
CONVERSION(u64_to_u32, "cvt.u32.u64", u32, "r", u64, "l")

__global__ void pairs_kernel(const float* x, u32* y) {
  u32 r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(x[0]), "f"(x[1]));
  y[0] = r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(x[0]), "f"(x[1]));
  y[1] = r;
  asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(x[0]), "f"(x[1]));
  y[2] = r;
  // {1.5, -2} * {3, 0.25} + {0.5, 100}, the low half first
  const u32 a = 0xc0003e00, b = 0x34004200, c = 0x56403800;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  y[3] = r;
  asm("add.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  y[4] = r;
  asm("mul.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  y[5] = r;
  asm("max.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  y[6] = r;
  asm("neg.f16x2 %0, %1;" : "=r"(r) : "r"(a));
  y[7] = r;
  unsigned short h;
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %1; fma.rn.f16 %0, low, high, low; }" : "=h"(h) : "r"(a));
  y[8] = h;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(0x3fc0c000), "r"(0x40403e80), "r"(0x3f0042c8));
  y[9] = r;
  u32 less;
  asm("{ .reg .pred p; setp.lt.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(less)
      : "h"(static_cast<unsigned short>(0xc000)), "h"(static_cast<unsigned short>(0x3e00)));
  y[10] = less;
  asm("{ .reg .pred p; setp.geu.f32 p, %1, 0f3F800000; selp.u32 %0, 1, 0, p; }" : "=r"(less) : "f"(x[2]));
  y[11] = less;
}

template <class Out, class In, class Kernel>
void check_conversion(const char* name, Kernel kernel, const std::vector<In>& in,
                      const std::vector<Out>& expected) {
  CAPTURE(name);
  const auto out = run<Out>(kernel, in, in.size(), static_cast<unsigned>(in.size()));
  for (std::size_t i = 0; i < in.size(); ++i) {
    CAPTURE(in[i]);
    CHECK(out[i] == expected[i]);
  }
}
#define CHECK_CONVERSION(kernel, in, ...) check_conversion(#kernel, kernel, in, __VA_ARGS__)

}  // namespace

TEST_CASE("conversions: roundings, saturation, widths") {
  const std::vector<float> x = {2.5f, -2.5f, 3.5f, -0.9f,    300.0f,      -300.0f,
                                3e9f, -3e9f, 5e9f, infinity, not_a_number};
  CHECK_CONVERSION(f32_to_s32, x,
                   std::vector<s32>{2, -2, 3, 0, 300, -300, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX, 0});
  CHECK_CONVERSION(f32_to_s32_near, x,
                   std::vector<s32>{2, -2, 4, -1, 300, -300, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX, 0});
  CHECK_CONVERSION(f32_to_u32_up, x, std::vector<u32>{3, 0, 4, 0, 300, 0, 3000000000u, 0, ~0u, ~0u, 0});
  CHECK_CONVERSION(f32_to_u8, x, std::vector<u32>{2, 0, 3, 0, 255, 0, 255, 0, 255, 255, 0});
  CHECK_CONVERSION(f32_to_s8, x, std::vector<s32>{2, -2, 4, -1, 127, -128, 127, -128, 127, 127, 0});
  CHECK_CONVERSION(f32_to_s64, x,
                   std::vector<s64>{2, -2, 3, 0, 300, -300, 3000000000ll, -3000000000ll, 5000000000ll,
                                    INT64_MAX, INT64_MIN});
  const std::vector<float> y = {2.5f, -2.5f, -0.25f, 7.0f};
  CHECK_CONVERSION(f32_whole, y, std::vector<float>{2, -3, -1, 7});
  CHECK_CONVERSION(f32_sat, y, std::vector<float>{1, 0, 0, 1});
  const std::vector<float> z = {1.0f, 65504.0f, 65520.0f, 1.00048828125f, 6e-8f, -0.1f};
  CHECK_CONVERSION(f32_to_f16, z,
                   std::vector<unsigned short>{0x3c00, 0x7bff, 0x7c00, 0x3c00, 0x0001, 0xae66});
  CHECK_CONVERSION(f32_to_f16_zero, z,
                   std::vector<unsigned short>{0x3c00, 0x7bff, 0x7bff, 0x3c00, 0x0001, 0xae66});
  CHECK_CONVERSION(f32_to_bf16, z,
                   std::vector<unsigned short>{0x3f80, 0x4780, 0x4780, 0x3f80, 0x3381, 0xbdcd});
  CHECK_CONVERSION(f32_to_tf32, (std::vector<float>{1.0f, 1 + 0x1p-11f, 1 + 0x1p-12f, -1 - 0x1p-11f}),
                   std::vector<u32>{0x3f800000, 0x3f802000, 0x3f800000, 0xbf802000});
  CHECK_CONVERSION(f16_to_f32, (std::vector<unsigned short>{0x3c00, 0x0001, 0xfc00, 0x3555}),
                   std::vector<float>{1, 0x1p-24f, -infinity, 0x1.554p-2f});
  CHECK_CONVERSION(f64_to_f32, (std::vector<double>{0.1, -0.1, 1e300}),
                   std::vector<float>{std::nextafter(0.1f, 0.0f), -0.1f, 3.40282347e38f});
  CHECK_CONVERSION(s32_to_f32_up, (std::vector<s32>{16777217, -16777217, 5}),
                   std::vector<float>{16777218, -16777216, 5});
  CHECK_CONVERSION(u64_to_f32, (std::vector<u64>{~0ull, 1ull << 40}), std::vector<float>{0x1p64f, 0x1p40f});
  const std::vector<s32> n = {0x1ff, 0x80, -1, 300, -300, 70000};
  CHECK_CONVERSION(s8_to_s32, n, std::vector<s32>{-1, -128, -1, 44, -44, 112});
  CHECK_CONVERSION(s32_to_s8_sat, n, std::vector<s32>{127, 127, -1, 127, -128, 127});
  CHECK_CONVERSION(s32_to_u16_sat, n, std::vector<u32>{0x1ff, 0x80, 0, 300, 0, 65535});
  CHECK_CONVERSION(u64_to_u32, (std::vector<u64>{0x123456789ull}), std::vector<u32>{0x23456789});
}

TEST_CASE("half numbers and pairs of them") {
  const auto out = run<u32>(pairs_kernel, std::vector<float>{1.5f, -2.0f, not_a_number}, 12);
  CHECK(out[0] == 0x3e00c000);  // the first operand is the high half
  CHECK(out[1] == 0x3fc0c000);
  CHECK(out[2] == 0x3e000000);
  CHECK(out[3] == 0x56384500);  // {5, 99.5}
  CHECK(out[4] == 0xbf004480);  // {4.5, -1.75}
  CHECK(out[5] == 0xb8004480);  // {4.5, -0.5}
  CHECK(out[6] == 0x34004200);
  CHECK(out[7] == 0x4000be00);
  CHECK(out[8] == 0xbe00);  // 1.5 * -2 + 1.5
  CHECK(out[9] == 0x40a042c7);
  CHECK(out[10] == 1);
  CHECK(out[11] == 1);
}
