// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/stream_checks.hpp"
#include "broken.hpp"
#include "common/device/stream.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "versions.hpp"

using namespace tutorial;

namespace {

template <class T>
device_convolution<T> with(broken::mistake made) {
  return [made](auto x, auto h, auto y, auto mode) { broken::convolve<T>(made, x, h, y, mode); };
}

/// The first few cases in which the checks refuse the kernel with that mistake.
template <class T>
std::vector<std::string> refused(broken::mistake made) {
  return convolution_failures<T>(on_device<T>(with<T>(made)), {.most_failures = 6});
}

}  // namespace

TEST_CASE("the first kernel: it computes the definition, for 5 taps and 'same'") {
  const std::vector<float> h = random_whole_numbers<float>(5, 2);
  for (const std::size_t length : {1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 258, 511, 513, 1031}) {
    CAPTURE(length);
    const std::vector<float> x = random_whole_numbers<float>(length, 1);
    std::vector<float> expected(length);
    convolve_gather<float>(x, h, expected, convolution_mode::same);
    CHECK(on_device<float>(in_default_stream<smooth>)(x, h, convolution_mode::same) == expected);
  }
  const device_buffer<float> x(random_signal<float>(100)), five(h), six(random_taps<float>(6));
  device_buffer<float> y(100), full_y(104);
  CHECK_THROWS_AS(smooth(x, six, y, convolution_mode::same), std::invalid_argument);
  CHECK_THROWS_AS(smooth(x, five, full_y, convolution_mode::full), std::invalid_argument);
  CHECK_THROWS_AS(smooth(x, five, full_y, convolution_mode::same), std::invalid_argument);
}

TEST_CASE_TEMPLATE("the direct kernel computes the definition", T, std::int32_t, float, double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(versions::direct), {.tile = 256})) == "");
}

/// A block of direct_interior that tests and one that does not, on either side of the border between them:
/// at the end of the signal and, with as many taps as a block has threads, at its beginning.
const convolution_cases around_the_interior{
    .tile = 256, .more = {{510, 5}, {511, 5}, {512, 5}, {600, 256}, {600, 257}, {600, 258}}};

TEST_CASE_TEMPLATE("without the bounds test inside it is the same definition", T, std::int32_t, float,
                   double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(versions::direct_interior), around_the_interior)) == "");
}

TEST_CASE_TEMPLATE("eight outputs per thread compute the definition", T, std::int32_t, float, double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(versions::direct_grouped), {.tile = 2048})) == "");
}

TEST_CASE("int32 sums wrap modulo 2^32") {
  const std::vector<std::int32_t> x{2147483647, 1}, h{2, 3};
  CHECK(on_device<std::int32_t>(versions::direct)(x, h, convolution_mode::full) ==
        std::vector<std::int32_t>{-2, 2147483647, 3});
}

TEST_CASE("no samples, no taps and an output of the wrong length are refused before anything is launched") {
  const device_buffer<float> some(std::vector<float>{1, 2, 3}), none;
  device_buffer<float> y(5), short_y(4);
  const auto full = convolution_mode::full;
  CHECK_THROWS_AS(convolve_direct<float>(none, some, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_direct<float>(some, none, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_direct<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_direct_interior<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_direct_grouped<float>(some, some, short_y, full), std::invalid_argument);
}

TEST_CASE("each product costs two loads, and ghosts cost none") {
  for (const std::size_t samples : {100, 257, 1000})
    for (const std::size_t taps : {1, 5, 31, 32}) {
      const std::size_t n = samples, k = taps;
      const auto full = counts_of<float>(versions::direct, n, k, convolution_mode::full);
      if (!has_counts(full)) return;
      CAPTURE(n);
      CAPTURE(k);
      CHECK(sum(full).global_loads == 2 * n * k);  // every tap meets every sample once
      CHECK(sum(full).global_stores == n + k - 1);
      CHECK(sum(counts_of<float>(versions::direct, n, k, convolution_mode::valid)).global_loads ==
            2 * (n - k + 1) * k);
      for (const auto& other : {counts_of<float>(versions::direct_interior, n, k, convolution_mode::full),
                                counts_of<float>(versions::direct_grouped, n, k, convolution_mode::full)})
        CHECK(sum(other).global_loads == 2 * n * k);
      if (k % 2 == 1) {
        const std::size_t r = k / 2;  // each end loses 1 + 2 + ... + r products
        CHECK(sum(counts_of<float>(versions::direct, n, k, convolution_mode::same)).global_loads ==
              2 * (n * k - r * (r + 1)));
      }
    }
}

TEST_CASE("the first kernel makes the loads of the direct kernel, in the same requests") {
  for (const std::size_t samples : {1, 100, 257, 1000}) {
    const auto first = counts_of<float>(in_default_stream<smooth>, samples, 5, convolution_mode::same);
    if (!has_counts(first)) return;
    const launch_counts one = sum(first),
                        other = sum(counts_of<float>(versions::direct, samples, 5, convolution_mode::same));
    CHECK(one.global_loads == other.global_loads);
    CHECK(one.global_load_requests == other.global_load_requests);
    CHECK(one.global_load_sectors == other.global_load_sectors);
    CHECK(one.global_stores == samples);
  }
}

TEST_CASE("side by side, a warp's loads cost few sectors; in strides of eight, one sector each") {
  // 'valid' with 5 taps and 8192 outputs: every thread meets 5 samples. 256 warps of the direct kernel.
  const auto side_by_side = counts_of<float>(versions::direct, 8196, 5, convolution_mode::valid);
  if (!has_counts(side_by_side)) return;
  // Per warp: 5 requests for a tap, 1 sector each; 5 for samples, of which one starts at a boundary (4
  // sectors) and four do not (5 sectors).
  CHECK(sum(side_by_side).global_load_requests == 256 * 10);
  CHECK(sum(side_by_side).global_load_sectors == 256 * (5 * 1 + 1 * 4 + 4 * 5));
  CHECK(sum(side_by_side).global_store_sectors == 256 * 4);
  // 32 warps of direct_grouped, 8 outputs per thread: neighboring lanes are 32 bytes apart.
  const launch_counts strided =
      sum(counts_of<float>(versions::direct_grouped, 8196, 5, convolution_mode::valid));
  CHECK(strided.global_load_requests == 32 * 8 * 10);
  CHECK(strided.global_load_sectors == 32 * 8 * (5 * 1 + 5 * 32));
  CHECK(strided.global_store_sectors == 32 * 8 * 32);
}

TEST_CASE("leaving out the bounds test changes no load and no sector") {
  for (const auto mode : all_modes) {
    const auto direct = counts_of<double>(versions::direct, 3000, 33, mode);
    if (!has_counts(direct)) return;
    const launch_counts with = sum(direct),
                        without = sum(counts_of<double>(versions::direct_interior, 3000, 33, mode));
    CHECK(without.global_loads == with.global_loads);
    CHECK(without.global_load_requests == with.global_load_requests);
    CHECK(without.global_load_sectors == with.global_load_sectors);
  }
}

TEST_CASE_TEMPLATE("the kernels keep to their arrays", T, std::int32_t, float, double) {
  CHECK(summary(overrun_failures<T>(versions::direct, {.tile = 256})) == "");
  CHECK(summary(overrun_failures<T>(versions::direct_interior, around_the_interior)) == "");
  CHECK(summary(overrun_failures<T>(versions::direct_grouped, {.tile = 2048})) == "");
}

TEST_CASE("lengths whose indices do not fit an int are refused before anything is launched") {
  float* const nowhere = nullptr;
  const auto call = [&](auto f, std::size_t samples) {
    f(device_span<const float>(nowhere, samples), device_span<const float>(nowhere, 5),
      device_span<float>(nowhere, samples), convolution_mode::same);
  };
  const std::size_t most = 2147483647;  // samples + 5 taps + the spare threads may be this at most
  CHECK_THROWS_AS(call(versions::direct, most - 256 - 5 + 1), std::invalid_argument);
  CHECK_THROWS_AS(call(versions::direct_interior, most - 256 - 5 + 1), std::invalid_argument);
  CHECK_THROWS_AS(call(versions::direct_grouped, most - 2048 - 5 + 1), std::invalid_argument);
  CHECK_THROWS_AS(call(in_default_stream<smooth>, most - 256 - 5 + 1), std::invalid_argument);
  CHECK_NOTHROW(require_int_indices(most - 256 - 5, 5, 256));
}

TEST_CASE_TEMPLATE("the checks refuse what is wrong on purpose", T, std::int32_t, float, double) {
  using broken::mistake;
  CHECK(summary(refused<T>(mistake::none)) == "");  // so it is the mistake that is refused, not the kernel
  CHECK(refused<T>(mistake::not_flipped).size() > 0);
  CHECK(refused<T>(mistake::first_tap_lost).size() > 0);
  CHECK(refused<T>(mistake::last_tap_lost).size() > 0);
  CHECK(refused<T>(mistake::ghosts_not_zero).size() > 0);
  CHECK(refused<T>(mistake::grid_rounded_down).size() > 0);
  if constexpr (!std::is_same_v<T, float>) CHECK(refused<T>(mistake::sum_in_float).size() > 0);

  const auto shifted = refused<T>(mistake::same_rounded_up);
  CHECK(shifted.size() > 0);
  CHECK(all_contain(shifted, ", same, "));  // and only there

  const auto overrun = overrun_failures<T>(with<T>(mistake::no_guard), {.most_failures = 6});
  CHECK(overrun.size() > 0);
  CHECK(all_contain(overrun, "something outside y was written"));
  CHECK(overrun_failures<T>(with<T>(mistake::one_sample_more), {.most_failures = 6}).size() > 0);
  // Only at the border of the interior; the other lengths do not notice.
  CHECK(overrun_failures<T>(with<T>(mistake::interior_too_wide), {.tile = 256}).size() == 0);
  CHECK(overrun_failures<T>(with<T>(mistake::interior_too_wide), around_the_interior).size() > 0);
}

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  CHECK(failure_in_streams_of({.mode = convolution_mode::same}, smooth) == "");
  for (const auto each :
       {convolve_direct<float>, convolve_direct_interior<float>, convolve_direct_grouped<float>})
    CHECK(failure_in_streams_of({}, each) == "");
}
