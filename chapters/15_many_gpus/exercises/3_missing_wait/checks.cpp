// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include "15_many_gpus/host/four_devices.hpp"
#include "common/device/device.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "missing_wait.hpp"

using namespace tutorial;

namespace {

void check_sums(std::size_t samples, int steps) {
  const case_at_work now(std::to_string(samples) + " samples, " + std::to_string(steps) + " steps");
  const std::vector<float> x = random_whole_numbers<float>(samples);
  std::vector<float> y(samples, -100), expected = x;
  add_neighbors(x, y, steps);
  for (int s = 0; s < steps; ++s)
    for (std::size_t n = samples; n-- > 1;) expected[n] += expected[n - 1];
  for (std::size_t n = 0; n < samples; ++n)
    REQUIRE_MESSAGE(y[n] == expected[n], samples, " samples, ", steps, " steps: y[", n, "] should be ",
                    expected[n], ", and is ", y[n]);
}

}  // namespace

TEST_CASE("one step") { check_sums(4000, 1); }
TEST_CASE("two steps: a halo exists when the step next door has ended") { check_sums(4000, 2); }
TEST_CASE("many steps: buffers are used again") {
  check_sums(4000, 9);
  check_sums(4, 3);
}
// A missing wait may change nothing on a GPU, this time.
TEST_CASE("nothing is left to chance") {
  if (!has_counts(count_launches([] { check_sums(4000, 4); }))) return;
}
