// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "reverse.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "common/device/check.hpp"
#include "common/device/device.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

TEST_CASE("y is x backwards, whatever the length") {
  for (const std::size_t size : {1, 2, 3, 255, 256, 257, 1000, 7919}) {
    const case_at_work now(several(size, "element"));
    const std::vector<float> x = random_signal<float>(size, size);
    std::vector<float> expected = x;
    std::reverse(expected.begin(), expected.end());
    const device_buffer<float> d_x(x);
    device_buffer<float> d_y(size);
    const auto launches = count_launches([&] { reverse(d_x, d_y); });
    check(cudaDeviceSynchronize());
    const agreement result = compare<float>(d_y.to_host(), expected);
    REQUIRE_MESSAGE(bool(result), several(size, "element"), too_few_threads(launches, size), ": ",
                    describe(result));
  }
}

TEST_CASE("the guard: threads to spare write nothing behind y, and nothing before it") {
  constexpr std::size_t size = 257, margin = 256;  // the margin is as wide as a block
  const device_buffer<float> x(random_signal<float>(margin + size + margin));
  device_buffer<float> y(margin + size + margin);  // NaN
  reverse(x.span().subspan(margin, size), y.span().subspan(margin, size));
  check(cudaDeviceSynchronize());
  const std::vector<float> all = y.to_host();
  const auto written = [](float value) { return !std::isnan(value); };
  const auto before = std::count_if(all.begin(), all.begin() + margin, written);
  const auto behind = std::count_if(all.end() - margin, all.end(), written);
  CHECK_MESSAGE(before == 0, "elements before y that were overwritten: ", before);
  CHECK_MESSAGE(behind == 0, "elements behind y that were overwritten: ", behind);
}

TEST_CASE("1000 elements take one launch of 4 blocks of 256 threads, and 512 take 2") {
  for (const std::size_t size : {1000, 512}) {
    const device_buffer<float> x(random_signal<float>(size));
    device_buffer<float> y(size);
    const auto launches = count_launches([&] { reverse(x, y); });
    if (!current_device().emulated) return;  // a GPU's memory cannot be written in any other way
    REQUIRE_MESSAGE(launches.size() == 1, launches.size(), leading_to("launches", " kernels were launched"));
    const std::uint64_t threads = sum(launches).threads, wanted = (size + 255) / 256 * 256;
    CHECK_MESSAGE(threads == wanted, size, " elements take ", wanted / 256, " blocks, which have ", wanted,
                  " threads, but ", several(threads, "thread"), leading_to("launches", " were launched"));
    const auto made = std::uint64_t(blocks(launches));
    CHECK_MESSAGE(made == wanted / 256, size, " elements take ", wanted / 256, " blocks of 256 threads, but ",
                  several(made, "block"), " of ", threads / made,
                  leading_to("launches", " were launched: blocks first, then threads"));
    require_work_spread(launches, size);
  }
}
