// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include "15_many_gpus/host/devices.hpp"
#include "15_many_gpus/host/four_devices.hpp"
#include "common/device/device.hpp"
#include "common/device/movement_counts.hpp"
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
TEST_CASE("the target: devices wait for each other, and the host for none of them") {
  const auto moved = [](int steps) { return count_movements([&] { check_sums(4000, steps); }); };
  const auto one = moved(1), five = moved(5);
  if (!one) {
    ++checks_without_counts;
    return;
  }
  CHECK_MESSAGE(five->waits == one->waits, "the host waits ", one->waits, " times with one step, and ",
                five->waits, " times with five. It can give all steps to the streams: events order them");
}
TEST_CASE("the target: a kernel waits for the copy that it would disturb, and for no later one") {
  if (device_count() < 4) {
    ++checks_without_devices;
    return;
  }
  constexpr std::size_t steps = 5, parts = 4;
  const std::vector<moved_operation> all = list_movements([] { check_sums(4000, steps); });
  if (all.empty() && !counts_launches()) {
    ++checks_without_counts;
    return;
  }
  using enum moved_operation::kind;
  std::vector<std::size_t> kernels[parts], copies[parts];
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto p = std::size_t(all[i].device);
    if (all[i].what == kernel) kernels[p].push_back(i);
    if (all[i].what == other) copies[p].push_back(i);
    // What comes before the last copy up prepares the buffers.
    if (all[i].what == up)
      for (auto& each : copies) each.clear();
  }
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t halos = p > 0 ? steps : 0;
    REQUIRE_MESSAGE((kernels[p].size() == steps && copies[p].size() == halos), "part ", p, " of ", steps,
                    " steps takes ", steps, " kernels and ", halos, " copies from the left, and there were ",
                    kernels[p].size(), " and ", copies[p].size());
  }
  for (std::size_t s = 1; s < steps; ++s)
    for (std::size_t p = 0; p + 1 < parts; ++p) {
      const std::size_t now = kernels[p][s], next_door = copies[p + 1][s];
      REQUIRE_MESSAGE(
          (next_door > now || !all[now].after[next_door]), "step ", s, ": the kernel of part ", p,
          " waits for the copy of part ", p + 1,
          " in the same step, and need not: that copy reads the other buffer. The one that this kernel "
          "overwrites was copied in the step before: wait for that copy, and for no later one");
    }
}
