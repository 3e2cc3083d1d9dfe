// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/longest_way.hpp"
#include "where_codes_begin.hpp"

using namespace tutorial;

namespace {

std::vector<int> begins_of(const std::vector<int>& lengths) {
  const device_buffer<int> d_lengths(lengths);
  device_buffer<int> begins(lengths.size());
  where_codes_begin(d_lengths, begins);
  check(cudaDeviceSynchronize());
  return begins.to_host();
}

/// What comes of it if every lane adds, also where no lane is so far below it.
std::vector<int> begins_without_guard(const std::vector<int>& lengths) {
  std::vector<int> sums = lengths, result;
  sums.resize((lengths.size() + 31) / 32 * 32);
  int before = 0;
  for (std::size_t first = 0; first < sums.size(); first += 32) {
    for (std::size_t distance = 1; distance < 32; distance *= 2)
      for (std::size_t lane = 32; lane-- > 0;)
        sums[first + lane] += sums[first + lane - (lane < distance ? 0 : distance)];
    for (std::size_t i = first; i < first + 32 && i < lengths.size(); ++i)
      result.push_back(before + sums[i] - lengths[i]);
    before += sums[first + 31];
  }
  return result;
}

}  // namespace

TEST_CASE("each code begins where those before it end") {
  for (const int size : {1, 2, 31, 32, 33, 63, 64, 65, 100, 128, 1000, 1023, 1024}) {
    std::vector<int> lengths(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < lengths.size(); ++i)
      lengths[i] = int(random_bits(std::uint64_t(size), i) % 2001);
    const std::vector<int> begins = begins_of(lengths);
    const std::string why = as_if(
        begins, {{"each lane added what __shfl_up_sync() gave it: where no lane is so far below, that is its "
                  "own sum once more",
                  begins_without_guard(lengths)}});
    int expected = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      REQUIRE_MESSAGE(begins[i] == expected, size, " lengths: code ", i, " begins at bit ", begins[i],
                      ", but those before it have ", expected, " bits; it has ", lengths[i], " itself", why);
      expected += lengths[i];
    }
  }
}

TEST_CASE("no lengths, nothing to do") { CHECK_MESSAGE(begins_of({}).empty(), "0 lengths"); }

TEST_CASE("the target: two barriers, a load and a store for each length") {
  const std::vector<int> lengths(1024, 3);
  const device_buffer<int> d_lengths(lengths);
  device_buffer<int> begins(lengths.size());
  const auto launches = count_launches([&] { where_codes_begin(d_lengths, begins); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(launches.size() == 1, launches.size(), " launches, 1 is enough");
  CHECK_MESSAGE(counts.global_loads == 1024, counts.global_loads, " loads of 1024 lengths: load each once");
  CHECK_MESSAGE(counts.global_stores == 1024, counts.global_stores,
                " stores of 1024 results: store each once");
  CHECK_MESSAGE(counts.shared_stores <= 2 * 32, counts.shared_stores,
                " stores to shared memory: 32 are enough, the sum of each warp; within a warp shuffles do");
  CHECK_MESSAGE(counts.barriers <= 2, counts.barriers, " barriers, 2 are enough: within a warp shuffles do");
}

TEST_CASE("the target: the threads share the sums") {
  const std::vector<int> lengths(1024, 3);
  const device_buffer<int> d_lengths(lengths);
  device_buffer<int> begins(lengths.size());
  check_longest_way([&] { where_codes_begin(d_lengths, begins); }, 400, "1024 lengths",
                    "Does one thread add up all of them?");
}
