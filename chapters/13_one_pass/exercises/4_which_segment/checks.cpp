// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "which_segment.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/files/numbers.hpp"
#include "common/verify/as_if.hpp"

using namespace tutorial;

namespace {

/// What best_segment() should give, if it left out segments that are as long as the filter, or those that
/// take all of the memory.
std::size_t best_but(std::size_t taps, std::size_t shared, bool without_equal, bool without_full) {
  std::size_t best = 0;
  double least = 0;
  for (std::size_t length = 256; 8 * (length + length / 16) <= shared; length *= 2) {
    if (length < taps || (without_equal && length == taps)) continue;
    if (without_full && 8 * (length + length / 16) == shared) continue;
    const double operations = costs_of_segments(length, taps).operations;
    if (best == 0 || operations < least) least = operations, best = length;
  }
  return best;
}

/// ". It is as if ...", where one of the two explains all of these calls.
std::string why_best() {
  std::vector<std::size_t> got, equal, full;
  const std::pair<std::size_t, std::size_t> calls[] = {{5, 2176}, {256, 2176}, {256, 8704}};
  for (const auto& call : calls) {
    got.push_back(best_segment(call.first, call.second));
    equal.push_back(best_but(call.first, call.second, true, false));
    full.push_back(best_but(call.first, call.second, false, true));
  }
  return as_if<std::size_t>(
      got, {{"a segment that is as long as the filter were left out: it has 1 output", equal},
            {"a segment that takes all of the memory were left out: it fits", full}});
}

void check_best(std::size_t taps, std::size_t shared, std::size_t right) {
  const std::size_t best = best_segment(taps, shared);
  const auto facts = [&](std::size_t length) {
    const std::size_t outputs = length < taps ? 0 : length - taps + 1;
    return length == 0
               ? std::string("")
               : ". One of " + std::to_string(length) + " has " + several(outputs, "output") + " and takes " +
                     several(8 * (length + length / 16), "byte") + " of shared memory";
  };
  CHECK_MESSAGE(best == right, "best_segment(", taps, ", ", shared, ") is ", best, ", and should be ", right,
                facts(best), facts(right), best == right ? "" : why_best());
}

}  // namespace

TEST_CASE("the costs of segments of 256 with 65 taps: 192 outputs") {
  const segment_costs costs = costs_of_segments(256, 65);
  const std::string why =
      as_if<double>({costs.operations},
                    {{"a segment had L - K outputs: it has one more", {256 * 86 / 382.0}},
                     {"only one of the two transforms, there and back, were counted", {256 * 46 / 384.0}},
                     {"the logarithm were the natural one: log2 is the number of stages",
                      {256 * (10 * std::log(256.0) + 6) / 384}}},
                    0.001);
  CHECK_MESSAGE(costs.operations == doctest::Approx(256 * 86 / 384.0),
                "costs_of_segments(256, 65), operations: "
                "2,560 for each of 8 stages, there and back together 20,480, and 1,536 for the "
                "product, for 384 outputs: 57.3 for each, not ",
                costs.operations, why);
  CHECK_MESSAGE(costs.bytes == doctest::Approx(4 * 256 / 192.0 + 4),
                "costs_of_segments(256, 65), bytes: 256 samples for 192 outputs, and the output: 9.33, not ",
                costs.bytes);
  CHECK_MESSAGE(costs.shared == 2176,
                "costs_of_segments(256, 65), shared memory: 272 places of 8 bytes are 2,176, not ",
                costs.shared);
  CHECK_MESSAGE(costs_of_segments(4096, 1025).shared == 34816, "4,096 numbers take 34,816 bytes");
  CHECK_MESSAGE(costs_of_segments(256, 256).bytes == doctest::Approx(4 * 256 + 4),
                "a segment with one output");
}

TEST_CASE("the best segment") {
  constexpr std::size_t all = 227 * 1024;  // what one block of an H200 may have
  check_best(5, all, 256);
  check_best(33, all, 256);
  check_best(65, all, 512);
  check_best(257, all, 2048);
  check_best(1025, all, 8192);
  check_best(4097, all, 16384);
}

TEST_CASE("what does not fit is not taken") {
  check_best(1025, 40 * 1024, 4096);
  check_best(1025, 16 * 1024, 0);
  check_best(257, 2176, 0);
  check_best(256, 2176, 256);
  check_best(5, 2175, 0);
}
