// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "15_many_gpus/checks/spread_checks.hpp"
#include "15_many_gpus/kernels/spread_filters.hpp"
#include "15_many_gpus/versions.hpp"
#include "common/device/device.hpp"
#include "common/verify/child_process.hpp"
#include "common/verify/counted_check.hpp"

using namespace tutorial;

namespace {

std::vector<int> first_devices(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Whether the left edge of a part, whose halo is this long on the left and one shorter on the right, is
/// computed by chapter 07's transforms, which keep what is between two kernels in memory of the filter.
bool keeps_transforms(std::size_t left) {
  const part_transform by = part_transform_of(2 * left, left, element_type::float32);
  return by.length > 0 && !by.one_pass;
}

/// Every version but the one that is wrong on purpose, on these devices.
template <class T>
void check_all(std::span<const int> devices) {
  for (const spread_version<T>& each : all_spread_versions<T>(devices)) {
    if (each.name.name == std::string(versions::no_exchange.name)) continue;
    CAPTURE(std::string(each.name.name));
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

TEST_CASE("loads from next door: as many parts as a launch describes, and no more") {
  const std::vector<std::int32_t> x = random_whole_numbers<std::int32_t>(333, 1), h(5, 1);
  std::vector<std::int32_t> y(x.size());
  spread_signal<std::int32_t> signal(h, x.size(), devices_in_turn(16));
  if (!signal.reaches_all()) return;  // two GPUs without access to each other
  signal.bring(x);
  filter_from_next_door(signal, 2);
  signal.take(y);
  CHECK((y == filtered_again<std::int32_t>(x, h, 2)));
  spread_signal<std::int32_t> more(h, x.size(), devices_in_turn(17));
  CHECK_THROWS_AS(filter_from_next_door(more, 1), std::invalid_argument);
}

TEST_CASE("right with a halo of several steps, whoever exchanges it in each of them") {
  for (int parts = 1; parts <= std::min(device_count(), 4); ++parts) {
    const std::vector<int> devices = first_devices(parts);
    for (const spread_version<std::int32_t>& each : all_spread_versions<std::int32_t>(devices)) {
      const std::string name = each.name.name;
      if (name == versions::no_exchange.name) continue;
      for (const std::size_t steps_each : {1, 2, 3, 5})
        for (const std::size_t odd : {0, 1}) {
          const auto any = [&](std::uint64_t which, std::uint64_t count) {
            return std::size_t(random_bits(100 * steps_each + 10 * odd + std::uint64_t(parts), which) %
                               count);
          };
          const std::size_t samples = 1 + any(0, 1500), taps = 2 + 2 * any(1, 8) - odd;
          const int steps = 1 + int(any(2, 6));
          CAPTURE(name);
          CAPTURE(parts);
          CAPTURE(steps_each);
          CAPTURE(samples);
          CAPTURE(taps);
          CAPTURE(steps);
          const auto x = random_whole_numbers<std::int32_t>(samples, 1),
                     h = random_whole_numbers<std::int32_t>(taps, 2);
          std::vector<std::int32_t> y(samples);
          spread_signal<std::int32_t> signal(h, samples, devices, steps_each);
          signal.bring(x);
          each.filter(signal, steps);
          signal.take(y);
          CHECK((y == filtered_again<std::int32_t>(x, h, steps)));
        }
    }
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
  // Each part is a signal of its own, with zeros beyond its ends.
  for (int p = 0; p < parts; ++p) {
    const sample_range own = signal.split().owned(p);
    const std::vector<std::int32_t> alone(own.size(), 1);
    CHECK(std::ranges::equal(filtered_again<std::int32_t>(alone, h, steps),
                             std::span(y).subspan(own.begin, own.size())));
  }
}

// Where the interior has as many outputs as an edge, a filter that both had would have one memory for two
// streams.
TEST_CASE("an interior as long as an edge, by a filter that has memory of its own") {
  if (device_count() < 2) return;
  const std::vector<int> devices = first_devices(2);
  std::size_t left = 1;
  while (left < 4096 && !keeps_transforms(left)) ++left;
  if (left == 4096)
    left = 32;  // by the prices of this device no filter does: it has to be right all the same
  const std::size_t right = left - 1, taps = left + right + 1, samples = 2 * (2 * left + right);
  CAPTURE(taps);
  const auto x = random_whole_numbers<float>(samples, 1), h = random_whole_numbers<float>(taps, 2, 2);
  const std::vector<float> expected = filtered_again<float>(x, h, 1);
  for (const spread_version<float>& each : all_spread_versions<float>(devices)) {
    if (each.name.name != std::string(versions::beside_interior.name)) continue;
    std::vector<float> y(samples);
    spread_signal<float> signal(h, samples, devices);
    for (int again = 0; again < 3; ++again) {
      signal.bring(x);
      each.filter(signal, 1);
      signal.take(y);
      for (float& value : y) value = std::round(value);  // transforms round
      CHECK((y == expected));
    }
  }
}

TEST_CASE("no thread without an output, but in the last block of a part") {
  const std::vector<std::int32_t> h(5, 1), x(4 * 1000, 1);
  const std::vector<int> devices = first_devices(std::min(device_count(), 4));
  const std::size_t own = x.size() / devices.size();
  for (const spread_version<std::int32_t>& each : spread_versions<std::int32_t>(devices)) {
    const std::size_t outputs = each.name.name == std::string(versions::from_next_door.name)    ? 1
                                : each.name.name == std::string(versions::flags_in_kernel.name) ? 4
                                                                                                : 0;
    if (outputs == 0) continue;  // others filter by kernels of earlier chapters
    spread_signal<std::int32_t> signal(h, x.size(), devices);
    signal.bring(x);
    const auto launches = count_launches([&] { each.filter(signal, 1); });
    if (!has_counts(launches)) return;
    CAPTURE(std::string(each.name.name));
    for (const launch_counts& launch : launches) {
      if (launch.kernel.find("kernel") == std::string::npos) continue;  // a copy of the first halo
      CHECK(launch.threads * outputs >= own);
      CHECK(launch.threads * outputs < own + 128 * outputs);
    }
  }
}

TEST_CASE("one signal after another in the same memory, and steps that are not given at once") {
  const std::vector<int> devices = devices_in_turn(4);
  const std::vector<std::int32_t> h = random_whole_numbers<std::int32_t>(7, 2, 3);
  for (const spread_version<std::int32_t>& each : all_spread_versions<std::int32_t>(devices)) {
    if (each.name.name == std::string(versions::no_exchange.name)) continue;
    CAPTURE(std::string(each.name.name));
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

TEST_CASE("parts do not wait forever for the flags of one whose launch fails") {
  const int parts = std::min(device_count(), 3);
  if (parts < 2) return;
  const std::vector<int> devices = first_devices(parts);
  const auto h = random_whole_numbers<std::int32_t>(5, 1), x = random_whole_numbers<std::int32_t>(2500, 2);
  for (const spread_version<std::int32_t>& each : spread_versions<std::int32_t>(devices)) {
    if (!each.needs_devices) continue;
    CAPTURE(std::string(each.name.name));
    spread_signal<std::int32_t> signal(h, x.size(), devices);
    for (int failing = 0; failing < parts; ++failing) {
      CAPTURE(failing);
      signal.bring(x);
      {
        // A stream takes nothing while it records a graph that has become invalid.
        const current_device_guard at(failing);
        const stream& work = signal.part(failing).work;
        check(cudaStreamBeginCapture(work, cudaStreamCaptureModeRelaxed));
        CHECK(cudaStreamSynchronize(work) != cudaSuccess);
        CHECK_THROWS_AS(each.filter(signal, 3), cuda_error);
        cudaGraph_t none = nullptr;
        CHECK(cudaStreamEndCapture(work, &none) != cudaSuccess);
        (void)cudaGetLastError();
      }
      signal.bring(x);
      each.filter(signal, 3);
      std::vector<std::int32_t> y(x.size());
      signal.take(y);
      CHECK((y == filtered_again<std::int32_t>(x, h, 3)));
    }
  }
}

TEST_CASE("access to another device's memory ends with the last signal that needs it") {
  if (device_count() < 2) return;
  const std::vector<int> devices = first_devices(2);
  if (!peer_access(devices).complete()) return;
  const std::vector<std::int32_t> h(5, 1), x(1000, 1);
  std::vector<std::int32_t> y(x.size());
  auto first = std::make_unique<spread_signal<std::int32_t>>(h, x.size(), devices);
  auto second = std::make_unique<spread_signal<std::int32_t>>(h, x.size(), devices);
  first.reset();
  second->bring(x);
  filter_from_next_door(*second, 2);
  second->take(y);
  CHECK((y == filtered_again<std::int32_t>(x, h, 2)));
  second.reset();
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  (void)cudaGetLastError();
}

TEST_CASE("no flags between devices whose link has no atomic operations") {
  if (device_count() < 2 || !current_device().emulated) return;  // a GPU's link is what it is
  setenv("EMULATOR_PEER_ATOMICS", "0", 1);
  for (const version_name& each : {versions::flags_between, versions::flags_in_kernel}) {
    const child_result child = run_myself("--no-check --variant " + std::string(each.name));
    CAPTURE(child.output);
    CHECK(child.status == 0);
    CHECK(child.output.find("versions with flags are left out") != std::string::npos);
    CHECK(child.output.find(each.label()) == std::string::npos);
  }
  unsetenv("EMULATOR_PEER_ATOMICS");
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
