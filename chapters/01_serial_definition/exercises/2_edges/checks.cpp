// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "edges.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "common/verify/inputs.hpp"

namespace tutorial {

struct looking {
  static number a_number(std::int64_t value) { return number(value); }
  static std::int64_t value(number one) { return one.value_; }
  static std::int64_t& products() { return number::products; }
};

}  // namespace tutorial

using namespace tutorial;

namespace {

using values = std::vector<std::int64_t>;

std::vector<number> numbers(const values& all) {
  std::vector<number> result;
  for (const std::int64_t value : all) result.push_back(looking::a_number(value));
  return result;
}

values whole(std::size_t count, std::uint64_t seed) {
  const auto random = random_whole_numbers<std::int32_t>(count, seed, 100);
  return {random.begin(), random.end()};
}

/// What the answer makes of a picture, poisoned beforehand; its products are counted.
plane<std::int64_t> filtered(const plane<std::int64_t>& x, const values& v, const values& h) {
  const int width = x.width + int(h.size()) - 1, height = x.height + int(v.size()) - 1;
  const plane<number> pixels(x.width, x.height, numbers(x.values));
  plane<number> y(width, height, looking::a_number(123456789));
  const auto v_numbers = numbers(v), h_numbers = numbers(h);
  looking::products() = 0;
  filter_picture(pixels, v_numbers, h_numbers, y);
  REQUIRE_MESSAGE((y.width == width && y.height == height), "y has another size afterwards");
  plane<std::int64_t> result(width, height);
  for (std::size_t i = 0; i < y.values.size(); ++i) result.values[i] = looking::value(y.values[i]);
  return result;
}

/// The definition, word for word.
plane<std::int64_t> expected(const plane<std::int64_t>& x, const values& v, const values& h) {
  plane<std::int64_t> y(x.width + int(h.size()) - 1, x.height + int(v.size()) - 1);
  for (int row = 0; row < x.height; ++row)
    for (int col = 0; col < x.width; ++col)
      for (int j = 0; j < std::ssize(v); ++j)
        for (int k = 0; k < std::ssize(h); ++k)
          y.at(row + j, col + k) += v[std::size_t(j)] * h[std::size_t(k)] * x.at(row, col);
  return y;
}

/// "" or the first pixel that differs.
std::string difference(const plane<std::int64_t>& actual, const plane<std::int64_t>& wanted) {
  std::ostringstream text;
  for (int row = 0; row < wanted.height; ++row)
    for (int col = 0; col < wanted.width; ++col)
      if (actual.at(row, col) != wanted.at(row, col)) {
        text << "y at row " << row << ", column " << col << " should be " << wanted.at(row, col)
             << ", and is " << actual.at(row, col);
        return text.str();
      }
  return "";
}

}  // namespace

TEST_CASE("a single pixel becomes the filter: v[j] h[k] below it and to its right") {
  plane<std::int64_t> x(5, 3);
  x.at(1, 2) = 1;
  const auto y = filtered(x, {1, 10, 100}, {2, 3});
  plane<std::int64_t> wanted(6, 5);
  wanted.at(1, 2) = 2, wanted.at(1, 3) = 3;
  wanted.at(2, 2) = 20, wanted.at(2, 3) = 30;
  wanted.at(3, 2) = 200, wanted.at(3, 3) = 300;
  const std::string wrong = difference(y, wanted);
  CHECK_MESSAGE(wrong.empty(),
                "5 x 3 pixels, only that at row 1, column 2 is 1; v = {1, 10, 100}, h = {2, 3}: ", wrong);
}

TEST_CASE("the edge between a dark and a bright half is found, and nothing else within the picture") {
  plane<std::int64_t> x(8, 6);
  for (int row = 0; row < 6; ++row)
    for (int col = 4; col < 8; ++col) x.at(row, col) = 50;
  const auto y = filtered(x, {1, 2, 1}, {1, 0, -1});  // smooth downwards, differences along the row
  const auto wanted = expected(x, {1, 2, 1}, {1, 0, -1});
  const std::string wrong = difference(y, wanted);
  CHECK_MESSAGE(
      wrong.empty(),
      "8 x 6 pixels, 0 in columns 0 to 3 and 50 behind them; v = {1, 2, 1}, h = {1, 0, -1}: ", wrong);
}

TEST_CASE("any picture, any two filters, at no more than J + K products for each pixel") {
  for (const auto& size : {std::array{1, 1}, {1, 7}, {7, 1}, {5, 4}, {33, 20}})
    for (const std::size_t v_taps : {1, 2, 3, 5, 21})
      for (const std::size_t h_taps : {1, 2, 4, 7, 34}) {
        const int width = size[0], height = size[1];
        const plane<std::int64_t> x(width, height, whole(std::size_t(width * height), v_taps));
        const values v = whole(v_taps, 31), h = whole(h_taps, 32);
        const auto y = filtered(x, v, h);
        const std::int64_t products = looking::products();
        const std::string what = std::to_string(width) + " x " + std::to_string(height) + " pixels, " +
                                 std::to_string(v_taps) + " taps in v, " + std::to_string(h_taps) + " in h: ";
        const std::string wrong = difference(y, expected(x, v, h));
        REQUIRE_MESSAGE(wrong.empty(), what, wrong);
        REQUIRE_MESSAGE(products > 0, "nothing was counted: use * of `number`");
        const auto most = std::int64_t(y.values.size() * (v_taps + h_taps));
        REQUIRE_MESSAGE(products <= most, what, products, " products for ", y.values.size(),
                        " pixels of y, and ", most, " are enough: ", v_taps + h_taps, " for each");
      }
}
