// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "diagonals.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

const auto answer = [](auto x, auto h, auto y, auto) { convolve_diagonals(x, h, y); };

}  // namespace

TEST_CASE("one tap, and each output is the sample that the tap asks for") {
  constexpr int samples = 100, taps = 40;
  std::vector<float> x(samples);
  std::iota(x.begin(), x.end(), 1.0f);  // x[n] = n + 1: a value tells which sample it is, and 0 a ghost
  const auto name = [](int m) {
    return m < 0 || m >= samples ? "x[" + std::to_string(m) + "], a ghost" : "x[" + std::to_string(m) + "]";
  };
  for (int j = 0; j < taps; ++j) {
    std::vector<float> h(taps);
    h[std::size_t(j)] = 1;
    const device_buffer<float> d_x(x), d_h(h);
    device_buffer<float> d_y(samples + taps - 1);
    convolve_diagonals(d_x, d_h, d_y);
    check(cudaDeviceSynchronize());
    const std::vector<float> y = d_y.to_host();
    // What two mistakes give: `giver` is the lane that output n asks for a sample.
    std::vector<float> by_own_need, first_tile(y.size());
    for (int n = 0; n < int(y.size()); ++n) {
      const int row = n / 32, lane = n % 32, step = j % 32, giver = (lane - step) & 31;
      const auto sample = [&](int tile) {
        const int m = 32 * tile + giver;
        return 0 <= m && m < samples ? x[std::size_t(m)] : 0;
      };
      by_own_need.push_back(sample(row - j / 32 - (giver >= step ? 0 : 1)));
      first_tile[std::size_t(n)] = sample(lane >= step ? row : row - j / 32 - 1);
    }
    const std::string why = as_if<float>(y, {{"each lane offered the sample that it needs itself: "
                                              "the lane that asks it may be on the other side of lane 31",
                                              by_own_need},
                                             {"`tile` still were the one of the first 32 taps", first_tile}});
    for (int n = 0; n < int(y.size()); ++n) {
      const float value = y[std::size_t(n)];
      const int m = n - j, got = std::isnan(value) ? -1 : int(value) - 1;
      const float right = 0 <= m && m < samples ? float(m + 1) : 0;
      std::string instead = got == -1 ? "a ghost" : "x[" + std::to_string(got) + "]";
      if (got != -1 && got != m)
        instead += ", " + std::to_string(std::abs(got - m)) + (got < m ? " before it" : " after it");
      if (std::isnan(value)) instead = "NaN, with which y is filled before the call: it was never written";
      REQUIRE_MESSAGE(value == right, samples, " samples, ", taps, " taps, and only h[", j,
                      "] is not 0: output ", n, ", of lane ", n % 32, ", should take ", name(m), " of tile ",
                      m < 0 ? -1 : m / 32, ", and takes ", instead, why);
    }
  }
}

TEST_CASE("it computes the definition") {
  const convolution_cases cases{.tile = 32, .modes = {convolution_mode::full}, .most_failures = 1};
  const auto failures = convolution_failures<float>(on_device<float>(answer), cases);
  REQUIRE_MESSAGE(failures.empty(), summary(failures));
  const auto overruns = overrun_failures<float>(answer, cases);
  REQUIRE_MESSAGE(overruns.empty(), summary(overruns));
}

TEST_CASE("one launch, and each tile is loaded once by each warp that needs it") {
  for (const std::size_t samples : {32, 320, 1024})
    for (const std::size_t taps : {32, 96, 512}) {
      const device_buffer<float> x(random_signal<float>(samples)), h(random_taps<float>(taps));
      device_buffer<float> y(samples + taps - 1);
      const auto launches = count_launches([&] { convolve_diagonals(x, h, y); });
      if (!has_counts(launches)) return;
      REQUIRE_MESSAGE(launches.size() == 1, launches.size(), " launches, 1 is enough");
      const std::size_t x_tiles = samples / 32, h_tiles = taps / 32;
      // A tile of samples is needed by h_tiles + 1 rows, and all taps by each of x_tiles + h_tiles rows.
      const std::size_t loads = samples * (h_tiles + 1) + taps * (x_tiles + h_tiles);
      CHECK_MESSAGE(launches[0].global_loads == loads, several(samples, "sample"), ", ", several(taps, "tap"),
                    ": ", several(launches[0].global_loads, "load"), ", but ", loads,
                    " are needed: each row of tiles loads the taps, and the samples that it uses, once");
      CHECK_MESSAGE(launches[0].global_stores == samples + taps - 1, several(samples, "sample"), ", ",
                    several(taps, "tap"), ": ", several(launches[0].global_stores, "store"), " for ",
                    samples + taps - 1, " outputs");
      require_one_warp_each(launches, x_tiles + h_tiles, "tile");
      REQUIRE_MESSAGE(launches[0].shared_loads == 0, several(launches[0].shared_loads, "load"),
                      " from shared memory; shuffles need none");
    }
}
