// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "common/device/movement_counts.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "one_queue.hpp"

using namespace tutorial;

namespace {

void check_doubled(std::size_t samples) {
  const std::vector<float> values = random_signal<float>(samples);
  const pinned_buffer<float> x{std::span<const float>(values)};
  pinned_buffer<float> y(samples);
  for (float& each : y.span()) each = -100;
  double_in_chunks(x.span(), y.span());
  for (std::size_t i = 0; i < samples; ++i)
    REQUIRE_MESSAGE(y.data()[i] == 2 * values[i], samples, " samples: y[", i, "] should be ", 2 * values[i],
                    ", and is ", y.data()[i]);
}

}  // namespace

TEST_CASE("every sample is doubled") {
  for (const std::size_t samples : {1, 4095, 4096, 4097, 30'001}) check_doubled(samples);
}
TEST_CASE("the target: copies in both directions at the same time") {
  constexpr std::size_t chunks = 16, samples = chunks * 4096;
  const std::vector<float> values = random_signal<float>(samples);
  const pinned_buffer<float> x{std::span<const float>(values)};
  pinned_buffer<float> y(samples);
  const auto moved = count_movements([&] { double_in_chunks(x.span(), y.span()); });
  if (!moved) {
    ++checks_without_counts;
    return;
  }
  REQUIRE_MESSAGE(
      (moved->copies == 2 * chunks && moved->kernels == chunks), chunks,
      " chunks take 16 copies to the device, 16 kernels and 16 copies to the host, and there were ",
      moved->copies, " copies and ", moved->kernels, " kernels");
  const double signals = double(moved->longest_chain) / (samples * sizeof(float));
  REQUIRE_MESSAGE(
      signals < 1.1, "the longest chain of copies has ", signals,
      " times the bytes of the signal: copies to the device and to the host wait for each other. With "
      "two streams that do not wait, it has 1 and a sixteenth. In which stream is each call?");
}
