// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "sliding_window.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "01_serial_definition/convolution_checks.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

TEST_CASE("it computes the definition") {
  const auto answer = [](auto x, auto h, auto y, auto) { convolve_four(x, h, y); };
  CHECK(summary(overrun_failures<float>(answer, {.tile = 512, .modes = {convolution_mode::full}})) == "");
  CHECK(summary(convolution_failures<float>(on_device<float>(answer),
                                            {.tile = 512, .modes = {convolution_mode::full}})) == "");
}

TEST_CASE("a thread loads each tap and each of its samples once") {
  constexpr int samples = 1001, taps = 9, outputs = samples + taps - 1;
  const device_buffer<float> x(random_signal<float>(samples)), h(random_taps<float>(taps));
  device_buffer<float> y(outputs);
  const auto launches = count_launches([&] { convolve_four(x, h, y); });
  if (!has_counts(launches)) return;
  std::uint64_t expected = 0, behind_the_last_tap = 0;
  for (int n = 0; n < outputs; n += 4) {
    const int first = std::max(0, n - (taps - 1)), last = std::min(samples - 1, n + 3);
    expected += taps + std::max(0, last - first + 1);  // ghosts are not loaded
    if (0 <= n - taps && n - taps < samples) ++behind_the_last_tap;
  }
  require_work_spread(launches, outputs, 4);
  const std::uint64_t loads = sum(launches).global_loads;
  CHECK_MESSAGE(loads >= expected, several(loads, "load"), " of ", expected,
                " that are needed: does each of the nine taps bring a sample into the window?");
  const std::string why =
      loads - expected == behind_the_last_tap
          ? ", as many as one more sample after the last tap costs: what is in the window then is not used"
          : ": one sample for each tap comes into the window, the others are in it already";
  CHECK_MESSAGE(loads <= expected, (loads - expected), " loads too many", why, idle_loads(launches));
}
