// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "bits_reversed.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "13_one_pass/host/roots.hpp"
#include "common/device/check.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/longest_way.hpp"

using namespace tutorial;

namespace {

std::string text(float2 value) {
  return std::to_string(int(value.x)) + (value.y < 0 ? " - " : " + ") +
         std::to_string(value.y < 0 ? -int(value.y) : int(value.y)) + "i";
}

void check_length(int length) {
  const auto size = std::size_t(length);
  const int bits = log2_of(length);
  const std::vector<float> re = random_whole_numbers<float>(size, 1, 50),
                           im = random_whole_numbers<float>(size, 2, 50);
  std::vector<float2> x, h;
  for (std::size_t p = 0; p < size; ++p) x.push_back({re[p], im[p]});
  for (int f = 0; f <= length / 2; ++f) {
    const bool real = f == 0 || f == length / 2;  // of a real filter these two are
    h.push_back({float(f % 97 + 1), real ? 0.0f : float(f % 31 - 40)});
  }
  device_buffer<float2> d_x(x);
  const device_buffer<float2> d_h(h);
  multiply_bit_reversed(d_x, d_h);
  check(cudaDeviceSynchronize());
  const std::vector<float2> y = d_x.to_host();
  for (int p = 0; p < length; ++p) {
    const int f = reversed(p, bits);
    float2 filter = h[std::size_t(f > length / 2 ? length - f : f)];
    if (f > length / 2) filter.y = -filter.y;
    const float2 value = x[std::size_t(p)];
    const auto times = [&](float2 w) {
      return float2{value.x * w.x - value.y * w.y, value.x * w.y + value.y * w.x};
    };
    const float2 right = times(filter), got = y[std::size_t(p)];
    const float2 mirrored{filter.x, -filter.y}, other = times(mirrored);
    const std::string why = as_if<float>(
        {got.x, got.y},
        {{"nothing were multiplied", {value.x, value.y}},
         {"the filter had " + text(mirrored) + " there: is the value from the other half conjugated?",
          {other.x, other.y}}});
    const bool same = got.x == right.x && got.y == right.y;
    REQUIRE_MESSAGE(same, length, " numbers: place ", p, " is frequency ", f, ", where the filter has ",
                    text(filter), ": the product should be ", text(right), ", and is ", text(got), why);
  }
}

}  // namespace

TEST_CASE("four numbers") { check_length(4); }
TEST_CASE("two numbers: each is its own mirror image") { check_length(2); }
TEST_CASE("longer spectra, of an even and an odd number of bits") {
  check_length(256);
  check_length(2048);
}
TEST_CASE("a thread for each number") {
  device_buffer<float2> x(std::vector<float2>(2048, float2{1, 2}));
  const device_buffer<float2> h(std::vector<float2>(1025, float2{3, 0}));
  check_longest_way([&] { multiply_bit_reversed(x, h); }, 300, "2048 numbers",
                    "Does one thread do the work of others?");
}
