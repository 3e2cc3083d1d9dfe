// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "common/compare.hpp"
#include "common/counted_check.hpp"
#include "common/inputs.hpp"
#include "convolve_register_tiled.hpp"

using namespace tutorial;

namespace {

const auto chosen = [](auto x, auto h, auto y, auto mode) { convolve_register_tiled(x, h, y, mode); };
const auto blocked = [](auto x, auto h, auto y, auto mode) { convolve_register_blocked(x, h, y, mode); };
const auto constant = [](auto x, auto h, auto y, auto mode) { convolve_constant_operands(x, h, y, mode); };
// The general checks have filters of all lengths: those that are too long for the vectors go another way.
const auto vectors = []<class T>(device_span<const T> x, device_span<const T> h, device_span<T> y,
                                 convolution_mode mode) {
  if (h.size() <= std::size_t(vectors_max_taps<T>)) return convolve_vectors(x, h, y, mode);
  convolve_register_blocked(x, h, y, mode);
};

/// Outputs of a block of convolve_register_blocked and convolve_constant_operands, and of convolve_vectors.
template <class T>
constexpr std::size_t block_outputs = 128 * 5 * 16 / sizeof(T);
template <class T>
constexpr std::size_t vectors_block_outputs = 128 * 16 / sizeof(T);

}  // namespace

TEST_CASE_TEMPLATE("every version computes the definition", T, std::int32_t, float, double) {
  SUBCASE("vectors") {
    CHECK(summary(convolution_failures<T>(on_device<T>(vectors), {.tile = vectors_block_outputs<T>})) == "");
  }
  SUBCASE("register blocked") {
    CHECK(summary(convolution_failures<T>(on_device<T>(blocked), {.tile = block_outputs<T>})) == "");
  }
  SUBCASE("constant operands") {
    CHECK(summary(convolution_failures<T>(on_device<T>(constant), {.tile = block_outputs<T>})) == "");
  }
  SUBCASE("chosen") {
    CHECK(summary(convolution_failures<T>(on_device<T>(chosen), {.tile = block_outputs<T>})) == "");
  }
}

TEST_CASE_TEMPLATE("every version keeps to its arrays", T, std::int32_t, float, double) {
  CHECK(summary(overrun_failures<T>(vectors, {.tile = vectors_block_outputs<T>})) == "");
  CHECK(summary(overrun_failures<T>(blocked, {.tile = block_outputs<T>})) == "");
  CHECK(summary(overrun_failures<T>(constant, {.tile = block_outputs<T>})) == "");
}
