// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "who_holds_it.hpp"

using namespace tutorial;

namespace {

/// The bits of a whole number of fp16, 0 <= n <= 15.
std::uint32_t half_of(int n) {
  if (n == 0) return 0;
  int exponent = 0;
  while (n >> (exponent + 1) != 0) ++exponent;
  return std::uint32_t(15 + exponent) << 10 | (std::uint32_t(n) << (10 - exponent) & 1023);
}

int a_at(int row, int k) { return (7 * row + 3 * k + row * k) % 16; }
int b_at(int k, int column) { return (5 * k + 2 * column + k * column) % 13; }

void check_places(const std::string& name, int rows, int columns, int registers, int halves,
                  const std::function<place_in_warp(int, int)>& place_of) {
  std::map<std::tuple<int, int, int>, std::pair<int, int>> taken;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const place_in_warp at = place_of(row, column);
      const bool exists = at.lane >= 0 && at.lane < 32 && at.reg >= 0 && at.reg < registers && at.half >= 0 &&
                          at.half < halves;
      REQUIRE_MESSAGE(exists, name, ": element (", row, ", ", column, ") would be in lane ", at.lane,
                      ", register ", at.reg, ", half ", at.half, ", and there are 32 lanes, ", registers,
                      " registers and ", halves, " halves");
      const auto before = taken.emplace(std::tuple(at.lane, at.reg, at.half), std::pair(row, column));
      REQUIRE_MESSAGE(before.second, name, ": the elements (", before.first->second.first, ", ",
                      before.first->second.second, ") and (", row, ", ", column, ") would both be in lane ",
                      at.lane, ", register ", at.reg, ", half ", at.half);
    }
}

// What mma.sync takes the number for that it finds in a place: {row, k} of a, {k, column} of b, {row, column}
// of the sums.
using element = std::pair<int, int>;
element taken_for_a(const place_in_warp& at) {
  return {at.lane / 4 + 8 * (at.reg % 2), at.lane % 4 * 2 + at.half + 8 * (at.reg / 2)};
}
element taken_for_b(const place_in_warp& at) { return {at.lane % 4 * 2 + at.half + 8 * at.reg, at.lane / 4}; }
element taken_for_sum(const place_in_warp& at) {
  return {at.lane / 4 + 8 * (at.reg / 2), at.lane % 4 * 2 + at.reg % 2};
}

void check_elements(const std::string& name, int rows, int columns,
                    const std::function<place_in_warp(int, int)>& place_of,
                    const std::function<element(const place_in_warp&)>& taken_for) {
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const place_in_warp at = place_of(row, column);
      const element is = taken_for(at);
      const bool right = is == element(row, column);
      REQUIRE_MESSAGE(right, name, "(", row, ", ", column, ") says lane ", at.lane, ", register ", at.reg,
                      ", half ", at.half, ". What is there, mma.sync takes for element (", is.first, ", ",
                      is.second, ")");
    }
}

}  // namespace

TEST_CASE("a: each element has a place of its own") { check_places("a", 16, 16, 4, 2, place_of_a); }
TEST_CASE("b: each element has a place of its own") { check_places("b", 16, 8, 2, 2, place_of_b); }
TEST_CASE("sums: each element has a place of its own") { check_places("sums", 16, 8, 4, 1, place_of_sum); }

TEST_CASE("each element is where mma.sync looks for it") {
  check_places("a", 16, 16, 4, 2, place_of_a);
  check_places("b", 16, 8, 2, 2, place_of_b);
  check_places("sums", 16, 8, 4, 1, place_of_sum);
  check_elements("place_of_a", 16, 16, place_of_a, taken_for_a);
  check_elements("place_of_b", 16, 8, place_of_b, taken_for_b);
  check_elements("place_of_sum", 16, 8, place_of_sum, taken_for_sum);
}

TEST_CASE("the product of what is put there is found where the sums are") {
  check_places("a", 16, 16, 4, 2, place_of_a);
  check_places("b", 16, 8, 2, 2, place_of_b);
  check_places("sums", 16, 8, 4, 1, place_of_sum);
  std::array<std::array<std::uint32_t, 4>, 32> a{};
  std::array<std::array<std::uint32_t, 2>, 32> b{};
  for (int row = 0; row < 16; ++row)
    for (int k = 0; k < 16; ++k) {
      const place_in_warp of_a = place_of_a(row, k);
      a[std::size_t(of_a.lane)][std::size_t(of_a.reg)] |= half_of(a_at(row, k)) << 16 * of_a.half;
      if (row >= 8) continue;
      const place_in_warp of_b = place_of_b(k, row);
      b[std::size_t(of_b.lane)][std::size_t(of_b.reg)] |= half_of(b_at(k, row)) << 16 * of_b.half;
    }
  const std::array<std::array<float, 4>, 32> sums = product_of_registers(a, b);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      int expected = 0;
      for (int k = 0; k < 16; ++k) expected += a_at(row, k) * b_at(k, column);
      const place_in_warp at = place_of_sum(row, column);
      const float got = sums[std::size_t(at.lane)][std::size_t(at.reg)];
      REQUIRE_MESSAGE(got == float(expected), "element (", row, ", ", column, ") of the product is ",
                      expected, ", and register ", at.reg, " of lane ", at.lane, " holds ", got);
    }
}
