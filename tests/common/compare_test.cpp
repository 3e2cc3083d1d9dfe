// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/verify/compare.hpp"
#include "common/verify/in_parts.hpp"
#include "scratch.hpp"

using namespace tutorial;

namespace {
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
using doubles = std::vector<double>;
}  // namespace

TEST_CASE("equal arrays agree exactly") {
  const agreement result = compare(doubles{1, -0.0, 3}, doubles{1, 0.0, 3});
  CHECK(result);
  CHECK(result.size == 3);
  CHECK(describe(result) == "exact");
  CHECK(compare(doubles{}, doubles{}));
  CHECK(describe(compare(doubles{}, doubles{})) == "nothing to compare");
}

TEST_CASE("without a bound the smallest difference is a mismatch") {
  const agreement result = compare(doubles{1, std::nextafter(2.0, 3.0)}, doubles{1, 2});
  CHECK_FALSE(result);
  CHECK(result.mismatches == 1);
  CHECK(result.first_index == 1);
}

TEST_CASE("the bound itself is allowed, more is not") {
  CHECK(compare(doubles{1.5}, doubles{1}, doubles{0.5}));
  CHECK_FALSE(compare(doubles{std::nextafter(1.5, 2.0)}, doubles{1}, doubles{0.5}));
  CHECK(compare(doubles{0.5}, doubles{1}, doubles{0.5}));
  CHECK_FALSE(compare(doubles{0.4}, doubles{1}, doubles{0.5}));
}

TEST_CASE("each element may be further off than its bound, as far as is said") {
  const auto compared = [](double actual, const doubles& bound) {
    return compare(doubles{actual}, doubles{1}, bound, non_finite::is_a_mismatch, 0.25);
  };
  CHECK(compared(1.75, {0.5}));
  CHECK(compared(1.75, {0.5}).worst_bound == 0.75);
  CHECK_FALSE(compared(std::nextafter(1.75, 2.0), {0.5}));
  CHECK(compared(0.75, {}));
  CHECK_FALSE(compared(std::nextafter(0.75, 0.0), {}));
  CHECK_FALSE(compare(doubles{1}, doubles{1.5}, doubles{9}, non_finite::is_a_mismatch, nan_value));
}

TEST_CASE("the worst element is where error / bound is largest, not where the error is") {
  const agreement result = compare(doubles{10, 1.5, 7}, doubles{9, 1, 7}, doubles{4, 1, 0});
  CHECK(result);
  CHECK(result.worst_index == 1);
  CHECK(result.worst_error == 0.5);
  CHECK(result.worst_bound == 1);
  CHECK(describe(result) == "error 0.5 <= 1");
  CHECK(compare(doubles{1.5, 10, 7}, doubles{1, 9, 7}, doubles{1, 4, 0}).worst_index == 0);
}

TEST_CASE("NaN and infinity never pass a check") {
  for (const double actual : {nan_value, infinity, -infinity, 1.0}) {
    for (const double expected : {nan_value, infinity, -infinity, 1.0}) {
      if (actual == 1 && expected == 1) continue;
      CAPTURE(actual);
      CAPTURE(expected);
      for (const double bound : {0.0, 1e300, infinity, nan_value}) {
        CAPTURE(bound);
        const agreement result = compare(doubles{0, actual}, doubles{0, expected}, doubles{0, bound});
        CHECK_FALSE(result);
        CHECK(result.first_index == 1);
        CHECK(result.worst_index == 1);
        CHECK(std::isinf(result.worst_error));
      }
    }
  }
  CHECK_FALSE(compare(doubles{1}, doubles{2}, doubles{nan_value}));
}

TEST_CASE("with must_agree NaN equals NaN, an infinity the same one, and nothing else") {
  const auto agrees = [](double actual, double expected) {
    return bool(compare(doubles{actual}, doubles{expected}, doubles{1e300}, non_finite::must_agree));
  };
  CHECK(agrees(nan_value, nan_value));
  CHECK(agrees(infinity, infinity));
  CHECK(agrees(-infinity, -infinity));
  CHECK_FALSE(agrees(infinity, -infinity));
  CHECK_FALSE(agrees(nan_value, infinity));
  CHECK_FALSE(agrees(1, nan_value));
  CHECK_FALSE(agrees(nan_value, 1));
  CHECK_FALSE(agrees(infinity, 1));
  CHECK(agrees(1, 2));
}

TEST_CASE("integers: differences beyond 32 bits are seen") {
  const std::vector<std::int32_t> low = {std::numeric_limits<std::int32_t>::min(), 5};
  const std::vector<std::int32_t> high = {std::numeric_limits<std::int32_t>::max(), 5};
  const agreement result = compare(low, high);
  CHECK(result.mismatches == 1);
  CHECK(result.worst_error == 4294967295.0);
}

TEST_CASE("different lengths are an error of the caller") {
  CHECK_THROWS_AS(compare(doubles{1}, doubles{1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(compare(doubles{1, 2}, doubles{1, 2}, doubles{1}), std::invalid_argument);
}

TEST_CASE("a copy that was given elements for bytes looks like that") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto told = [&](std::size_t size, std::size_t right, std::size_t bytes) {
    std::vector<double> actual(size, 1.0);
    std::fill(actual.begin() + std::ptrdiff_t(right), actual.end(), nan);
    return bytes_forgotten(compare(actual, doubles(size, 1.0)), bytes);
  };
  CHECK(told(256, 64, 4) ==
        "only the first quarter is right, which is what a copy of 256 bytes brings. Its size counts "
        "bytes, not elements: elements times sizeof()");
  CHECK(told(1023, 255, 4).starts_with("only the first quarter"));
  CHECK(told(16, 2, 8).starts_with("only the first 1/8 is right"));
  CHECK(told(9, 4, 2).starts_with("only the first half is right"));
  // Another part, none, all, elements of one byte.
  for (const auto& [size, right, bytes] : {std::array<std::size_t, 3>{256, 65, 4},
                                           {256, 63, 4},
                                           {3, 0, 4},
                                           {0, 0, 4},
                                           {256, 256, 4},
                                           {256, 64, 1}})
    CHECK(told(size, right, bytes) == "");
  // A gap, and numbers that something has computed.
  doubles gap(256, 1.0), wrong(256, 1.0);
  std::fill(gap.begin() + 64, gap.end() - 1, nan);
  std::fill(wrong.begin() + 64, wrong.end(), 2.0);
  CHECK(bytes_forgotten(compare(gap, doubles(256, 1.0)), 4) == "");
  CHECK(bytes_forgotten(compare(wrong, doubles(256, 1.0)), 4) == "");
  std::vector<std::int32_t> never(8, std::int32_t(0xA5A5A5A5));
  never[0] = never[1] = 1;
  CHECK(bytes_forgotten(compare(never, std::vector<std::int32_t>(8, 1)), 4) != "");
}

TEST_CASE("a mismatch is described by number, place, got and expected") {
  std::vector<float> actual(5000, 1), expected(5000, 1);
  for (std::size_t i = 3000; i < 5000; ++i) actual[i] = 2;
  actual[4000] = 9;
  const std::string text = describe(compare(actual, expected));
  CHECK(contains(text, "2,000 of 5,000"));
  CHECK(contains(text, "first at index 3000"));
  CHECK(contains(text, "got "));
  CHECK(contains(text, "expected 1"));
  CHECK_FALSE(contains(text, "allowed"));  // they are to be equal
  CHECK(describe(compare(doubles{1, 2, 7}, doubles{1, 1, 3}, doubles{0.5, 0.5, 0.5})) ==
        "WRONG: 2 of 3, the first at index 1, the worst at index 2: got 7, expected 3, off by 4, "
        "and 0.5 is allowed");
  // Each is near enough, and all of them together are not.
  CHECK(describe(compare_as_a_whole(doubles{2, 2}, doubles{1, 1}, {}, 1.5, 0.5)) ==
        "WRONG: 1 of 2, the first at index 0: got 2, expected 1, off in total (the norm of all errors) by "
        "1.4, and 0.5 is allowed");
}

TEST_CASE("dot_product_bound: K eps sum, and nothing for integers") {
  const std::vector<double> sums = {2, 0};
  const auto bound = dot_product_bound<double>(4, std::span<const double>(sums));
  CHECK(bound.size() == 2);
  CHECK(bound[0] == doctest::Approx(4 * 0x1p-52 * 2));
  CHECK(bound[0] >= 4 * 0x1p-52 * 2);
  CHECK(bound[1] < 1e-300);
  const std::vector<float> float_sums = {2};
  CHECK(dot_product_bound<float>(4, std::span<const float>(float_sums))[0] ==
        doctest::Approx(4 * 0x1p-23 * 2));
  const std::vector<std::int32_t> whole = {2};
  CHECK(dot_product_bound<std::int32_t>(4, std::span<const std::int32_t>(whole)).empty());
}

TEST_CASE("an integer that nobody has written is told by what it was filled with") {
  using integers = std::vector<std::int32_t>;
  const auto poison = static_cast<std::int32_t>(0xA5A5A5A5);
  const agreement result = compare(integers{1, poison, poison}, integers{1, 2, 3});
  CHECK_FALSE(result);
  const auto told = [](const std::string& elements, const std::string& got, int expected) {
    return "WRONG: " + elements + "; got " + got + ", expected " + std::to_string(expected) +
           ". The output is filled with " + got.substr(0, got.find(' ')) +
           " before the call: was it never written?";
  };
  CHECK(describe(result) == told("2 of 3, the first at index 1", "0xA5A5A5A5 at index 1", 2));
  CHECK(describe(result, "who knows?").ends_with("at index 1, expected 2: who knows?"));
  CHECK(describe(compare(std::vector<std::int16_t>{static_cast<std::int16_t>(0xA5A5)}, {5})) ==
        told("1 of 1, the first at index 0", "0xA5A5 at index 0", 5));
  CHECK(describe(compare(std::vector<std::uint8_t>{0xA5}, {5})) ==
        told("1 of 1, the first at index 0", "0xA5 at index 0", 5));
  // Another wrong number, a number that happens to be right, and the same bits as float.
  CHECK(describe(compare(integers{7}, integers{2})).find("got 7, expected 2") != std::string::npos);
  CHECK(describe(compare(integers{poison}, integers{poison})) == "exact");
  CHECK(describe(compare(doubles{-1515870811.0}, doubles{2})).find("was it") == std::string::npos);
}

TEST_CASE("long arrays are compared in parts, with the same result") {
  const std::size_t size = 5 * (std::size_t{1} << 18) + 3;
  const doubles expected(size, 1.0), bound(size, 0.5);
  for (const std::size_t at : {std::size_t{0}, size / 2, size / 2 + 1, size - 1}) {
    CAPTURE(at);
    doubles actual = expected;
    actual[at] = 1.25;
    CHECK(compare(actual, expected, bound).worst_index == at);
    actual[at] = nan_value;
    const agreement wrong = compare(actual, expected, bound);
    CHECK(wrong.mismatches == 1);
    CHECK(wrong.first_index == at);
    CHECK(wrong.worst_index == at);
  }
  doubles actual = expected;
  for (const std::size_t at : {std::size_t{7}, size / 2, size - 2}) actual[at] = 3;
  actual[size / 2 + 5] = 4;
  const agreement several = compare(actual, expected, bound);
  CHECK(several.mismatches == 4);
  CHECK(several.first_index == 7);
  CHECK(several.worst_index == size / 2 + 5);
  actual[size / 2 + 5] = 3;
  CHECK(compare(actual, expected, bound).worst_index == 7);  // the first of equals
  CHECK_FALSE(compare_as_a_whole(actual, expected, doubles(size, 1e-3), 2, 1e-3));
  CHECK(compare_as_a_whole(actual, expected, doubles(size, 1e-2), 2, 4));
}

TEST_CASE("parts hold each element once, in order") {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, (std::size_t{1} << 18) + 1, std::size_t{3'000'001}}) {
    CAPTURE(size);
    const std::size_t parts = part_count(size);
    CHECK(parts >= 1);
    std::vector<std::pair<std::size_t, std::size_t>> found(parts, {size + 1, size + 1});
    in_parts(size, [&](std::size_t part, std::size_t begin, std::size_t end) { found[part] = {begin, end}; });
    std::size_t at = 0;
    for (const auto& [begin, end] : found) {
      CHECK(begin == at);
      CHECK(end >= begin);
      at = end;
    }
    CHECK(at == size);
    CHECK(sum_in_parts(size, [](std::size_t i) { return double(i); }) ==
          double(size) * (double(size) - 1) / 2);
  }
}
