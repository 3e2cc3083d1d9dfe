// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "15_many_gpus/host/four_devices.hpp"
#include "15_many_gpus/nccl/use_ranks.hpp"
#include "common/files/numbers.hpp"
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
  const case_at_work now(std::to_string(ranks) + " ranks, " + several(count, "float"));
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
      const float value = got[std::size_t(r)][count + i];
      std::string whose;
      for (int other = 0; value != expected && other < ranks; ++other)
        if (std::equal(values[std::size_t(other)].begin(), values[std::size_t(other)].begin() + long(count),
                       got[std::size_t(r)].begin() + long(count)))
          whose = ". All of it is what rank " + std::to_string(other) + " has at `mine`";
      REQUIRE_MESSAGE(value == expected, several(count, "float"), ", ", ranks, " ranks: rank ", r,
                      " should get what rank ", (r + ranks - 1) % ranks, " has at `mine`: theirs[", i,
                      "] should be ", expected, ", and is ", value, whose);
    }
}

}  // namespace

TEST_CASE("two ranks") { check_ring(2, 1000); }
TEST_CASE("three and four ranks, and short and long messages") {
  for (const std::size_t count : {1, 1000, 100'000})
    for (const int ranks : {3, 4}) check_ring(ranks, count);
}
TEST_CASE("the host does not wait") {
  if (device_count() < 2) {
    ++checks_without_devices;
    return;
  }
  const auto waits = waits_of(std::vector(2, std::vector<float>(2)), [](const rank_at_work& at) {
    pass_on(at.memory.data(), at.memory.data() + 1, 1, at.rank, at.ranks, at.comm, at.stream);
  });
  if (!waits) {
    ++checks_without_counts;
    return;
  }
  CHECK_MESSAGE(*waits == 0, "two ranks: the host waits ", *waits,
                " times in pass_on(), which gives all to the stream, and does not wait");
}
