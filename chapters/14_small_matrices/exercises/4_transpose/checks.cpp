// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "transpose.hpp"

using namespace tutorial;

namespace {

std::vector<std::uint16_t> transposed(const std::vector<std::uint16_t>& matrices) {
  const device_buffer<std::uint16_t> from(matrices);
  device_buffer<std::uint16_t> to(matrices.size());
  transpose(from, to);
  return to.to_host();
}

std::string element(std::size_t i) {
  return "(" + std::to_string(i / 8) + ", " + std::to_string(i % 8) + ")";
}

/// Which row or column of a matrix of 1 to 64 each row or each column of the result is.
std::string what_it_is() {
  std::vector<std::uint16_t> matrix(64);
  for (std::size_t i = 0; i < 64; ++i) matrix[i] = std::uint16_t(0x3C00 + i);  // all different
  const std::vector<std::uint16_t> got = transposed(matrix);
  if (got == matrix) return ". It is the matrix as it was";
  const auto line = [](const std::vector<std::uint16_t>& of, std::size_t begin, std::size_t step) {
    std::vector<std::uint16_t> values;
    for (std::size_t i = 0; i < 8; ++i) values.push_back(of[begin + i * step]);
    return values;
  };
  const auto name = [&](const std::vector<std::uint16_t>& values) -> std::string {
    if (values == std::vector<std::uint16_t>(8)) return "zeros";
    for (std::size_t k = 0; k < 8; ++k) {
      if (values == line(matrix, k, 8)) return "column " + std::to_string(k);
      if (values == line(matrix, 8 * k, 1)) return "row " + std::to_string(k);
    }
    return "";
  };
  for (const bool rows : {true, false}) {
    std::string text;
    bool known = true;
    for (std::size_t i = 0; i < 8; ++i) {
      const std::string of = name(rows ? line(got, 8 * i, 1) : line(got, i, 8));
      known = known && !of.empty();
      text += (i == 0 ? "" : ", ") + of;
    }
    if (known)
      return std::string(". It is as if the ") + (rows ? "rows" : "columns") +
             " of the result were, of the matrix, " + text;
  }
  return "";
}

void check_transposed(const std::vector<std::uint16_t>& matrices, const std::string& what) {
  const std::vector<std::uint16_t> got = transposed(matrices);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const std::size_t row = i / 8 % 8, column = i % 8;
    const std::uint16_t expected = matrices[i / 64 * 64 + 8 * column + row];
    REQUIRE_MESSAGE(got[i] == expected, what, ": element (", row, ", ", column, ") of matrix ", i / 64,
                    " should have the bits ", int(expected), ", and has ", int(got[i]));
  }
}

}  // namespace

TEST_CASE("one number that is not zero") {
  for (const std::size_t place : {0, 1, 7, 8, 21, 56, 62, 63}) {
    std::vector<std::uint16_t> matrix(64, 0);
    matrix[place] = 0x4200;  // 3
    const std::vector<std::uint16_t> got = transposed(matrix);
    std::string threes;
    for (std::size_t i = 0; i < 64; ++i)
      if (got[i] == 0x4200) threes += (threes.empty() ? "" : ", ") + element(i);
    std::vector<std::uint16_t> expected(64, 0);
    expected[place % 8 * 8 + place / 8] = 0x4200;
    REQUIRE_MESSAGE(got == expected, "the matrix has 3 at (row, column) ", element(place),
                    ", else 0; transposed it has 3 at ", element(place % 8 * 8 + place / 8),
                    ". The result has 3 at ", threes.empty() ? "no place" : threes,
                    got == expected ? "" : what_it_is());
  }
}
TEST_CASE("all numbers are different, the smallest and the largest too") {
  for (const std::size_t count : {1, 2, 100}) {
    std::vector<std::uint16_t> matrices(64 * count);
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      const std::uint16_t bits = std::uint16_t(random_bits(count, i));
      matrices[i] = (bits & 0x7C00) == 0x7C00 ? std::uint16_t(bits & 0xBFFF) : bits;
      if (matrices[i] == 0x8000) matrices[i] = 1;  // -0 plus 0 is 0
    }
    check_transposed(matrices, "random, " + std::to_string(count) + " at once");
  }
}
TEST_CASE("by mma.sync: -0 becomes 0, and an infinity is part of eight sums") {
  // 0 + 1 * -0 is 0. What is only moved keeps its sign.
  const std::vector<std::uint16_t> got = transposed(std::vector<std::uint16_t>(64, 0x8000));
  const auto kept = std::count(got.begin(), got.end(), 0x8000);
  CHECK_MESSAGE(kept == 0, "the matrix has -0 everywhere, which a sum of products turns into 0, and ", kept,
                " are -0 in the result: were they moved by shuffles or loads, and not multiplied?");
  // And 0 times infinity is no number: one infinity spoils the other seven sums that it is part of.
  std::vector<std::uint16_t> infinite(64, 0);
  infinite[10] = 0x7C00;
  const std::vector<std::uint16_t> spoiled = transposed(infinite);
  const auto nans =
      std::ranges::count_if(spoiled, [](std::uint16_t bits) { return (bits & 0x7FFF) > 0x7C00; });
  CHECK_MESSAGE(nans == 7,
                "the matrix has one infinity, which a product adds as 0 times infinity to 7 sums, and ", nans,
                " elements of the result are NaN: were they moved by shuffles or loads, and not multiplied?");
}
TEST_CASE("no matrix") { check_transposed({}, "no matrix"); }

TEST_CASE("the target: no shared memory, and words side by side") {
  const device_buffer<std::uint16_t> from(std::vector<std::uint16_t>(64 * 10, 1));
  device_buffer<std::uint16_t> to(64 * 10);
  const auto launches = count_launches([&] { transpose(from, to); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  const std::uint64_t shared = counts.shared_loads + counts.shared_stores;
  CHECK_MESSAGE(shared == 0, shared, " accesses to shared memory: a product needs none");
  const std::uint64_t sectors = counts.global_load_sectors + counts.global_store_sectors;
  CHECK_MESSAGE(sectors == 80, sectors, " sectors for 10 matrices, there and back: 80 are enough");
}
