// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a GPU approximates, computed accurately.
#include <cmath>

#include "emulator/export.hpp"

extern "C" {
EMULATOR_API float __expf(float x) noexcept { return std::exp(x); }
EMULATOR_API float __exp10f(float x) noexcept { return std::pow(10.0f, x); }
EMULATOR_API float __logf(float x) noexcept { return std::log(x); }
EMULATOR_API float __log2f(float x) noexcept { return std::log2(x); }
EMULATOR_API float __log10f(float x) noexcept { return std::log10(x); }
EMULATOR_API float __powf(float x, float y) noexcept { return std::pow(x, y); }
EMULATOR_API float __sinf(float x) noexcept { return std::sin(x); }
EMULATOR_API float __cosf(float x) noexcept { return std::cos(x); }
EMULATOR_API float __tanf(float x) noexcept { return std::tan(x); }
EMULATOR_API void __sincosf(float x, float* s, float* c) noexcept {
  *s = std::sin(x);
  *c = std::cos(x);
}
}
