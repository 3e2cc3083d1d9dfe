// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What random generators need that is too much for a header: skipping ahead, and Philox's rounds.
#include "curand_kernel.h"

namespace cuda_emulator {
namespace {

/// A linear map of 160 bits: where each of them goes.
struct bit_matrix {
  xorwow_words of[160];
};

xorwow_words apply(const bit_matrix& matrix, const xorwow_words& words) {
  xorwow_words result{};
  for (unsigned i = 0; i < 160; ++i) {
    if ((words.v[i / 32] >> i % 32 & 1) == 0) continue;
    for (int k = 0; k < 5; ++k) result.v[k] ^= matrix.of[i].v[k];
  }
  return result;
}

/// powers[k] does 2^k steps; a step is linear, since it only shifts and takes differences. A subsequence is
/// 2^67 steps.
struct power_table {
  static constexpr int sequence = 67, count = sequence + 64;
  bit_matrix powers[count];

  power_table() {
    for (unsigned i = 0; i < 160; ++i) {
      xorwow_words w{};
      w.v[i / 32] = 1u << i % 32;
      const unsigned t = w.v[0] ^ w.v[0] >> 2;
      powers[0].of[i] = {{w.v[1], w.v[2], w.v[3], w.v[4], w.v[4] ^ w.v[4] << 4 ^ t ^ t << 1}};
    }
    for (int k = 1; k < count; ++k)
      for (unsigned i = 0; i < 160; ++i) powers[k].of[i] = apply(powers[k - 1], powers[k - 1].of[i]);
  }
};

}  // namespace

xorwow_words xorwow_after(xorwow_words words, unsigned long long steps, unsigned long long sequences) {
  if (steps == 0 && sequences == 0) return words;
  static const power_table& table = *new power_table;
  for (int k = 0; steps != 0; ++k, steps >>= 1)
    if ((steps & 1) != 0) words = apply(table.powers[k], words);
  for (int k = power_table::sequence; sequences != 0; ++k, sequences >>= 1)
    if ((sequences & 1) != 0) words = apply(table.powers[k], words);
  return words;
}

/// Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011), with their constants.
uint4 philox_4x32_10(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = {static_cast<unsigned>(b >> 32) ^ c.y ^ key.x, static_cast<unsigned>(b),
         static_cast<unsigned>(a >> 32) ^ c.w ^ key.y, static_cast<unsigned>(a)};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}

}  // namespace cuda_emulator
