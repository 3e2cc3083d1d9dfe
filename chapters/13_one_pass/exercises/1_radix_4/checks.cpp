// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "radix_4.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/device/movement_counts.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/longest_way.hpp"

using namespace tutorial;

namespace {

constexpr int frequency[] = {0, 2, 1, 3};

std::vector<float2> answer(const std::vector<float2>& x) {
  const device_buffer<float2> d_x(x);
  device_buffer<float2> d_y(x.size());
  transforms_of_4(d_x, d_y);
  check(cudaDeviceSynchronize());
  return d_y.to_host();
}

/// Frequency f of four numbers: powers of -i.
float2 by_definition(const float2* x, int f) {
  float2 sum{0, 0};
  for (int k = 0; k < 4; ++k) {
    float2 value = x[k];
    for (int turn = 0; turn < k * f % 4; ++turn) value = {value.y, -value.x};
    sum = {sum.x + value.x, sum.y + value.y};
  }
  return sum;
}

std::string text(float2 value) {
  return std::to_string(int(value.x)) + (value.y < 0 ? " - " : " + ") +
         std::to_string(std::abs(int(value.y))) + "i";
}

void check_all(const std::vector<float2>& x, const std::string& what) {
  const std::vector<float2> y = answer(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int f = frequency[i % 4];
    const float2 right = by_definition(x.data() + i / 4 * 4, f);
    const bool same = y[i].x == right.x && y[i].y == right.y;
    REQUIRE_MESSAGE(same, what, ": y[", i, "], frequency ", f, ", should be ", text(right), ", and is ",
                    text(y[i]));
  }
}

}  // namespace

TEST_CASE("one number of the four is not zero") {
  for (int k = 0; k < 4; ++k) {
    std::vector<float2> x(4, float2{0, 0});
    x[std::size_t(k)] = {1, 0};
    check_all(x, "only x[" + std::to_string(k) + "] is 1");
    x[std::size_t(k)] = {0, 1};
    check_all(x, "only x[" + std::to_string(k) + "] is i");
  }
}

TEST_CASE("300 transforms of whole numbers") {
  const std::vector<float> re = random_whole_numbers<float>(1200, 1),
                           im = random_whole_numbers<float>(1200, 2);
  std::vector<float2> x;
  for (std::size_t i = 0; i < 1200; ++i) x.push_back({re[i], im[i]});
  check_all(x, "300 transforms");
}

TEST_CASE("no multiplication: an infinity stays one") {
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<float2> x(4, float2{0, 0});
    x[k].x = std::numeric_limits<float>::infinity();
    const std::vector<float2> y = answer(x);
    for (std::size_t p = 0; p < 4; ++p)
      REQUIRE_MESSAGE((!std::isnan(y[p].x) && !std::isnan(y[p].y)), "only x[", k,
                      "] is infinite: a part of y[", p,
                      "] is not a number. An infinity times 0 is none, and added or subtracted it stays one: "
                      "which multiplication is left?");
  }
}

TEST_CASE("each transform in the registers of one thread") {
  const device_buffer<float2> x(std::vector<float2>(1200, float2{1, 2}));
  device_buffer<float2> y(std::size_t{1200});
  const auto run = [&] { transforms_of_4(x, y); };
  check_longest_way(run, 200, "300 transforms", "Does one thread make more than one of them?");
  const auto launches = count_launches(run);
  if (!has_counts(launches)) return;
  const std::uint64_t loaded = sum(launches).global_load_bytes;
  CHECK_MESSAGE(
      loaded == 1200 * sizeof(float2), loaded,
      " bytes are loaded for 1200 numbers of 8 bytes: one thread loads the four of its transform once");
  const auto moved = count_movements(run);
  CHECK_MESSAGE(moved->kernels == 1, moved->kernels,
                " kernels (a library's transform counts as one): yours is to be the only one");
}
