// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <numeric>
#include <stdexcept>

#include "15_many_gpus/checks/spread_checks.hpp"
#include "15_many_gpus/kernels/spread_filters.hpp"
#include "15_many_gpus/versions.hpp"

using namespace tutorial;

namespace {

std::vector<int> first_devices(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Every version but the one that is wrong on purpose, on these devices.
template <class T>
void check_all(std::span<const int> devices) {
  for (const spread_version<T>& each : all_spread_versions<T>(devices)) {
    if (each.name.name == std::string(versions::no_exchange.name)) continue;
    CAPTURE(each.name.name);
    CHECK(lines(spread_failures<T>(each.filter, devices, 1, each.steps_each)) == "");
  }
}

}  // namespace

TEST_CASE("right at every seam, a device for each part") {
  for (int parts = 1; parts <= device_count(); ++parts) {
    CAPTURE(parts);
    check_all<std::int32_t>(first_devices(parts));
  }
  check_all<float>(first_devices(device_count()));
  check_all<double>(first_devices(device_count()));
}

TEST_CASE("right at every seam, several parts on a device") {
  for (const int parts : {2, 3, 7, 16}) {
    CAPTURE(parts);
    check_all<std::int32_t>(std::vector<int>(static_cast<std::size_t>(parts), 0));
    check_all<std::int32_t>(devices_in_turn(parts));
  }
}

TEST_CASE("without an exchange, outputs are wrong near the seams and nowhere else") {
  constexpr std::size_t samples = 1000, taps = 5;
  constexpr int parts = 4, steps = 3;
  const std::vector<std::int32_t> x(samples, 1), h(taps, 1);  // positive: what is missing shows
  std::vector<std::int32_t> y(samples);
  const std::vector<int> devices = devices_in_turn(parts);
  spread_signal<std::int32_t> signal(h, samples, devices);
  signal.bring(x);
  filter_no_exchange(signal, steps);
  signal.take(y);
  const auto expected = filtered_again<std::int32_t>(x, h, steps);
  for (std::size_t n = 0; n < samples; ++n) {
    bool near = false;
    for (int p = 1; p < parts; ++p) {
      const std::size_t seam = signal.split().owned(p).begin, halo = steps * (taps / 2);
      near |= seam - halo <= n && n < seam + halo;
    }
    CAPTURE(n);
    CHECK((y[n] != expected[n]) == near);
  }
}

TEST_CASE("one signal after another in the same memory, and steps that are not given at once") {
  const std::vector<int> devices = devices_in_turn(4);
  const std::vector<std::int32_t> h = random_whole_numbers<std::int32_t>(7, 2, 3);
  for (const spread_version<std::int32_t>& each : all_spread_versions<std::int32_t>(devices)) {
    if (each.name.name == std::string(versions::no_exchange.name)) continue;
    CAPTURE(each.name.name);
    spread_signal<std::int32_t> signal(h, 333, devices, each.steps_each);
    for (const std::uint64_t seed : {1, 2}) {
      const auto x = random_whole_numbers<std::int32_t>(333, seed);
      std::vector<std::int32_t> y(x.size());
      signal.bring(x);
      each.filter(signal, 2);
      each.filter(signal, 1);
      each.filter(signal, 0);
      signal.take(y);
      CHECK(y == filtered_again<std::int32_t>(x, h, 3));
    }
  }
}

TEST_CASE("what cannot be is refused") {
  const std::vector<float> h(5, 1), x(9, 1);
  std::vector<float> y(8);
  const std::vector<int> none, one = {0}, missing = {device_count()};
  CHECK_THROWS_AS(spread_signal<float>(h, 9, none), std::invalid_argument);
  CHECK_THROWS_AS(spread_signal<float>(h, 0, one), std::invalid_argument);
  CHECK_THROWS_AS(spread_signal<float>(h, 9, one, 0), std::invalid_argument);
  CHECK_THROWS_AS(spread_signal<float>({}, 9, one), std::invalid_argument);
  CHECK_THROWS_AS(spread_signal<float>(h, 9, missing), cuda_error);
  spread_signal<float> signal(h, 9, one);
  CHECK_THROWS_AS(signal.bring(y), std::invalid_argument);
  signal.bring(x);
  CHECK_THROWS_AS(signal.take(y), std::invalid_argument);
}
