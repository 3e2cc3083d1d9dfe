// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// What the checks of the exercises with NCCL rely on.
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "15_many_gpus/nccl/use_ranks.hpp"

using namespace tutorial;

namespace {

/// {0}, {1}, ...: a number for each rank, and two ranks at most.
std::vector<std::vector<float>> number_of_each_rank() {
  std::vector<std::vector<float>> values;
  for (int r = 0; r < std::min(device_count(), 2); ++r) values.push_back({float(r)});
  return values;
}

}  // namespace

TEST_CASE("what a rank throws reaches the caller, and the next ranks work") {
  const std::vector<std::vector<float>> values = number_of_each_rank();
  for (int thrower = 0; thrower < int(values.size()); ++thrower)
    CHECK_THROWS_WITH_AS(use_ranks(values,
                                   [&](const rank_at_work& at) {
                                     if (at.rank == thrower) throw std::runtime_error("this rank gives up");
                                   }),
                         "this rank gives up", std::runtime_error);
  CHECK(use_ranks(values, [](const rank_at_work&) {}) == values);
}
