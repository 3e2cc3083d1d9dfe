// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/stream_checks.hpp"
#include "02_direct_kernel/versions.hpp"
#include "broken.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "constant_walks.hpp"
#include "first_calls.hpp"
#include "versions.hpp"

using namespace tutorial;

namespace {

/// How often a warp of f's kernel asks for a tap: for each 32 outputs, the taps that meet a sample in one of
/// them.
std::size_t tap_requests(std::size_t samples, std::size_t taps, convolution_mode mode) {
  const auto n = std::int64_t(samples), k = std::int64_t(taps);
  const auto first = std::int64_t(first_output(samples, taps, mode));
  const auto end = first + std::int64_t(output_length(samples, taps, mode));
  std::int64_t requests = 0;
  for (std::int64_t lowest = first; lowest < end; lowest += 32) {
    const std::int64_t highest = std::min(lowest + 31, end - 1);
    // Output i meets the taps k with 0 <= i - k < samples.
    requests += std::min(k - 1, highest) - std::max<std::int64_t>(0, lowest - n + 1) + 1;
  }
  return std::size_t(requests);
}

// These take the filter on the host; the checks have it on the device.
template <class T>
const auto parameter_taps = [](auto x, auto h, auto y, auto mode) {
  convolve_parameter_taps<T>(x, versions::taps_on_host(device_span<const T>(h)), y, mode);
};
const auto simple = [](auto x, auto h, auto y, auto mode) {
  convolve_constant_simple(x, versions::taps_on_host(device_span<const float>(h)), y, mode);
};

template <class T>
device_convolution<T> with(broken::mistake made) {
  return [made](auto x, auto h, auto y, auto mode) { broken::convolve<T>(made, x, h, y, mode); };
}

/// The first few cases in which the checks refuse the convolution with that mistake.
template <class T>
std::vector<std::string> refused(broken::mistake made) {
  return convolution_failures<T>(on_device<T>(with<T>(made)), {.most_failures = 6});
}

/// Is a result with so many taps right? Whole numbers, compared exactly; the middle of three outputs needs
/// all taps.
template <class T>
bool right_with(const device_convolution<T>& f, std::size_t taps) {
  const std::vector<T> x = random_whole_numbers<T>(taps + 2, 1), h = random_whole_numbers<T>(taps, 2);
  const auto reference =
      on_host<T>([](auto x, auto h, auto y, auto mode) { convolve_gather(x, h, y, mode); });
  const auto mode = convolution_mode::valid;
  return bool(compare<T>(on_device<T>(f)(x, h, mode), reference(x, h, mode)));
}

template <class T, class F>
std::string refusal(F f, std::size_t taps) {
  const device_buffer<T> x(taps), h(random_taps<T>(taps));
  device_buffer<T> y(taps);
  try {
    f(x.span(), h.span(), y.span(), convolution_mode::same);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE_TEMPLATE("with the filter in constant memory the definition is computed", T, std::int32_t, float,
                   double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(versions::constant), {.tile = 256})) == "");
  CHECK(summary(convolution_failures<T>(on_device<T>(versions::constant_loaded), {.tile = 256})) == "");
}

TEST_CASE_TEMPLATE("both ways keep to their arrays", T, std::int32_t, float, double) {
  CHECK(summary(overrun_failures<T>(versions::constant, {.tile = 256})) == "");
  CHECK(summary(overrun_failures<T>(versions::constant_loaded, {.tile = 256})) == "");
}

TEST_CASE_TEMPLATE(
    "blocks that leave out the test for ghosts compute the definition and keep to their arrays", T,
    std::int32_t, float, double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(versions::constant_interior), {.tile = 256})) == "");
  CHECK(summary(overrun_failures<T>(versions::constant_interior, {.tile = 256})) == "");
}

TEST_CASE("every block that may leave out the test, and the first and last that may not") {
  const auto direct = on_device<std::int32_t>(versions::direct);
  for (const std::size_t taps : {1, 2, 33, 256, 257, 258})
    for (const std::size_t samples : {255, 256, 257, 511, 512, 513, 767, 768, 769, 1100})
      for (const convolution_mode mode : all_modes) {
        const auto x = random_full_range(samples, taps), h = random_full_range(taps, samples);
        const agreement result = compare<std::int32_t>(
            on_device<std::int32_t>(versions::constant_interior)(x, h, mode), direct(x, h, mode));
        REQUIRE_MESSAGE(bool(result), several(samples, "sample"), ", ", several(taps, "tap"), ", ",
                        name(mode), ": ", describe(result));
      }
}

TEST_CASE("without the test for ghosts the same products are loaded") {
  for (const convolution_mode mode : all_modes) {
    const auto launches = counts_of<float>(versions::constant_interior, 1000, 100, mode);
    if (!has_counts(launches)) return;
    const launch_counts here = sum(launches);
    const launch_counts tested = sum(counts_of<float>(versions::constant_loaded, 1000, 100, mode));
    CHECK(here.global_loads == tested.global_loads);
    CHECK(here.global_load_sectors == tested.global_load_sectors);
    CHECK(here.constant_requests == tested.constant_requests);
  }
}

TEST_CASE_TEMPLATE("with the filter as a parameter the definition is computed", T, std::int32_t, float,
                   double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(parameter_taps<T>), {.tile = 256})) == "");
  CHECK(summary(overrun_failures<T>(parameter_taps<T>, {.tile = 256})) == "");
}

TEST_CASE_TEMPLATE("parameters: right up to the last tap that fits, one more is refused with the limit", T,
                   std::int32_t, float, double) {
  const std::size_t most = sizeof(T) == 8 ? 4091 : 8182;
  CHECK(max_parameter_taps<T> == most);
  for (const std::size_t bytes : {256u, 4064u})  // on either side of each size of the parameter
    for (const std::size_t taps : {bytes / sizeof(T), bytes / sizeof(T) + 1}) {
      CAPTURE(taps);
      CHECK(right_with<T>(parameter_taps<T>, taps));
    }
  CHECK(right_with<T>(parameter_taps<T>, most));
  const std::string message = refusal<T>(parameter_taps<T>, most + 1);
  CHECK(message.find(std::to_string(most + 1) + " taps") != std::string::npos);
  CHECK(message.find("room for " + std::to_string(most)) != std::string::npos);
}

TEST_CASE("a launch takes its taps along: the host may change them at once, and several can be under way") {
  const std::size_t samples = 100'000;  // on a GPU the kernel is still running when the next one is launched
  const std::vector<float> x = random_whole_numbers<float>(samples);
  const device_buffer<float> d_x(x);
  std::vector<device_buffer<float>> y;
  std::vector<std::vector<float>> filters;
  std::vector<float> h;
  for (std::uint64_t i = 0; i < 4; ++i) {
    y.emplace_back(samples);
    filters.push_back(random_whole_numbers<float>(5, 10 + i));
    h = filters.back();
    convolve_parameter_taps<float>(d_x, h, y.back(), convolution_mode::same);
    h.assign(5, 1e30f);  // no longer those of that launch
  }
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<float> expected(samples);
    convolve_gather<float>(x, filters[i], expected, convolution_mode::same);
    const agreement result = compare<float>(y[i].to_host(), expected);
    CHECK_MESSAGE(result, "filter ", i, ": ", describe(result));
  }
}

TEST_CASE("parameters: one global load per product, and none of a tap from any memory that is counted") {
  for (const convolution_mode mode : all_modes) {
    const auto launches = counts_of<float>(parameter_taps<float>, 1000, 100, mode);
    if (!has_counts(launches)) return;
    const launch_counts counts = sum(launches);
    CHECK(counts.global_loads ==
          sum(counts_of<float>(versions::constant_loaded, 1000, 100, mode)).global_loads);
    CHECK(counts.constant_requests == 0);
    CHECK(counts.global_stores == output_length(1000, 100, mode));
  }
}

TEST_CASE("the simplest version: right for 1 to 64 float taps, and 65 are refused") {
  for (const std::size_t taps : {1, 2, 5, 31, 32, 33, 64}) {
    CAPTURE(taps);
    for (const std::size_t samples : {1, 31, 255, 256, 257, 1000})
      for (const convolution_mode mode : all_modes) {
        const auto x = random_whole_numbers<float>(samples, taps), h = random_whole_numbers<float>(taps, 2);
        const agreement result =
            compare<float>(on_device<float>(simple)(x, h, mode),
                           on_host<float>([](auto... all) { convolve_gather(all...); })(x, h, mode));
        REQUIRE_MESSAGE(bool(result), several(samples, "sample"), ", ", several(taps, "tap"), ", ",
                        name(mode), ": ", describe(result));
      }
  }
  CHECK(refusal<float>(simple, 65).find("64") != std::string::npos);
  const auto counts = counts_of<float>(simple, 1000, 64, convolution_mode::full);
  if (!has_counts(counts)) return;
  CHECK(sum(counts).global_loads == 1000 * 64);
  CHECK(sum(counts).constant_addresses == sum(counts).constant_requests);
}

// On a GPU the demo verifies these two kernels: launched here before, they would not be called first there.
bool may_call_first() {
  const device_buffer<double> x(std::vector<double>{1}), h(std::vector<double>{1});
  device_buffer<double> y(1);
  return has_counts(count_launches([&] { convolve_constant<double>(x, h, y, convolution_mode::same); }));
}

TEST_CASE("both kernels of the first calls smooth as the definition does") {
  if (!may_call_first()) return;
  const std::vector<double> h{1, -2, 3, 5, -7};
  const device_buffer<double> d_h(h);
  load_smoothing_taps({1, -2, 3, 5, -7});
  for (const std::size_t size : {1, 2, 3, 255, 256, 257, 1000}) {
    CAPTURE(size);
    const std::vector<double> x = random_whole_numbers<double>(size, 1);
    std::vector<double> expected(size);
    convolve_gather<double>(x, h, expected, convolution_mode::same);
    const device_buffer<double> d_x(x);
    device_buffer<double> plain(size), constant(size);
    smooth_plain(d_x, d_h, plain);
    smooth_constant(d_x, constant);
    CHECK(plain.to_host() == expected);
    CHECK(constant.to_host() == expected);
  }
}

TEST_CASE("the first calls: a thread for each sample in whole blocks, and a load for each product") {
  if (!may_call_first()) return;
  const std::size_t size = 1000,
                    products = 5 * size - 6;  // at either end two outputs lack one sample and two
  const device_buffer<double> x(random_signal<double>(size)), h(random_taps<double>(5));
  device_buffer<double> y(size);
  const auto plain = count_launches([&] { smooth_plain(x, h, y); });
  const auto constant = count_launches([&] { smooth_constant(x, y); });
  CHECK(sum(plain).threads == 1024);
  CHECK(sum(constant).threads == 1024);
  CHECK(sum(plain).global_loads == 2 * products);
  CHECK(sum(constant).global_loads == products);
  CHECK(sum(constant).constant_loads == products);
}

TEST_CASE("the first calls refuse other lengths before anything is launched") {
  double* const nowhere = nullptr;
  const auto call = [&](std::size_t samples, std::size_t taps, std::size_t outputs) {
    smooth_plain({nowhere, samples}, {nowhere, taps}, {nowhere, outputs});
  };
  const std::size_t most = std::size_t{1} << 30;
  CHECK_THROWS_AS(call(9, 4, 9), std::invalid_argument);
  CHECK_THROWS_AS(call(9, 5, 8), std::invalid_argument);
  CHECK_THROWS_AS(call(0, 5, 0), std::invalid_argument);
  CHECK_THROWS_AS(call(most + 1, 5, most + 1), std::invalid_argument);
  CHECK_THROWS_AS(smooth_constant({nowhere, most + 1}, {nowhere, most + 1}), std::invalid_argument);
}

TEST_CASE("int32 sums wrap modulo 2^32") {
  const std::vector<std::int32_t> x{2147483647, 1}, h{2, 3};
  CHECK(on_device<std::int32_t>(versions::constant)(x, h, convolution_mode::full) ==
        std::vector<std::int32_t>{-2, 2147483647, 3});
}

TEST_CASE_TEMPLATE("a filter that just fits is right, one tap more is refused and the limit named", T,
                   std::int32_t, float, double) {
  const std::size_t most = sizeof(T) == 8 ? 8192 : 16384;
  CHECK(max_constant_taps<T> == most);
  CHECK(right_with<T>(versions::constant, most));
  for (const std::string& message :
       {refusal<T>(versions::constant, most + 1), refusal<T>(versions::constant_loaded, most + 1)}) {
    CHECK(message.find(std::to_string(most + 1) + " taps") != std::string::npos);
    CHECK(message.find("hold " + std::to_string(most)) != std::string::npos);
  }
}

TEST_CASE("no samples, no taps and an output of the wrong length are refused before anything is launched") {
  const device_buffer<float> some(std::vector<float>{1, 2, 3}), none;
  device_buffer<float> y(5), short_y(4);
  const auto full = convolution_mode::full;
  CHECK_THROWS_AS(convolve_constant<float>(none, some, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_constant<float>(some, none, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_constant<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(load_constant_taps<float>(none), std::invalid_argument);
  float* const nowhere = nullptr;
  const std::size_t too_long = 2147483647u - 256 - 3 + 1;
  CHECK_THROWS_AS(
      convolve_constant<float>({nowhere, too_long}, some, {nowhere, too_long}, convolution_mode::same),
      std::invalid_argument);
}

TEST_CASE("taps stay for many calls, until others are put there") {
  const auto same = convolution_mode::same;
  const std::vector<float> x{1, 2, 3, 4, 5};
  const device_buffer<float> d_x(x), sum(std::vector<float>{1, 1, 1}), shift(std::vector<float>{0, 0, 1});
  device_buffer<float> y(5);
  load_constant_taps<float>(sum);
  for (int call = 0; call < 3; ++call) {
    poison(y.span());
    convolve_with_constant_taps<float>(d_x, 3, y, same);
    CHECK(y.to_host() == std::vector<float>{3, 6, 9, 12, 9});
  }
  load_constant_taps<float>(shift);  // there is one place: the sum is gone
  convolve_with_constant_taps<float>(d_x, 3, y, same);
  CHECK(y.to_host() == std::vector<float>{0, 1, 2, 3, 4});
  // Another number or another type than the last filter's is noticed.
  CHECK_THROWS_AS(convolve_with_constant_taps<float>(d_x, 2, y, same), std::invalid_argument);
  device_buffer<std::int32_t> z(5);
  CHECK_THROWS_AS(convolve_with_constant_taps<std::int32_t>(device_buffer<std::int32_t>(5), 3, z, same),
                  std::invalid_argument);
}

TEST_CASE("nothing of a longer filter, or of one of another type, is left in the next call") {
  const std::vector<double> loud(8192, 1e300);
  const device_buffer<double> h(loud);
  load_constant_taps<double>(h);
  CHECK(right_with<float>(versions::constant, 100));
  load_constant_taps<double>(h);
  CHECK(right_with<std::int32_t>(versions::constant, 101));
  load_constant_taps<double>(h);
  CHECK(right_with<double>(versions::constant, 1));
}

TEST_CASE("a copy of taps waits for the kernel that still needs the old ones") {
  const std::size_t samples = 100'000;  // on a GPU the kernel is still running when the next copy is enqueued
  const std::vector<float> x = random_whole_numbers<float>(samples);
  const device_buffer<float> d_x(x);
  std::vector<device_buffer<float>> h, y;
  for (int i = 0; i < 4; ++i) {
    h.emplace_back(random_whole_numbers<float>(5, 10 + i));
    y.emplace_back(samples);
  }
  for (int i = 0; i < 4; ++i) convolve_constant<float>(d_x, h[i], y[i], convolution_mode::same);
  for (int i = 0; i < 4; ++i) {
    std::vector<float> expected(samples);
    convolve_gather<float>(x, h[i].to_host(), expected, convolution_mode::same);
    const agreement result = compare<float>(y[i].to_host(), expected);
    CHECK_MESSAGE(result, "filter ", i, ": ", describe(result));
  }
}

TEST_CASE("one global load per product, and one request for a tap per warp and step") {
  for (const std::size_t samples : {31, 100, 257, 1000})
    for (const std::size_t taps : {1, 5, 31, 32, 33, 100}) {
      const std::size_t n = samples, k = taps;
      for (const convolution_mode mode : all_modes) {
        const auto launches = counts_of<float>(versions::constant_loaded, n, k, mode);
        if (!has_counts(launches)) return;
        const launch_counts counts = sum(launches);
        CAPTURE(n);
        CAPTURE(k);
        CAPTURE(int(mode));
        CHECK(counts.constant_requests == tap_requests(n, k, mode));
        CHECK(counts.constant_addresses == counts.constant_requests);  // all lanes want the same tap
        CHECK(counts.constant_loads == counts.global_loads);           // each thread still asks for both
        CHECK(counts.global_stores == output_length(n, k, mode));
      }
      CHECK(sum(counts_of<float>(versions::constant, n, k, convolution_mode::full)).global_loads == n * k);
      CHECK(sum(counts_of<double>(versions::constant, n, k, convolution_mode::full)).global_loads == n * k);
      if (k % 2 == 1 && k <= n) {
        const std::size_t r = k / 2;  // each end loses 1 + 2 + ... + r products
        CHECK(sum(counts_of<float>(versions::constant, n, k, convolution_mode::same)).global_loads ==
              n * k - r * (r + 1));
      }
    }
}

TEST_CASE("far from the ends a warp asks K times for a tap") {
  // 'valid' with 5 taps and 8192 outputs: 256 warps, and every thread meets 5 samples.
  const auto launches = counts_of<double>(versions::constant_loaded, 8196, 5, convolution_mode::valid);
  if (!has_counts(launches)) return;
  CHECK(sum(launches).constant_requests == 256 * 5);
  CHECK(sum(launches).global_load_requests == 256 * 5);
}

TEST_CASE("walks: the sum is right wherever warps and lanes begin") {
  const std::vector<std::int32_t> words = random_full_range(256);
  const device_buffer<std::int32_t> table(words);
  load_walk_table(table);
  for (const int warp_step : {0, 1, 100})
    for (const int lane_step : {0, 1, 33}) {
      const table_walk walk{256, 100, warp_step, lane_step};
      std::vector<std::int32_t> expected(512);
      for (int i = 0; i < 512; ++i) {
        std::uint32_t sum = 0;
        for (int r = 0; r < walk.reads; ++r)
          sum = 31 * sum + std::uint32_t(words[std::size_t((walk_start(walk, i) + r) % 256)]);
        expected[i] = std::int32_t(sum);
      }
      CAPTURE(warp_step);
      CAPTURE(lane_step);
      device_buffer<std::int32_t> y(512);
      walk_constant(walk, y);
      const agreement constant = compare<std::int32_t>(y.to_host(), expected);
      CHECK_MESSAGE(constant, describe(constant));
      poison(y.span());
      walk_global(table, walk, y);
      const agreement global = compare<std::int32_t>(y.to_host(), expected);
      CHECK_MESSAGE(global, describe(global));
    }
  device_buffer<std::int32_t> y(512), odd(100);
  CHECK_THROWS_AS(walk_constant({100, 1, 0, 0}, y), std::invalid_argument);  // no power of two
  CHECK_THROWS_AS(walk_constant({32768, 1, 0, 0}, y), std::invalid_argument);
  CHECK_THROWS_AS(walk_constant({256, 1, 256, 0}, y), std::invalid_argument);  // indices might not fit an int
  CHECK_THROWS_AS(walk_constant({256, 1, 0, -1}, y), std::invalid_argument);
  CHECK_THROWS_AS(walk_constant({256, -1, 0, 0}, y), std::invalid_argument);
  CHECK_THROWS_AS(walk_constant({256, 1, 0, 0}, {y.data(), std::size_t{1} << 22}), std::invalid_argument);
  CHECK_THROWS_AS(walk_constant({256, 1, 0, 0}, odd), std::invalid_argument);
  CHECK_THROWS_AS(walk_global(table, {512, 1, 0, 0}, y), std::invalid_argument);
  CHECK_THROWS_AS(load_walk_table(device_buffer<std::int32_t>(16385)), std::invalid_argument);
}

TEST_CASE("walks: lanes apart cost an address each; warps apart cost none that can be counted") {
  const device_buffer<std::int32_t> table(random_full_range(4096));
  load_walk_table(table);
  device_buffer<std::int32_t> y(512);  // 16 warps
  const auto counts = [&](int warp_step, int lane_step) {
    return count_launches([&] { walk_constant({4096, 64, warp_step, lane_step}, y); });
  };
  const auto in_step = counts(0, 0);
  if (!has_counts(in_step)) return;
  const launch_counts warps_apart = sum(counts(1344, 0)), lanes_apart = sum(counts(0, 1));
  CHECK(sum(in_step).constant_requests == 16 * 64);
  CHECK(sum(in_step).constant_addresses == 16 * 64);
  CHECK(warps_apart.constant_requests == 16 * 64);
  CHECK(warps_apart.constant_addresses == 16 * 64);
  CHECK(lanes_apart.constant_requests == 16 * 64);
  CHECK(lanes_apart.constant_addresses == 32 * 16 * 64);
  // In global memory 32 words side by side are 4 or 5 sectors, not 32 of anything.
  const launch_counts global = sum(count_launches([&] { walk_global(table, {4096, 64, 0, 1}, y); }));
  CHECK(global.global_load_requests == 16 * 64);
  CHECK(global.global_load_sectors <= 5 * 16 * 64);
}

TEST_CASE_TEMPLATE("the checks refuse what is wrong on purpose", T, std::int32_t, float, double) {
  using broken::mistake;
  CHECK(summary(refused<T>(mistake::none)) == "");  // so it is the mistake that is refused, not the kernel
  CHECK(refused<T>(mistake::taps_reversed).size() > 0);
  CHECK(refused<T>(mistake::elements_for_bytes).size() > 0);
  CHECK(refused<T>(mistake::offset_for_elements).size() > 0);
  CHECK(refused<T>(mistake::other_type).size() > 0);
  CHECK(refused<T>(mistake::stale_taps).size() > 0);
  CHECK(refused<T>(mistake::second_filter).size() > 0);
  CHECK(refused<T>(mistake::parameter_bytes).size() > 0);
  CHECK(right_with<T>(with<T>(mistake::parameter_cut_off), 64));  // so many fit
  CHECK(refused<T>(mistake::parameter_cut_off).size() > 0);
}

TEST_CASE_TEMPLATE("a block that is wrongly taken for an interior one reads before the signal", T,
                   std::int32_t, float, double) {
  // The signal is part of a larger array, so that a read before it is wrong, but no device refuses it.
  const std::size_t samples = 1000, margin = 512;
  const auto outcome = [&](std::size_t taps) {
    const device_buffer<T> all(random_whole_numbers<T>(margin + samples + margin, 1)),
        h(std::vector<T>(taps, 1));
    const device_span<const T> x = all.span().subspan(margin, samples);
    device_buffer<T> y(samples + taps - 1), right(y.size());
    broken::convolve<T>(broken::mistake::interior_too_large, x, h.span(), y.span(), convolution_mode::full);
    versions::direct(x, h.span(), right.span(), convolution_mode::full);
    return compare<T>(y.to_host(), right.to_host());
  };
  CHECK(bool(outcome(257)));  // block 1 begins at output 256, which needs samples 0 to 256
  CHECK_FALSE(bool(outcome(300)));
}

TEST_CASE_TEMPLATE("more taps than fit: what happens without the check of the capacity", T, std::int32_t,
                   float, double) {
  using broken::mistake;
  const std::size_t too_many = max_constant_taps<T> + 1;
  CHECK(right_with<T>(with<T>(mistake::none), 100));
  // CUDA refuses the copy. A program that checks the status learns it, though not in words about taps.
  try {
    right_with<T>(with<T>(mistake::none), too_many);
    FAIL("no exception");
  } catch (const cuda_error& error) {
    CHECK(error.code() == cudaErrorInvalidValue);
  }
  // A program that does not check computes with the filter before, or with the part that fits.
  CHECK_FALSE(right_with<T>(with<T>(mistake::status_ignored), too_many));
  CHECK_FALSE(right_with<T>(with<T>(mistake::cut_off), too_many));
  CHECK(right_with<T>(with<T>(mistake::status_ignored), 100));
  CHECK(right_with<T>(with<T>(mistake::cut_off), 100));
}

TEST_CASE("another tap in each lane: right, and refused by the count of addresses") {
  const auto lanes_apart = with<float>(broken::mistake::tap_per_lane);
  CHECK(right_with<float>(lanes_apart, 100));
  const auto counts = counts_of<float>(lanes_apart, 1000, 64, convolution_mode::valid);
  if (!has_counts(counts)) return;
  const launch_counts in_step =
      sum(counts_of<float>(versions::constant_loaded, 1000, 64, convolution_mode::valid));
  CHECK(in_step.constant_addresses == in_step.constant_requests);
  CHECK(sum(counts).constant_addresses > 20 * sum(counts).constant_requests);
}

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  CHECK(failure_in_streams_of({}, [](auto h, auto) {
          return [=](auto x, auto y, auto stream) {
            convolve_parameter_taps<float>(x, h, y, convolution_mode::full, stream);
          };
        }) == "");
  // Of constant memory there is one place for all.
  const auto interior = [](auto x, auto h, auto y, auto mode, auto stream) {
    load_interior_taps<float>(h, stream);
    convolve_constant_interior<float>(x, h.size(), y, mode, stream);
  };
  CHECK(failure_in_streams_of({.use = {.at_once = false}}, convolve_constant<float>) == "");
  CHECK(failure_in_streams_of({.use = {.at_once = false}}, interior) == "");
}
