// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "common/device/movement_counts.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "hand_over.hpp"

using namespace tutorial;

namespace {

void check_differences(std::size_t samples) {
  const case_at_work now(std::to_string(samples) + " samples");
  const std::vector<float> values = random_whole_numbers<float>(samples);
  const pinned_buffer<float> x{std::span<const float>(values)};
  pinned_buffer<float> y(samples);
  for (float& each : y.span()) each = -100;
  differences(x.span(), y.span());
  for (std::size_t i = 0; i < samples; ++i) {
    const float expected = values[i] - (i == 0 ? 0 : values[i - 1]);
    REQUIRE_MESSAGE(y.data()[i] == expected, samples, " samples: y[", i, "] should be ", expected,
                    ", and is ", y.data()[i]);
  }
}

}  // namespace

TEST_CASE("one chunk: copy, kernel, copy") { check_differences(500); }
TEST_CASE("as many chunks as buffers") { check_differences(2000); }
TEST_CASE("more chunks than buffers: they are used again") {
  for (const std::size_t samples : {2001, 3000, 10'001}) check_differences(samples);
}
TEST_CASE("the target: the stages run at the same time") {
  constexpr std::size_t samples = 20'000;
  const std::vector<float> values = random_signal<float>(samples);
  const pinned_buffer<float> x{std::span<const float>(values)};
  pinned_buffer<float> y(samples);
  const auto moved = count_movements([&] { differences(x.span(), y.span()); });
  if (!moved) {
    ++checks_without_counts;
    return;
  }
  const double signals = double(moved->longest_chain) / (samples * sizeof(float));
  REQUIRE_MESSAGE(
      signals < 1.1, "the longest chain of copies has ", signals,
      " times the bytes of the signal: something waits that need not. In a pipeline of 20 chunks it is "
      "1 and a twentieth");
}
TEST_CASE("the target: nothing waits longer than it must") {
  constexpr std::size_t chunks = 20, samples = 1000 * chunks;
  const pinned_buffer<float> x{std::span<const float>(random_signal<float>(samples))};
  pinned_buffer<float> y(samples);
  const std::vector<moved_operation> all = list_movements([&] { differences(x.span(), y.span()); });
  if (all.empty() && !counts_launches()) {
    ++checks_without_counts;
    return;
  }
  using enum moved_operation::kind;
  const auto those = [&](moved_operation::kind what) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].what == what) places.push_back(i);
    return places;
  };
  const std::vector<std::size_t> ups = those(up), kernels = those(kernel), downs = those(down);
  REQUIRE_MESSAGE(
      (ups.size() == chunks && kernels.size() == chunks && downs.size() == chunks), chunks,
      " chunks take 20 copies to the device, 20 kernels and 20 copies to the host, and there were ",
      ups.size(), " copies to the device, ", kernels.size(), " kernels and ", downs.size(),
      " copies to the host");
  for (std::size_t c = 3; c < chunks; ++c) {
    REQUIRE_MESSAGE(
        all[ups[c]].after[kernels[c - 2]], "the copy to the device of chunk ", c,
        " does not wait for the kernel of chunk ", c - 2,
        ". In a ring of two buffers it overwrites the samples of that kernel: has the ring more?");
    for (std::size_t before = c; before-- > c - 3;)
      REQUIRE_MESSAGE(
          (downs[before] > ups[c] || !all[ups[c]].after[downs[before]]), "the copy to the device of chunk ",
          c, " waits for the copy to the host of chunk ", before,
          ", and need not. It overwrites samples that the kernel of chunk ", c - 2,
          " has read: a wait for that kernel is enough. What a copy to the host has read is overwritten by "
          "a kernel, which has to wait for that copy itself");
  }
}
