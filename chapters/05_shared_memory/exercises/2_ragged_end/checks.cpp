// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "ragged_end.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "05_shared_memory/dynamic_shared.hpp"
#include "common/device/check.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

struct mean_of_five_case {
  std::vector<double> x, expected, bound;
};

mean_of_five_case make_case(std::size_t size) {
  mean_of_five_case result{random_signal<double>(size, size), std::vector<double>(size),
                           std::vector<double>(size)};
  for (std::ptrdiff_t i = 0; i < std::ssize(result.x); ++i) {
    double sum = 0, magnitude = 0;
    for (std::ptrdiff_t m = i - 2; m <= i + 2; ++m)
      if (0 <= m && m < std::ssize(result.x)) sum += result.x[m], magnitude += std::abs(result.x[m]);
    result.expected[i] = sum / 5;
    result.bound[i] = 6 * std::numeric_limits<double>::epsilon() * magnitude / 5;  // five sums and a division
  }
  return result;
}

}  // namespace

TEST_CASE("every output is the mean of five, also where the last block is not full") {
  for (const std::size_t size : {512, 640, 1, 2, 3, 511, 513, 514, 1022, 1023, 1025, 10000}) {
    const mean_of_five_case data = make_case(size);
    poison_shared_memory();  // what no thread writes is no number
    const device_buffer<double> d_x(data.x);
    device_buffer<double> d_y(size);
    mean_of_five_staged(d_x, d_y);
    check(cudaDeviceSynchronize());
    const agreement result = compare<double>(d_y.to_host(), data.expected, data.bound);
    REQUIRE_MESSAGE(bool(result), several(size, "sample"), ": ", describe(result));
  }
}

TEST_CASE("what lies before and behind the samples is neither read nor written") {
  constexpr std::size_t size = 640, margin = 512;  // the margin is as wide as a block
  const mean_of_five_case data = make_case(size);
  std::vector<double> surrounded(margin + size + margin, std::numeric_limits<double>::quiet_NaN());
  std::ranges::copy(data.x, surrounded.begin() + margin);
  const device_buffer<double> d_x(surrounded);
  device_buffer<double> d_y(surrounded.size());  // NaN everywhere
  mean_of_five_staged(d_x.span().subspan(margin, size), d_y.span().subspan(margin, size));
  check(cudaDeviceSynchronize());
  const std::vector<double> y = d_y.to_host();
  const agreement result =
      compare<double>(std::vector<double>(y.begin() + margin, y.end() - margin), data.expected, data.bound);
  CHECK_MESSAGE(bool(result), "something that is no sample was read: ", describe(result));
  const auto is_nan = [](double value) { return std::isnan(value); };
  CHECK_MESSAGE(std::all_of(y.begin(), y.begin() + margin, is_nan),
                "something was written before the outputs");
  CHECK_MESSAGE(std::all_of(y.end() - margin, y.end(), is_nan), "something was written behind the outputs");
}

TEST_CASE("a block loads each sample once") {
  const device_buffer<double> x(random_signal<double>(10000));
  device_buffer<double> y(10000);
  const auto launches = count_launches([&] { mean_of_five_staged(x, y); });
  if (!has_counts(launches)) return;
  require_work_spread(launches, y.size());
  const std::uint64_t loads = sum(launches).global_loads, each = launches[0].block[0] + 4;
  REQUIRE_MESSAGE(double(loads) <= blocks(launches) * double(each), several(loads, "load"), " by ",
                  blocks(launches), " blocks: a block needs ", several(each, "sample"),
                  ", and stages each of them once in shared memory");
}
