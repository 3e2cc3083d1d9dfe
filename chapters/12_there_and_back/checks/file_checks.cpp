// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "12_there_and_back/kernels/filter_file.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

/// The outputs of filter_stream() over x.
template <class T>
std::vector<T> streamed(const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode,
                        const chunking& how, filtering_report& report) {
  std::vector<T> y;
  report = filter_stream<T>(
      x.size(),
      [&](std::size_t first, std::span<T> to) {
        std::copy_n(x.begin() + std::ptrdiff_t(first), to.size(), to.begin());
      },
      h, mode, [&](std::span<const T> outputs) { y.insert(y.end(), outputs.begin(), outputs.end()); }, how);
  return y;
}

}  // namespace

TEST_CASE("from a source to a sink, through a ring") {
  const auto x = random_whole_numbers<std::int32_t>(1009, 1);
  for (const std::size_t taps : {1, 8, 33, 1200}) {
    const auto h = random_taps<std::int32_t>(taps);
    for (const convolution_mode mode : all_modes)
      for (const chunking& how : {chunking{100, 1}, chunking{64, 2}, chunking{333, 3}, chunking{5000, 3}}) {
        CAPTURE(taps);
        CAPTURE(how.outputs);
        std::vector<std::int32_t> expected(output_length(x.size(), taps, mode));
        convolve_gather<std::int32_t>(x, h, expected, mode);
        filtering_report report;
        CHECK(streamed(x, h, mode, how, report) == expected);
        CHECK(report.verified);
        CHECK(report.verified.size == 3 * report.chunks);
      }
  }
}

TEST_CASE("NaN in a signal is not taken for a mistake") {
  auto x = random_signal<float>(500);
  x[100] = std::numeric_limits<float>::quiet_NaN();
  filtering_report report;
  streamed(x, random_taps<float>(300), convolution_mode::same, {50, 2}, report);
  CHECK(report.verified);
  CHECK(report.not_finite > 0);
}

TEST_CASE("what source or sink throw ends the work, whichever chunk it is") {
  const std::vector<float> h = random_taps<float>(5);
  for (const int bad : {0, 1, 7}) {
    int calls = 0;
    const auto source = [&](std::size_t, std::span<float> to) {
      if (calls++ == bad) throw std::runtime_error("the disk is gone");
      std::fill(to.begin(), to.end(), 1.0f);
    };
    CHECK_THROWS_WITH((filter_stream<float>(1000, source, h, convolution_mode::same, [](auto) {}, {100, 3})),
                      "the disk is gone");
    int written = 0;
    const auto sink = [&](auto) {
      if (written++ == bad) throw std::runtime_error("the disk is full");
    };
    CHECK_THROWS_WITH(
        (filter_stream<float>(1000,
                              [](std::size_t, std::span<float> to) { std::fill(to.begin(), to.end(), 1.0f); },
                              h, convolution_mode::same, sink, {100, 3})),
        "the disk is full");
  }
}
