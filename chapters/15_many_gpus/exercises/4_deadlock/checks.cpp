// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <initializer_list>

#include "15_many_gpus/host/four_devices.hpp"
#include "15_many_gpus/nccl/use_ranks.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "deadlock.hpp"

using namespace tutorial;

namespace {

void check_ring(int ranks, std::size_t count) {
  if (device_count() < 2) {
    ++checks_without_devices;
    return;
  }
  if (ranks > device_count()) return;
  const case_at_work now(std::to_string(ranks) + " ranks, " + std::to_string(count) + " floats");
  std::vector<std::vector<float>> values;
  for (int r = 0; r < ranks; ++r) {
    values.push_back(random_whole_numbers<float>(count, std::uint64_t(r)));
    values.back().resize(2 * count);  // behind them: room for what comes
  }
  const auto got = use_ranks(values, [&](const rank_at_work& at) {
    pass_on(at.memory.data(), at.memory.data() + count, count, at.rank, at.ranks, at.comm, at.stream);
  });
  REQUIRE_MESSAGE(!got.empty(), ranks, " ranks: they still wait for each other after 5 seconds");
  for (int r = 0; r < ranks; ++r)
    for (std::size_t i = 0; i < count; ++i) {
      const float expected = values[std::size_t((r + ranks - 1) % ranks)][i];
      REQUIRE_MESSAGE(got[std::size_t(r)][count + i] == expected, ranks, " ranks: element ", i,
                      " of what rank ", r, " gets should be ", expected, ", and is ",
                      got[std::size_t(r)][count + i]);
    }
}

}  // namespace

TEST_CASE("two ranks") { check_ring(2, 1000); }
TEST_CASE("three and four ranks, and short and long messages") {
  for (const std::size_t count : {1, 1000, 100'000})
    for (const int ranks : {3, 4}) check_ring(ranks, count);
}
