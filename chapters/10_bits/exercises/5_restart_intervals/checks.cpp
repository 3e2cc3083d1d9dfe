// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/longest_way.hpp"
#include "restart_intervals.hpp"

using namespace tutorial;

namespace {

void check_intervals(int blocks, int interval, int most_bits) {
  std::vector<int> bits(static_cast<std::size_t>(blocks));
  for (std::size_t b = 0; b < bits.size(); ++b)
    bits[b] = 4 + int(random_bits(std::uint64_t(interval), b) % std::uint64_t(most_bits));
  std::vector<int> expected{0};
  std::vector<std::string> before{""};  // what lies before each
  for (int b = 0; b < blocks; b += interval) {
    int sum = 0;
    for (int i = b; i < b + interval && i < blocks; ++i) sum += bits[std::size_t(i)];
    before.push_back(": interval " + std::to_string(before.size() - 1) + " begins at " +
                     std::to_string(expected.back()) + ", has " + std::to_string(sum) + " bits, and is " +
                     (b + interval < blocks ? "not " : "") + "the last one");
    expected.push_back(expected.back() + (sum + 7) / 8 + (b + interval < blocks ? 2 : 0));
  }
  const device_buffer<int> d_bits(bits);
  device_buffer<int> begins(expected.size());
  where_intervals_begin(d_bits, interval, begins);
  check(cudaDeviceSynchronize());
  const std::vector<int> got = begins.to_host();
  for (std::size_t m = 0; m < expected.size(); ++m)
    REQUIRE_MESSAGE(got[m] == expected[m], blocks, " blocks, ", interval, " in an interval: begins[", m,
                    "] is ", got[m], ", and should be ", expected[m],
                    std::string(m + 1 == expected.size() ? " (the size of all)" : ""), before[m]);
}

}  // namespace

TEST_CASE("one interval: no marker") { check_intervals(10, 16, 100); }
TEST_CASE("an interval for each block") { check_intervals(40, 1, 100); }
TEST_CASE("intervals of the same size, and a shorter last one") {
  check_intervals(64, 16, 60);
  check_intervals(65, 16, 60);
  check_intervals(79, 16, 60);
}
TEST_CASE("many intervals") { check_intervals(5000, 7, 300); }
TEST_CASE("the target: the threads share the intervals") {
  const device_buffer<int> bits(std::vector<int>(5000, 100));
  device_buffer<int> begins(std::size_t{5000 / 10 + 1});
  check_longest_way([&] { where_intervals_begin(bits, 10, begins); }, 400, "500 intervals of 10 blocks",
                    "The scan adds up the intervals: does a thread go through the blocks before its own?");
}
