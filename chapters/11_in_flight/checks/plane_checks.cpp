// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <stdexcept>
#include <utility>

#include "11_in_flight/checks/broken.hpp"
#include "11_in_flight/kernels/smooth_plane.hpp"
#include "common/device/device_attribute.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

bool has_tensor_maps() { return device_attribute(cudaDevAttrComputeCapabilityMajor) >= 9; }

}  // namespace

// Behind each row is NaN: a ghost that is read there shows.
TEST_CASE("planes are smoothed, by threads and by a tensor map") {
  for (const auto& size : {std::pair{1, 1}, {3, 70}, {70, 3}, {32, 16}, {33, 17}, {101, 50}}) {
    const int width = size.first, height = size.second;
    const plane<float> x(width, height, random_whole_numbers<float>(std::size_t(width * height)));
    const device_plane<float> d_x(x);
    device_plane<float> by_threads(width, height), by_map(width, height);
    smooth_by_threads(d_x, by_threads);
    CHECK(by_threads.to_host() == smooth_serial(x));
    if (!has_tensor_maps()) {
      CHECK_THROWS_AS(smooth_by_map(d_x, by_map), std::runtime_error);
      continue;
    }
    smooth_by_map(d_x, by_map);
    CHECK(by_map.to_host() == smooth_serial(x));
    CHECK_THROWS_AS(smooth_by_map({d_x.span().data() + 1, width, height, d_x.pitch()}, by_map),
                    std::invalid_argument);
  }
}

TEST_CASE("with a tensor map no thread loads a sample") {
  if (!has_tensor_maps()) return;
  const device_plane<float> x(plane<float>(320, 160));
  device_plane<float> y(320, 160);
  const auto launches = count_launches([&] { smooth_by_map(x, y); });
  if (!has_counts(launches)) return;
  CHECK(sum(launches).global_loads == 0);
  CHECK(sum(launches).global_stores == 320 * 160);
}

TEST_CASE("the checks refuse tiles that are wrong on purpose") {
  if (!has_tensor_maps()) return;
  CHECK(broken::wrong_copies(broken::plane_mistake::none) == 0);
  CHECK(broken::wrong_copies(broken::plane_mistake::corner_not_moved) > 0);
}
