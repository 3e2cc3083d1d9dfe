// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "find_the_faults.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "common/device/check.hpp"
#include "common/device/thread_work.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

template <class Function>
std::vector<float> result_of(Function f, const std::vector<float>& x) {
  const device_buffer<float> d_x(x);
  device_buffer<float> y(x.size());
  f(d_x, y);
  check(cudaDeviceSynchronize());
  return y.to_host();
}

}  // namespace

TEST_CASE("reversed groups") {
  for (const std::size_t size : {256, 1, 255, 257, 1000, 4096}) {
    const std::vector<float> x = random_whole_numbers<float>(size, size, 1000);
    std::vector<float> expected = x;
    for (std::size_t begin = 0; begin < size; begin += 256)
      std::reverse(expected.begin() + std::ptrdiff_t(begin),
                   expected.begin() + std::ptrdiff_t(std::min(begin + 256, size)));
    const std::vector<float> y = result_of(reverse_groups, x);
    for (std::size_t i = 0; i < size; ++i)
      REQUIRE_MESSAGE(y[i] == expected[i], "reverse_groups, ", size, " elements: y[", i, "] is ", y[i],
                      " instead of ", expected[i]);
  }
}

TEST_CASE("differences") {
  for (const std::size_t size : {256, 1, 255, 257, 512, 1000, 5000}) {
    const std::vector<float> x = random_whole_numbers<float>(size, size, 1000);
    const std::vector<float> y = result_of(differences, x);
    for (std::size_t i = 0; i < size; ++i) {
      const float expected = x[i] - (i > 0 ? x[i - 1] : 0.0f);
      REQUIRE_MESSAGE(y[i] == expected, "differences, ", size, " elements: y[", i, "] is ", y[i],
                      " instead of ", expected);
    }
  }
}

TEST_CASE("the copies are asynchronous") {
  const device_buffer<float> x(std::vector<float>(5120, 1.0f));
  device_buffer<float> y(std::size_t{5120});
  const auto stored = [&](const std::string& name, const auto& f) {
    const auto launches = count_launches([&] { f(x, y); });
    if (!has_counts(launches)) return;
    const std::uint64_t stores = sum(launches).shared_stores;
    CHECK_MESSAGE(stores < 256, name, ": threads store ", several(stores, "element"),
                  " to shared memory. Asynchronous copies bring all 5120: which of them are left?");
  };
  stored("reverse_groups", reverse_groups);
  stored("differences", differences);
}

// The ring has two slots for this alone.
TEST_CASE("the next tile is under way while a block computes") {
  const device_buffer<float> x(std::vector<float>(5120, 1.0f));
  device_buffer<float> y(std::size_t{5120});
  const auto done = count_thread_work([&] { differences(x, y); });
  if (!done) {
    ++checks_without_counts;
    return;
  }
  // Two loads for each element, but for the last tile of each block.
  CHECK_MESSAGE(done->loads_beside_copies > 5120,
                "differences of 5120 elements: of 10240 loads from shared "
                "memory, ",
                done->loads_beside_copies,
                " are made while the next tile is under way, and 9216 can "
                "be. Does the wait before them leave the stage of the next tile?");
}
