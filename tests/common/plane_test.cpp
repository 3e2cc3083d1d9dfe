// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "common/device/plane.hpp"
#include "common/program/pictures.hpp"
#include "common/show/counts_table.hpp"
#include "common/verify/test_picture.hpp"

using namespace tutorial;

namespace {

/// What one version with that result became in a table of 8 x 4 pixels.
struct outcome {
  version_table table;
  bool failed;
};
outcome table_of(const chapter_options& options, const std::vector<ready_version>& variants) {
  chapter_run run(options, current_device());
  version_table table = measure_planes(run, {"copy", 8, 4, "float"}, variants);
  return {table, run.failed()};
}

ready_version host_version(const std::string& name, bool right, int* calls = nullptr) {
  return {
      .name = name,
      .label = "00 " + name,
      .bytes = 256,
      .launch = [calls](int) { calls != nullptr && ++*calls; },
      .verify = [right]() -> verification {
        return {compare<float>(std::vector<float>{right ? 1.0f : 2.0f}, std::vector<float>{1.0f}), "seen"};
      },
      .on_device = false};
}

}  // namespace

TEST_CASE("a plane holds its rows one behind the other") {
  plane<int> values(3, 2, std::vector<int>{1, 2, 3, 4, 5, 6});
  CHECK(values.at(0, 2) == 3);
  CHECK(values.at(1, 0) == 4);
  CHECK(plane<int>(2, 2, 7).values == std::vector<int>{7, 7, 7, 7});
  CHECK(plane<int>(0, 5).values.empty());
  CHECK_THROWS_AS(plane<int>(-1, 5), std::invalid_argument);
  CHECK_THROWS_AS(plane<int>(2, 2, std::vector<int>(3)), std::invalid_argument);
}

TEST_CASE("a plane goes to the device and comes back, whatever its pitch") {
  const plane<float> values = test_picture(37, 5);
  device_plane<float> on_device(values);
  CHECK(on_device.pitch() >= 37 * sizeof(float));
  CHECK(on_device.to_host() == values);
  on_device.poison();
  CHECK(std::isnan(on_device.to_host().at(4, 36)));
  CHECK_THROWS_AS(on_device.copy_from(plane<float>(36, 5)), std::invalid_argument);
  CHECK(device_plane<short>(3, 2).to_host().at(1, 2) == short(0xA5A5));
  const device_plane<float> moved = std::move(on_device);
  CHECK(on_device.span().data() == nullptr);
  CHECK(moved.width() == 37);
}

TEST_CASE("the test picture is the same everywhere") {
  const plane<float> picture = test_picture(64, 48);
  float least = 255, most = 0;
  for (const float value : picture.values) {
    CHECK(value == std::floor(value));
    least = std::min(least, value);
    most = std::max(most, value);
  }
  CHECK(least >= 0);
  CHECK(most <= 255);
  CHECK(most - least > 100);
  CHECK(picture.at(0, 0) != picture.at(1, 1));
  CHECK(picture == test_picture(64, 48));
  CHECK_FALSE(picture == test_picture(64, 48, 2));
}

TEST_CASE("sets of planes: inputs are copies, outputs poisoned") {
  const plane<float> input = test_picture(9, 3);
  plane_sets<float, float> sets(input, 16, 8);
  CHECK(sets.size() >= 1);
  CHECK(sets.bytes() == (9 * 3 + 16 * 8) * sizeof(float));
  CHECK(sets.from(sets.size() - 1).width() == 9);
  CHECK(std::isnan(sets.output(0).to_host().at(7, 15)));
  const copy_times times = sets.measure_copies();
  CHECK(times.pageable_ms > 0);
  CHECK(times.pinned_ms > 0);
}

TEST_CASE("a table holds the versions that are wanted, and a wrong one fails the run and is not timed") {
  const chapter_options all;
  const outcome right = table_of(all, {host_version("a", true), host_version("b", true)});
  CHECK_FALSE(right.failed);
  REQUIRE(right.table.rows.size() == 2);
  CHECK(right.table.find("b")->label == "00 b");
  CHECK(right.table.find("b")->time.median_ms > 0);
  CHECK(right.table.find("c") == nullptr);
  CHECK(describe(right.table.rows[0].verified) == "exact, seen");

  chapter_options one;
  one.variant = "b";
  CHECK(table_of(one, {host_version("a", true), host_version("b", true)}).table.rows.size() == 1);

  const outcome wrong = table_of(all, {host_version("a", false)});
  CHECK(wrong.failed);
  CHECK(wrong.table.rows[0].time.median_ms == 0);
}

TEST_CASE("where nothing was counted, --counts says so") {
  chapter_options options;
  const auto printed = [&] {
    chapter_run run(options, current_device());
    std::ostringstream text;
    std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
    print(run, measure_planes(run, {"copy", 8, 4, "float"}, {host_version("a", true)}));
    std::cout.rdbuf(before);
    return text.str();
  };
  CHECK(printed().find(nothing_counted) == std::string::npos);
  options.counts = true;
  CHECK(printed().find(nothing_counted) != std::string::npos);
}

TEST_CASE("a version that would take too long is skipped, and not found") {
  int calls = 0;
  ready_version slow = host_version("slow", true, &calls);
  slow.too_large = true;
  const outcome result = table_of({}, {slow});
  CHECK(calls == 0);
  CHECK(result.table.rows[0].skipped);
  CHECK(result.table.find("slow") == nullptr);
  CHECK_FALSE(result.failed);
}

TEST_CASE("sets take turns") {
  std::vector<int> seen;
  ready_version turning = host_version("turning", true);
  turning.sets = 3;
  turning.launch = [&](int set) { seen.push_back(set); };
  table_of({}, {turning});
  REQUIRE(seen.size() > 6);
  CHECK(seen[0] == 0);  // verified
  for (std::size_t i = 0; i < seen.size(); ++i) CHECK((0 <= seen[i] && seen[i] < 3));
  CHECK(std::count(seen.begin(), seen.end(), 2) > 0);
}
