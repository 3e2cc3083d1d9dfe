// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "15_many_gpus/host/four_devices.hpp"
#include "15_many_gpus/nccl/use_ranks.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/counted_check.hpp"
#include "half_received.hpp"

using namespace tutorial;

namespace {

void check_halos(std::size_t size, std::size_t left, std::size_t right) {
  const int ranks = device_count();
  if (ranks < 2) {
    ++checks_without_devices;
    return;
  }
  const std::string what = std::to_string(ranks) + " ranks, " + std::to_string(size) +
                           " samples each, halos of " + std::to_string(left) + " and " +
                           std::to_string(right);
  const case_at_work now(what);
  // x[n] = n + 1; -1 where nothing has come.
  std::vector<std::vector<float>> values;
  for (int r = 0; r < ranks; ++r) {
    values.emplace_back(left + size + right, -1.0f);
    for (std::size_t i = 0; i < size; ++i) values.back()[left + i] = float(std::size_t(r) * size + i + 1);
  }
  const auto got = use_ranks(values, [&](const rank_at_work& at) {
    get_halos(at.memory.data() + left, size, left, right, at.rank, at.ranks, at.comm, at.stream);
  });
  REQUIRE_MESSAGE(!got.empty(), what, ": ranks still wait for each other after 5 seconds");
  int without_left = 0, without_right = 0;  // ranks whose halo has not come
  for (int r = 0; r < ranks; ++r) {
    without_left += r > 0 && left > 0 && got[std::size_t(r)][0] == -1;
    without_right += r < ranks - 1 && right > 0 && got[std::size_t(r)][left + size] == -1;
  }
  for (int r = 0; r < ranks; ++r) {
    const std::vector<float>& all = got[std::size_t(r)];
    const auto part_is_right = [&](const std::string& name, std::size_t from, std::size_t length,
                                   int without) {
      for (std::size_t i = from; i < from + length; ++i) {
        const auto n = std::ptrdiff_t(std::size_t(r) * size + i) - std::ptrdiff_t(left);
        const bool exists = 0 <= n && n < std::ptrdiff_t(std::size_t(ranks) * size);
        const float expected = exists ? float(n + 1) : -1.0f;
        std::string instead = "x[" + std::to_string(int(all[i]) - 1) + "] is there";
        if (all[i] == -1) instead = "nothing has come";
        if (all[i] == -1 && without > 1)
          instead += ", nor to " + std::to_string(without - 1) + " other ranks";
        const std::string owner = "of rank " + std::to_string(n / std::ptrdiff_t(size));
        const std::string should =
            exists ? "x[" + std::to_string(n) + "] " + owner + " should be" : "there is no sample";
        REQUIRE_MESSAGE(all[i] == expected, what, ": rank ", r, ", ", name, "[", i - from, "], where ",
                        should, ": ", instead);
      }
    };
    part_is_right("left halo", 0, left, without_left);
    part_is_right("right halo", left + size, right, without_right);
    part_is_right("its own samples", left, size, 0);
  }
}

}  // namespace

TEST_CASE("halos of equal widths: an odd number of taps") { check_halos(100, 2, 2); }
TEST_CASE("halos of different widths: an even number of taps") { check_halos(100, 4, 3); }
TEST_CASE("a halo on one side only") {
  check_halos(100, 8, 0);
  check_halos(100, 0, 8);
}
TEST_CASE("a part as long as its halo") { check_halos(7, 7, 7); }
TEST_CASE("the host does not wait") {
  if (device_count() < 2) {
    ++checks_without_devices;
    return;
  }
  const auto waits = waits_of(std::vector(2, std::vector<float>(4)), [](const rank_at_work& at) {
    get_halos(at.memory.data() + 1, 2, 1, 1, at.rank, at.ranks, at.comm, at.stream);
  });
  if (!waits) {
    ++checks_without_counts;
    return;
  }
  CHECK_MESSAGE(*waits == 0, "two ranks: the host waits ", *waits,
                " times in get_halos(), which gives all to the stream, and does not wait");
}
