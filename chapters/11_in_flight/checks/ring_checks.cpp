// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/stream_checks.hpp"
#include "02_direct_kernel/convolve_direct.hpp"
#include "04_constant_memory/versions.hpp"
#include "06_register_tiling/offset_checks.hpp"
#include "11_in_flight/kernels/convolve_ring.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;
using versions::taps_on_host;

namespace {

constexpr auto full = convolution_mode::full;
constexpr auto valid = convolution_mode::valid;

/// Outputs of a warp's tile.
template <class T>
constexpr std::size_t tile_outputs = 32 * 5 * 16 / sizeof(T);

/// A ring of that depth in one block, so that a warp takes every fourth tile. The general checks have filters
/// of all lengths: those that are too long go another way.
template <class T>
device_convolution<T> ring(int depth) {
  return [depth](device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode) {
    if (h.size() > std::size_t(ring_max_taps<T>)) return convolve_direct(x, h, y, mode);
    convolve_ring<T>(x, taps_on_host(h), y, mode, {.depth = depth, .most_blocks = 1});
  };
}

/// The same with whole tiles.
template <class T>
device_convolution<T> bulk() {
  return [](device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode) {
    if (h.size() > std::size_t(ring_max_taps<T>)) return convolve_direct(x, h, y, mode);
    convolve_bulk<T>(x, taps_on_host(h), y, mode, 1);
  };
}

/// The same with three filters of half the length.
device_convolution<float> fast_fir() {
  return [](device_span<const float> x, device_span<const float> h, device_span<float> y,
            convolution_mode mode) {
    if (h.size() > std::size_t(fast_fir_max_taps)) return convolve_direct(x, h, y, mode);
    convolve_fast_fir(x, taps_on_host(h), y, mode, 1);
  };
}

}  // namespace

TEST_CASE_TEMPLATE("the ring computes the definition", T, std::int32_t, float, double) {
  // A mode only shifts y against x, and the checks of alignment below do that for every type.
  convolution_cases cases;
  if constexpr (!std::is_same_v<T, float>) cases.modes = {convolution_mode::same};
  SUBCASE("ring") { CHECK(summary(convolution_failures<T>(on_device<T>(ring<T>(3)), cases)) == ""); }
  SUBCASE("bulk") { CHECK(summary(convolution_failures<T>(on_device<T>(bulk<T>()), cases)) == ""); }
}

TEST_CASE_TEMPLATE("rings of every depth, with fewer tiles than slots and with many", T, std::int32_t, float,
                   double) {
  for (int depth = 1; depth <= ring_max_depth; ++depth)
    for (const std::size_t tiles : {1, 5, 21}) {
      CAPTURE(depth);
      CAPTURE(tiles);
      const std::vector<offset_case> cases = {{tiles * tile_outputs<T> - 7, 17, 0, 0, full}};
      CHECK(summary(offset_failures<T>(ring<T>(depth), cases)) == "");
      const std::vector<offset_case> known = {
          {tiles * tile_outputs<T> - 7, std::size_t{bulk_known_taps<T>}, 0, 0, full}};
      if (depth == 1) CHECK(summary(offset_failures<T>(bulk<T>(), cases)) == "");
      if (depth == 1) CHECK(summary(offset_failures<T>(bulk<T>(), known)) == "");
    }
}

TEST_CASE_TEMPLATE("the ring keeps to its arrays", T, std::int32_t, float, double) {
  CHECK(summary(overrun_failures<T>(ring<T>(3), {.tile = tile_outputs<T>})) == "");
  CHECK(summary(overrun_failures<T>(bulk<T>(), {.tile = tile_outputs<T>})) == "");
}

TEST_CASE_TEMPLATE("for the ring, arrays may begin anywhere", T, std::int32_t, float, double) {
  // The fifth tile, the first that a warp takes second, ends at the last sample or just behind it.
  CHECK(summary(offset_failures<T>(ring<T>(3), all_offsets(5 * tile_outputs<T> - 4, {5, 6, 18}))) == "");
  CHECK(summary(offset_failures<T>(
            bulk<T>(), all_offsets(5 * tile_outputs<T> - 4, {6, std::size_t{bulk_known_taps<T>}}))) == "");
}

TEST_CASE_TEMPLATE("the ring takes any number of taps", T, std::int32_t, float, double) {
  CHECK(summary(offset_failures<T>(ring<T>(2), all_taps(90, 1, ring_max_taps<T>))) == "");
}

TEST_CASE_TEMPLATE("the ring carries NaN through, and only to the outputs that meet it", T, float, double) {
  for (const std::size_t taps : {1, 2, 5, 24, 33}) {
    CAPTURE(taps);
    CHECK(keeps_nan_in_place<T>(ring<T>(3), taps));
  }
  CHECK(keeps_nan_in_place<T>(bulk<T>(), std::size_t{bulk_known_taps<T>}));
}

TEST_CASE("the ring's int32 sums wrap modulo 2^32") {
  const std::vector<std::int32_t> x{2147483647, 1}, h{2, 3}, y{-2, 2147483647, 3};
  CHECK(on_device<std::int32_t>(ring<std::int32_t>(3))(x, h, full) == y);
}

TEST_CASE("the taps of a call are its own: they may change behind it") {
  const std::vector<float> host = random_whole_numbers<float>(3000);
  std::vector<float> h = random_whole_numbers<float>(33, 2), expected(3032);
  convolve_gather<float>(host, h, expected, full);
  const device_buffer<float> x(host);
  device_buffer<float> y(3032), other(3032);
  convolve_ring<float>(x, h, y, full);
  h.assign(h.size(), 0);
  convolve_ring<float>(x, h, other, full);
  CHECK(y.to_host() == expected);
}

TEST_CASE("the ring refuses what does not fit before anything is launched") {
  const device_buffer<float> x(std::vector<float>{1, 2, 3}), none;
  const std::vector<float> h(3), too_long(129), no_taps;
  device_buffer<float> y(5), short_y(4), long_y(131);
  CHECK_THROWS_AS(convolve_ring<float>(none, h, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_ring<float>(x, no_taps, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_ring<float>(x, h, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_ring<float>(x, too_long, long_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_bulk<float>(none, h, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_bulk<float>(x, h, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_bulk<float>(x, too_long, long_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_ring<float>(x, h, y, full, {.depth = 0}), std::invalid_argument);
  CHECK_THROWS_AS(convolve_ring<float>(x, h, y, full, {.depth = 5}), std::invalid_argument);
  float* const nowhere = nullptr;
  const std::size_t samples = 2147483647 - 640;  // with 3 taps, more than int indices allow
  CHECK_THROWS_AS(convolve_ring<float>(device_span<const float>(nowhere, samples), h,
                                       device_span<float>(nowhere, samples), convolution_mode::same),
                  std::invalid_argument);
}

TEST_CASE("the ring loads each sample once per tile, with the halo, by vectors") {
  // 'valid' with 65 taps, eight tiles: all lie inside x.
  const std::size_t tiles = 8, samples = tiles * 640 + 64 + 4, taps = 65;
  const device_buffer<float> x(random_signal<float>(samples));
  const std::vector<float> h = random_taps<float>(taps);
  device_buffer<float> y(samples - 64);
  const auto launches = count_launches(
      [&] { convolve_ring<float>(x, h, y.span().subspan(0, samples - 64), valid, {.most_blocks = 1}); });
  if (!has_counts(launches)) return;
  // 68 samples of halo before the 640 of the outputs; the ninth tile has four outputs, and ghosts.
  const std::uint64_t vectors = tiles * (640 + 68) / 4;
  CHECK(sum(launches).global_load_bytes >= vectors * 16);
  CHECK(sum(launches).global_load_bytes <= vectors * 16 + (640 + 68) * 4);
  CHECK(sum(launches).barriers == 0);
  CHECK(sum(launches).constant_loads == 0);
}

TEST_CASE("no block without a tile: four warps take nine tiles by three blocks") {
  const auto launched_by = [](auto convolve) {
    constexpr std::size_t samples = 8 * tile_outputs<float> + 1;
    const device_buffer<float> x(random_signal<float>(samples));
    device_buffer<float> y(samples);
    const std::vector<float> h = random_taps<float>(5);
    return count_launches([&] { convolve(x, h, y, convolution_mode::same); });
  };
  const auto by_ring = [](auto& x, auto& h, auto& y, auto mode) { convolve_ring<float>(x, h, y, mode); };
  const auto by_bulk = [](auto& x, auto& h, auto& y, auto mode) { convolve_bulk<float>(x, h, y, mode); };
  const auto by_fir = [](auto& x, auto& h, auto& y, auto mode) { convolve_fast_fir(x, h, y, mode); };
  if (!has_counts(launched_by(by_ring))) return;
  CHECK(blocks(launched_by(by_ring)) == 3);
  CHECK(blocks(launched_by(by_bulk)) == 3);
  CHECK(blocks(launched_by(by_fir)) == 3);
}

TEST_CASE_TEMPLATE("the facts of the ring are those of its launch", T, float, double) {
  for (int depth = 1; depth <= ring_max_depth; ++depth) {
    const kernel_facts facts = ring_facts<T>(depth);
    const int tile = sizeof(T) == 4 ? (68 + 640) * 4 : (64 + 320) * 8;
    CHECK(facts.threads_per_block == 128);
    CHECK(facts.shared_bytes == 4 * depth * tile);
    CHECK(facts.blocks_per_multiprocessor >= 4);
    CHECK(ring_bytes_under_way<T>(sizeof(T) == 4 ? 65 : 64, depth) == (depth - 1) * tile);
  }
}

TEST_CASE("fast FIR: whole numbers are exact, of any length, from anywhere") {
  CHECK(summary(offset_failures<float>(fast_fir(), all_offsets(5 * tile_outputs<float> - 4, {5, 6}))) == "");
  CHECK(summary(offset_failures<float>(fast_fir(), all_taps(90, 1, fast_fir_max_taps))) == "");
  for (const std::size_t tiles : {1, 5, 21}) {
    const std::vector<offset_case> cases = {{tiles * tile_outputs<float> - 7, 65, 0, 0, full}};
    CHECK(summary(offset_failures<float>(fast_fir(), cases)) == "");
  }
}

TEST_CASE("fast FIR computes the definition within its bound, and keeps to its arrays") {
  const convolution_cases cases = {
      .tile = tile_outputs<float>,
      .rounding = [](double largest, double, double sum, std::size_t, std::size_t) {
        return fast_fir_rounding(sum, largest);  // no sample is larger than the norm
      }};
  CHECK(summary(convolution_failures<float>(on_device<float>(fast_fir()), cases)) == "");
  CHECK(summary(overrun_failures<float>(fast_fir(), cases)) == "");
}

TEST_CASE("fast FIR: the bound holds where sums cancel") {
  // Even and odd outputs of very different size: the sums of both are large, and the odd outputs small.
  std::vector<float> x(2000), h(65);
  for (std::size_t n = 0; n < x.size(); ++n)
    x[n] = n % 2 == 0 ? 1000.5f + float(n % 7) : 0.001f * float(n % 5);
  for (std::size_t k = 0; k < h.size(); ++k) h[k] = k % 2 == 0 ? 3.3f + 0.01f * float(k) : 1e-4f;
  std::vector<float> expected(x.size() + h.size() - 1);
  convolve_gather<float>(x, h, expected, full);
  double sum = 0;
  for (const float each : h) sum += each;
  const std::vector<float> y = on_device<float>(fast_fir())(x, h, full);
  CHECK(compare_as_a_whole<float>(y, expected, {}, fast_fir_rounding(sum, 1007),
                                  std::numeric_limits<double>::infinity()));
  // And the bound of a plain sum does not hold: that is the price.
  double worst = 0;
  for (std::size_t n = 1; n < y.size(); n += 2)
    worst = std::max(worst, std::abs(double(y[n]) - double(expected[n])) / expected[n]);
  CHECK(worst > 65 * 1.2e-7);
}

TEST_CASE("fast FIR refuses what does not fit") {
  const device_buffer<float> x(std::vector<float>{1, 2, 3});
  device_buffer<float> y(5), long_y(69);
  CHECK_THROWS_AS(convolve_fast_fir(x, std::vector<float>(67), long_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_fast_fir(x, std::vector<float>(2), y, full), std::invalid_argument);
}

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  const auto fails = [](auto convolve) {
    return failure_in_streams_of({.samples = 3000, .taps = 65}, [=](auto h, auto) {
      return [=](auto x, auto y, auto stream) { convolve(x, h, y, stream); };
    });
  };
  CHECK(fails([](auto x, auto h, auto y, auto stream) { convolve_ring<float>(x, h, y, full, {}, stream); }) ==
        "");
  CHECK(fails([](auto x, auto h, auto y, auto stream) { convolve_bulk<float>(x, h, y, full, 1, stream); }) ==
        "");
  CHECK(fails([](auto x, auto h, auto y, auto stream) { convolve_fast_fir(x, h, y, full, 1, stream); }) ==
        "");
}
