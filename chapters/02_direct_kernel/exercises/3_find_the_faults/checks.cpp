// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "find_the_faults.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "common/device/check.hpp"
#include "common/device/device.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

using days = std::vector<std::int32_t>;

struct rain {
  days total, change;
  std::vector<launch_counts> launches = {};
};

rain answer(const days& x) {
  const device_buffer<std::int32_t> d_x(x);
  device_buffer<std::int32_t> total(x.size() + 4), change(x.size() + 4);
  const auto launches = count_launches([&] { rain_of_five_days(d_x, total, change); });
  check(cudaDeviceSynchronize());
  return {total.to_host(), change.to_host(), launches};
}

rain expected(const days& x) {
  rain result{days(x.size() + 4), days(x.size() + 4)};
  for (std::size_t m = 0; m < x.size(); ++m)
    for (std::size_t n = m; n <= m + 4; ++n) result.total[n] += x[m];
  for (std::size_t n = 0; n < result.total.size(); ++n)
    result.change[n] = result.total[n] - (n == 0 ? 0 : result.total[n - 1]);
  return result;
}

/// Never less than no rain.
days some_days(std::size_t count) {
  days rain = random_whole_numbers<std::int32_t>(count, count);
  for (std::int32_t& each : rain) each = std::abs(each);
  return rain;
}

}  // namespace

TEST_CASE("by hand: two wet days") {
  const rain actual = answer({10, 0, 0, 0, 0, 20});
  const agreement total = compare<std::int32_t>(actual.total, days{10, 10, 10, 10, 10, 20, 20, 20, 20, 20}),
                  change = compare<std::int32_t>(actual.change, days{10, 0, 0, 0, 0, 10, 0, 0, 0, 0});
  REQUIRE_MESSAGE(bool(total), "6 days, totals: ", describe(total));
  REQUIRE_MESSAGE(bool(change), "6 days, changes: ", describe(change));
}

TEST_CASE("any number of days") {
  for (const std::size_t count : {1, 4, 5, 27, 28, 29, 100, 252, 253, 256, 257, 512, 1000, 10000}) {
    const days x = some_days(count);
    const rain actual = answer(x), right = expected(x);
    const agreement total = compare<std::int32_t>(actual.total, right.total),
                    change = compare<std::int32_t>(actual.change, right.change);
    REQUIRE_MESSAGE(bool(total), count, " days, ", count + 4, " totals",
                    too_few_threads(actual.launches, count + 4), ": ", describe(total));
    REQUIRE_MESSAGE(bool(change), count, " days, ", count + 4, " changes: ", describe(change));
  }
}

TEST_CASE("nothing is written before or behind the outputs") {
  constexpr std::size_t count = 509, margin = 512;  // the margin is wider than a block
  const days x = some_days(count);
  const device_buffer<std::int32_t> d_x(x);
  device_buffer<std::int32_t> total(margin + count + 4 + margin), change(margin + count + 4 + margin);
  const days before = total.to_host();
  rain_of_five_days(d_x, total.span().subspan(margin, count + 4), change.span().subspan(margin, count + 4));
  check(cudaDeviceSynchronize());
  for (const days& after : {total.to_host(), change.to_host()}) {
    CHECK_MESSAGE(std::equal(after.begin(), after.begin() + margin, before.begin()),
                  "something was written before the first output");
    CHECK_MESSAGE(std::equal(after.end() - margin, after.end(), before.end() - margin),
                  "something was written behind the last output");
  }
}

TEST_CASE("one thread for each output") {
  const device_buffer<std::int32_t> x(some_days(1000));
  device_buffer<std::int32_t> total(1004), change(1004);
  const auto launches = count_launches([&] { rain_of_five_days(x, total, change); });
  if (!has_counts(launches)) return;
  require_work_spread(launches, total.size());
}
