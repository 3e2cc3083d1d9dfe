// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Instructions of PTX as numbers: the translator writes them, and the emulated device reads them.
#pragma once

#include <cstdint>

namespace cuda_emulator::ptx {

enum class operation : std::uint8_t {
  add,
  subtract,
  multiply_low,
  multiply_high,
  multiply_wide,
  fuse_low,
  fuse_high,
  fuse_wide,
  divide,
  remainder,
  minimum,
  maximum,
  absolute,
  negate,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  logical_not,
  shift_left,
  shift_right,
  funnel_left,
  funnel_right,
  extract_bits,
  insert_bits,
  reverse_bits,
  leading_zeros,
  count_bits,
  find_highest,
  permute_bytes,
  logic_of_three,
  dot_4,
  dot_2,
  sum_of_differences,
  copy_sign,
  power_of_two,
  logarithm,
  reciprocal,
  inverse_root,
  root,
  sine,
  cosine,
  hyperbolic_tangent,
  convert,
  convert_pair,
  compare,
  carry_out
};

/// Of an operand or a result. b16 and so on are bits whose meaning the instruction does not ask for.
enum class type : std::uint8_t {
  none,
  pred,
  u8,
  s8,
  b8,
  u16,
  s16,
  b16,
  u32,
  s32,
  b32,
  u64,
  s64,
  b64,
  f16,
  bf16,
  f16x2,
  bf16x2,
  f32,
  f64,
  tf32
};

constexpr int bits_of(type t) {
  switch (t) {
    case type::none:
      return 0;
    case type::pred:
      return 1;
    case type::u8:
    case type::s8:
    case type::b8:
      return 8;
    case type::u16:
    case type::s16:
    case type::b16:
    case type::f16:
    case type::bf16:
      return 16;
    case type::u64:
    case type::s64:
    case type::b64:
    case type::f64:
      return 64;
    default:
      return 32;
  }
}
constexpr bool is_signed(type t) {
  return t == type::s8 || t == type::s16 || t == type::s32 || t == type::s64;
}
constexpr bool is_pair(type t) { return t == type::f16x2 || t == type::bf16x2; }
constexpr bool is_small(type t) { return t == type::f16 || t == type::bf16 || is_pair(t); }
constexpr bool is_real(type t) { return is_small(t) || t == type::f32 || t == type::f64 || t == type::tf32; }

/// How results are rounded: rn, rz, rm (down), rp (up), rna (ties away from zero), and the same to integers.
enum class round : std::uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };

enum class comparison : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};

struct instruction {
  operation what;
  type of = type::none;    ///< Of the operation, or of the result where that is another one than `from`.
  type from = type::none;  ///< Of what is converted; of the second factor of dot products.
  round how = round::none;
  bool flushes = false, saturates = false, relu = false, keeps_nan = false;
  std::uint8_t mode =
      0;  ///< A comparison, a mode of prmt, clamp or wrap of shf, .shiftamt, the half of dp2a.
};

constexpr std::uint64_t encode(const instruction& i) {
  return static_cast<std::uint64_t>(i.what) | static_cast<std::uint64_t>(i.of) << 8 |
         static_cast<std::uint64_t>(i.from) << 16 | static_cast<std::uint64_t>(i.how) << 24 |
         static_cast<std::uint64_t>(i.flushes) << 32 | static_cast<std::uint64_t>(i.saturates) << 33 |
         static_cast<std::uint64_t>(i.relu) << 34 | static_cast<std::uint64_t>(i.keeps_nan) << 35 |
         static_cast<std::uint64_t>(i.mode) << 40;
}
constexpr instruction decode(std::uint64_t code) {
  return {static_cast<operation>(code & 255),
          static_cast<type>(code >> 8 & 255),
          static_cast<type>(code >> 16 & 255),
          static_cast<round>(code >> 24 & 255),
          (code >> 32 & 1) != 0,
          (code >> 33 & 1) != 0,
          (code >> 34 & 1) != 0,
          (code >> 35 & 1) != 0,
          static_cast<std::uint8_t>(code >> 40)};
}

/// Where an address is meant to point to.
enum class space : std::uint8_t { generic, global, shared, constant };
/// What an access says of its order among others.
enum class strength : std::uint8_t { weak, strong, acquire, release };

/// Numbers that a matrix instruction multiplies.
enum class factor : std::uint8_t { f16, bf16, tf32, s8, u8, f64 };
/// Numbers that it adds to.
enum class sum : std::uint8_t { f16, f32, s32, f64 };

struct matrix_shape {
  factor a, b;
  sum c, d;
  std::uint8_t m, k;  ///< n is 8.
  bool saturates = false;
};
constexpr std::uint64_t encode(const matrix_shape& s) {
  return static_cast<std::uint64_t>(s.a) | static_cast<std::uint64_t>(s.b) << 8 |
         static_cast<std::uint64_t>(s.c) << 16 | static_cast<std::uint64_t>(s.d) << 24 |
         std::uint64_t{s.m} << 32 | std::uint64_t{s.k} << 40 | std::uint64_t{s.saturates} << 48;
}
constexpr matrix_shape decode_shape(std::uint64_t code) {
  return {static_cast<factor>(code & 255),
          static_cast<factor>(code >> 8 & 255),
          static_cast<sum>(code >> 16 & 255),
          static_cast<sum>(code >> 24 & 255),
          static_cast<std::uint8_t>(code >> 32),
          static_cast<std::uint8_t>(code >> 40),
          (code >> 48 & 1) != 0};
}

}  // namespace cuda_emulator::ptx
