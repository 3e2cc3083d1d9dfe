// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Instructions of PTX as numbers: the translator writes them, and the emulated device reads them.
#pragma once

#include <cstdint>

namespace cuda_emulator::ptx {

// What the names mean: ptx.def.
enum class operation : std::uint8_t {
#define EMULATOR_OPERATION(name, of_integers, of_reals) name,
#include "ptx.def"
};
enum class type : std::uint8_t {
#define EMULATOR_TYPE(name, bits, kind) name,
#include "ptx.def"
};
enum class round : std::uint8_t {
#define EMULATOR_ROUND(name, direction) name,
#include "ptx.def"
};
enum class comparison : std::uint8_t {
#define EMULATOR_COMPARISON(name, less, equal, greater, unordered) name,
#include "ptx.def"
};

enum class type_kind : std::uint8_t { bits, natural, with_sign, real, pair };
struct type_facts {
  const char* name;
  int bits;
  type_kind kind;
};
inline constexpr type_facts types[] = {
#define EMULATOR_TYPE(name, bits, kind) {#name, bits, type_kind::kind},
#include "ptx.def"
};
constexpr int bits_of(type t) { return types[static_cast<int>(t)].bits; }
constexpr type_kind kind_of(type t) { return types[static_cast<int>(t)].kind; }
constexpr bool is_signed(type t) { return kind_of(t) == type_kind::with_sign; }
constexpr bool is_pair(type t) { return kind_of(t) == type_kind::pair; }
constexpr bool is_real(type t) { return kind_of(t) >= type_kind::real; }

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
