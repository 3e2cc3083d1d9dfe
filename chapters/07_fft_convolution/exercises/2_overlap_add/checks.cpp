// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "overlap_add.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

/// Cuts x, convolves each part with h on the host, and has the parts added by the answer.
void convolve_in_parts(device_span<const float> d_x, device_span<const float> d_h, device_span<float> y,
                       int step) {
  std::vector<float> x(d_x.size()), h(d_h.size());
  check(cudaMemcpy(x.data(), d_x.data(), d_x.size_bytes(), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(h.data(), d_h.data(), d_h.size_bytes(), cudaMemcpyDeviceToHost));
  const int count = (int(x.size()) + step - 1) / step, length = step + int(h.size()) - 1;
  x.resize(std::size_t(count * step));
  std::vector<float> blocks(std::size_t(count * length));
  for (int b = 0; b < count; ++b)
    convolve_gather<float>(std::span(x).subspan(std::size_t(b * step), std::size_t(step)), h,
                           std::span(blocks).subspan(std::size_t(b * length), std::size_t(length)),
                           convolution_mode::full);
  add_overlapping(device_buffer<float>(blocks).span(), count, length, step, y);
  check(cudaDeviceSynchronize());
}

}  // namespace

TEST_CASE("four blocks of 100 that begin 60 apart") {
  const device_buffer<float> blocks(random_whole_numbers<float>(400));
  device_buffer<float> d_y(280);
  add_overlapping(blocks, 4, 100, 60, d_y);
  check(cudaDeviceSynchronize());
  const std::vector<float> y = d_y.to_host(), parts = blocks.to_host();
  // Output n has a part in the block that begins at or before it and, a step on, in the block before.
  const auto added = [&](int apart, bool before) {
    std::vector<float> sums(280);
    for (int n = 0; n < 280; ++n) {
      const int b = n / apart, p = n - b * apart;
      if (b < 4 && p < 100) sums[std::size_t(n)] += parts[std::size_t(b * 100 + p)];
      if (before && 0 < b && b <= 4 && p + 60 < 100)
        sums[std::size_t(n)] += parts[std::size_t(b * 100 + p - 40)];
    }
    return sums;
  };
  const std::vector<float> right = added(60, true);
  const std::string why = as_if<float>(
      y, {{"the blocks stood one after the other, 100 apart: block b begins at output b * step",
           added(100, false)},
          {"block b began at output b * length: it begins at b * step", added(100, true)},
          {"each output had a part in one block only: the first 40 of a block overlap the one before",
           added(60, false)}});
  const auto wrong = std::mismatch(y.begin(), y.end(), right.begin());
  const auto n = wrong.first - y.begin();
  const bool all_right = wrong.first == y.end();
  REQUIRE_MESSAGE(all_right, "output ", n, ", at place ", n % 60, " of block ", n / 60, ", is ", *wrong.first,
                  ", but should be ", *wrong.second, why);
}

TEST_CASE("the parts together are the convolution") {
  const std::vector<convolution_mode> full{convolution_mode::full};
  const auto answer = [](auto x, auto h, auto y, auto) {
    convolve_in_parts(x, h, y, std::max<int>(int(h.size()), 40));
  };
  CHECK(summary(convolution_failures<float>(on_device<float>(answer), {.modes = full})) == "");
  CHECK(summary(overrun_failures<float>(answer, {.modes = full})) == "");
}

TEST_CASE("each part of an output is loaded once, and each output stored once") {
  const device_buffer<float> blocks(random_whole_numbers<float>(400));
  device_buffer<float> y(280);  // 3 * 40 of them have two parts
  const auto launches = count_launches([&] { add_overlapping(blocks, 4, 100, 60, y); });
  if (!has_counts(launches)) return;
  require_work_spread(launches, y.size());
  CHECK_MESSAGE(sum(launches).global_loads == 400, several(sum(launches).global_loads, "load"),
                " of 4 blocks of 100: load each element once");
  CHECK_MESSAGE(sum(launches).global_stores == 280, several(sum(launches).global_stores, "store"),
                " of 280 outputs: store each once");
}
