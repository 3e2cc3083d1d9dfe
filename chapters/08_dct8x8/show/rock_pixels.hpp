// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The 8x8 block that chapters 08 and 09 show in figures.
#pragma once

#include <array>
#include <cstdint>

namespace tutorial {

// clang-format off
/// Of data/gray.png, from row 296, column 64: rock in the sun.
inline constexpr std::array<std::uint8_t, 64> rock_pixels = {
  121, 128, 120, 132, 137, 143, 139, 140,
  111, 124, 117, 129, 131, 139, 148, 139,
  100, 107, 121, 130, 128, 141, 141, 143,
   89,  95, 117, 125, 128, 138, 132, 128,
   77,  96, 100, 108, 123, 120, 128, 130,
   79,  87,  86,  98,  96, 108, 103, 112,
   64,  80,  90,  90,  85,  92,  89,  95,
   77,  72,  75,  67,  72,  73,  67,  63};
// clang-format on

}  // namespace tutorial
