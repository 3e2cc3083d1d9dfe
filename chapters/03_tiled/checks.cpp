// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/stream_checks.hpp"
#include "02_direct_kernel/convolve_direct.hpp"
#include "broken.hpp"
#include "common/device/device.hpp"
#include "common/files/input_error.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "versions.hpp"

using namespace tutorial;

namespace {

template <class T>
device_convolution<T> with(broken::tiled_mistake made) {
  return [made](auto x, auto h, auto y, auto mode) { broken::convolve_tiled<T>(made, x, h, y, mode); };
}

template <class T>
device_convolution<T> with(broken::warp_mistake made) {
  return
      [made](auto x, auto h, auto y, auto mode) { broken::convolve_warp_per_output<T>(made, x, h, y, mode); };
}

/// The first case in which the checks refuse the kernel with that mistake.
template <class T, class Mistake>
std::vector<std::string> refused(Mistake made) {
  return convolution_failures<T>(on_device<T>(with<T>(made)), {.most_failures = 1});
}

/// The outputs of `full` that a kernel with that mistake gets wrong, for this many samples and taps. Whole
/// numbers: every difference is a mistake and no rounding.
template <class T, class Mistake>
std::vector<std::size_t> wrong_outputs(Mistake made, std::size_t samples, std::size_t taps) {
  const std::vector<T> x = random_whole_numbers<T>(samples, 1);
  const std::vector<std::int32_t> h = random_taps<std::int32_t>(taps, 2);  // none is zero
  const std::vector<T> filter(h.begin(), h.end());
  const auto y = on_device<T>(with<T>(made))(x, filter, convolution_mode::full);
  const auto right =
      on_device<T>([](auto... all) { convolve_direct(all...); })(x, filter, convolution_mode::full);
  std::vector<std::size_t> wrong;
  for (std::size_t n = 0; n < y.size(); ++n)
    if (y[n] != right[n]) wrong.push_back(n);
  return wrong;
}

bool within(const std::vector<std::size_t>& outputs, std::size_t begin, std::size_t end) {
  return !outputs.empty() && begin <= outputs.front() && outputs.back() < end;
}

std::size_t tiles(std::size_t length) { return (length + 31) / 32; }

/// How many of the sums of all pairs of tiles belong to an output that `mode` wants: counted one by one.
std::size_t wanted_sums(std::size_t samples, std::size_t taps, convolution_mode mode) {
  const std::size_t first = first_output(samples, taps, mode), outputs = output_length(samples, taps, mode);
  std::size_t wanted = 0;
  for (std::size_t ia = 0; ia < tiles(samples); ++ia)
    for (std::size_t ib = 0; ib < tiles(taps); ++ib)
      for (std::size_t s = 0; s < 64; ++s) {
        const std::size_t n = 32 * (ia + ib) + s;
        wanted += first <= n && n < first + outputs;
      }
  return wanted;
}

std::uint32_t sum_modulo(const std::vector<std::int32_t>& y) {
  return std::accumulate(y.begin(), y.end(), std::uint32_t{0});
}

}  // namespace

TEST_CASE_TEMPLATE("pairs of tiles compute the definition", T, std::int32_t, float, double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(versions::tiled_allocated), {.tile = 32})) == "");
}

TEST_CASE_TEMPLATE("one warp per output computes the definition", T, std::int32_t, float, double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(versions::warp_per_output), {.tile = 32})) == "");
}

TEST_CASE_TEMPLATE("chapter 02 in blocks of 32 threads computes the definition", T, std::int32_t, float,
                   double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(versions::direct_small_blocks), {.tile = 32})) == "");
  CHECK(summary(overrun_failures<T>(versions::direct_small_blocks, {.tile = 32})) == "");
}

TEST_CASE("blocks of 32 threads: 1024 x 1024 outputs become 64 blocks instead of 8, with the same loads") {
  const auto full = convolution_mode::full;
  const auto small = counts_of<std::int32_t>(versions::direct_small_blocks, 1024, 1024, full);
  if (!has_counts(small)) return;
  const launch_counts direct =
      sum(counts_of<std::int32_t>([](auto... all) { convolve_direct(all...); }, 1024, 1024, full));
  CHECK(direct.threads == 8 * 256);
  CHECK(sum(small).threads == 64 * 32);
  CHECK(sum(small).global_loads == direct.global_loads);
  CHECK(sum(small).global_load_requests == direct.global_load_requests);
  CHECK(sum(small).global_load_sectors == direct.global_load_sectors);
}

TEST_CASE("every number of ghosts in the last tiles, of samples and of taps") {
  const auto f = on_device<std::int32_t>(versions::tiled_allocated);
  const auto expected = on_device<std::int32_t>([](auto... all) { convolve_direct(all...); });
  for (std::size_t ghosts = 0; ghosts < 32; ++ghosts) {
    const auto x = random_full_range(96 - ghosts, ghosts), h = random_full_range(33 + ghosts, ghosts + 100);
    for (const auto mode : all_modes) {
      CAPTURE(ghosts);
      CHECK(f(x, h, mode) == expected(x, h, mode));
    }
  }
}

TEST_CASE("1024 x 1024: the sum of an often copied example, and the outputs themselves") {
  std::vector<std::int32_t> a(1024), b(1024);
  std::iota(a.begin(), a.end(), 1);
  std::iota(b.begin(), b.end(), 1025);
  const auto full = convolution_mode::full;
  const auto y = on_device<std::int32_t>(versions::tiled_allocated)(a, b, full);
  CHECK(sum_modulo(y) == 1074003968u);
  CHECK(y == on_device<std::int32_t>([](auto... all) { convolve_direct(all...); })(a, b, full));
  CHECK(y == on_device<std::int32_t>(versions::warp_per_output)(a, b, full));

  // Why the sum is no check: with the filter not flipped every output is wrong, and the sum is the same.
  const auto correlated = on_device<std::int32_t>(versions::tiled_allocated)(a, {b.rbegin(), b.rend()}, full);
  CHECK(sum_modulo(correlated) == sum_modulo(y));
  CHECK(compare<std::int32_t>(correlated, y).mismatches == y.size());
}

TEST_CASE("int32 sums wrap modulo 2^32") {
  const std::vector<std::int32_t> x{2147483647, 1}, h{2, 3}, wrapped{-2, 2147483647, 3};
  CHECK(on_device<std::int32_t>(versions::tiled_allocated)(x, h, convolution_mode::full) == wrapped);
  CHECK(on_device<std::int32_t>(versions::warp_per_output)(x, h, convolution_mode::full) == wrapped);
}

TEST_CASE("one warp per output leaves ghosts out: an infinite tap reaches only the outputs that have it") {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x{1, 2, 3}, h{infinity, 1, 1};
  const auto right =
      on_device<float>([](auto... all) { convolve_direct(all...); })(x, h, convolution_mode::full);
  const auto y = on_device<float>(versions::warp_per_output)(x, h, convolution_mode::full);
  CHECK(bool(compare<float>(y, right, {}, non_finite::must_agree)));
  // The tiles multiply the ghosts. Should they ever leave them out, lesson and contract have to change.
  CHECK(std::isnan(on_device<float>(versions::tiled_allocated)(x, h, convolution_mode::full)[3]));
  CHECK(right[3] == 5);
}

TEST_CASE("no samples, no taps and an output of the wrong length are refused before anything is launched") {
  const device_buffer<float> some(std::vector<float>{1, 2, 3}), none;
  device_buffer<float> y(5), short_y(4);
  const auto full = convolution_mode::full;
  CHECK_THROWS_AS(convolve_tiled<float>(none, some, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_tiled<float>(some, none, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_tiled<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_warp_per_output<float>(none, some, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_warp_per_output<float>(some, none, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_warp_per_output<float>(some, some, short_y, full), std::invalid_argument);
}

TEST_CASE("lengths whose indices do not fit an int are refused before anything is launched") {
  float* const nowhere = nullptr;
  const auto call = [&](auto f, std::size_t samples) {
    f(device_span<const float>(nowhere, samples), device_span<const float>(nowhere, 5),
      device_span<float>(nowhere, samples), convolution_mode::same);
  };
  const std::size_t most = 2147483647;
  CHECK_THROWS_AS(call(versions::tiled_allocated, most - 256 - 5 + 1), std::invalid_argument);
  const device_span<std::byte> lent(nullptr, tiled_intermediate_bytes<float>(most, 5));
  const auto with_lent = [&](auto x, auto h, auto y, auto mode) { convolve_tiled(x, h, y, mode, lent); };
  CHECK_THROWS_AS(call(with_lent, most - 256 - 5 + 1), std::invalid_argument);
  CHECK_THROWS_AS(call(versions::warp_per_output, most - 256 - 5 + 1), std::invalid_argument);
}

TEST_CASE("the size of the intermediate: 64 sums for each pair of tiles") {
  CHECK(tiled_intermediate_bytes<float>(1, 1) == 64 * 4);
  CHECK(tiled_intermediate_bytes<double>(32, 32) == 64 * 8);
  CHECK(tiled_intermediate_bytes<std::int32_t>(33, 32) == 2 * 64 * 4);
  CHECK(tiled_intermediate_bytes<std::int32_t>(1024, 1024) == 1024 * 1024 / 16 * 4);
  CHECK(tiled_intermediate_bytes<float>(1u << 24, 1025) == std::size_t{4325376} * 1024);  // more than 2^32
}

TEST_CASE("an intermediate that is lent must be large enough, and what was in it does not matter") {
  const auto x = random_full_range(100), h = random_full_range(50, 2);
  const device_buffer<std::int32_t> d_x(x), d_h(h);
  device_buffer<std::int32_t> y(149);
  const std::size_t bytes = tiled_intermediate_bytes<std::int32_t>(100, 50);
  device_buffer<std::byte> exact(bytes), small(bytes - 1);
  const auto full = convolution_mode::full;
  CHECK_THROWS_AS(convolve_tiled<std::int32_t>(d_x, d_h, y, full, small), std::invalid_argument);
  convolve_tiled<std::int32_t>(d_x, d_h, y, full, exact);
  const auto once = y.to_host();
  convolve_tiled<std::int32_t>(d_x, d_h, y, full, exact);
  CHECK(y.to_host() == once);
  CHECK(once == on_device<std::int32_t>(versions::tiled_allocated)(x, h, full));
}

TEST_CASE("more pairs of tiles than an int counts are refused, however much memory is lent") {
  const std::size_t samples = 1 << 21, taps = 1 << 20;  // 2^16 x 2^15 pairs: 2^31
  float* const nowhere = nullptr;
  const device_span<std::byte> lent(nullptr, tiled_intermediate_bytes<float>(samples, taps));
  CHECK_THROWS_AS(convolve_tiled<float>({nowhere, samples}, {nowhere, taps}, {nowhere, samples},
                                        convolution_mode::same, lent),
                  std::invalid_argument);
}

TEST_CASE("an intermediate that does not fit is refused by its size, with what is free and what to do") {
  float* const nowhere = nullptr;
  const std::size_t samples = 1 << 24, taps = 1 << 20;  // 2^44 / 16 sums of 4 bytes
  std::string message;
  try {
    convolve_tiled<float>({nowhere, samples}, {nowhere, taps}, {nowhere, samples}, convolution_mode::same);
  } catch (const input_error& error) {
    message = error.what();
  }
  CAPTURE(message);
  CHECK(message.find("4 TiB") != std::string::npos);
  CHECK(message.find("of device memory are free") != std::string::npos);
  CHECK(message.find("one warp per output") != std::string::npos);
  CHECK(cudaGetLastError() == cudaSuccess);  // and the device is as it was
}

TEST_CASE("tiles load 32 values for 1024 products; the intermediate is written once and read once") {
  for (const std::size_t samples : {1, 31, 32, 33, 100, 600})
    for (const std::size_t taps : {1, 5, 32, 33, 65, 150})
      for (const auto mode : all_modes) {
        const auto launches = counts_of<float>(versions::tiled_allocated, samples, taps, mode);
        if (!has_counts(launches)) return;
        CAPTURE(samples);
        CAPTURE(taps);
        CAPTURE(name(mode));
        const std::size_t pairs = tiles(samples) * tiles(taps), outputs = output_length(samples, taps, mode);
        REQUIRE(launches.size() == 2);
        const launch_counts &multiply = launches[0], &merge = launches[1];
        CHECK(multiply.global_loads ==
              samples * tiles(taps) + taps * tiles(samples));  // ghosts are not loaded
        CHECK(multiply.global_stores == 64 * pairs);
        CHECK(multiply.global_store_bytes == tiled_intermediate_bytes<float>(samples, taps));
        CHECK(merge.global_loads == wanted_sums(samples, taps, mode));
        CHECK(merge.global_stores == outputs);
        CHECK(multiply.barriers + merge.barriers == 0);
        CHECK(multiply.shared_loads + merge.shared_loads == 0);
      }
}

TEST_CASE("where 32 divides both lengths, N K / 16 loads for N K products, and as many sums there and back") {
  for (const std::size_t samples : {32, 256, 1024})
    for (const std::size_t taps : {32, 64, 512}) {
      const auto launches =
          counts_of<float>(versions::tiled_allocated, samples, taps, convolution_mode::full);
      if (!has_counts(launches)) return;
      const std::size_t products = samples * taps;
      CHECK(launches[0].global_loads == products / 16);
      CHECK(launches[0].global_stores == products / 16);
      CHECK(launches[1].global_loads ==
            products / 16 - 1);  // the last sum of all is the output that does not exist
      // Every request is for 32 elements side by side that begin at a sector: 4 sectors.
      CHECK(launches[0].global_load_requests == products / 16 / 32);
      CHECK(launches[0].global_load_sectors == 4 * launches[0].global_load_requests);
      CHECK(launches[0].global_store_sectors == 4 * launches[0].global_store_requests);
      CHECK(launches[1].global_load_requests == products / 16 / 32);
      CHECK(launches[1].global_load_sectors == 4 * launches[1].global_load_requests);
    }
}

TEST_CASE("one warp per output loads what one thread per output loads, in warps of side by side") {
  for (const std::size_t samples : {100, 257})
    for (const std::size_t taps : {1, 5, 31, 32, 33, 300})
      for (const auto mode : all_modes) {
        const auto launches = counts_of<float>(versions::warp_per_output, samples, taps, mode);
        if (!has_counts(launches)) return;
        const launch_counts counts = sum(launches);
        CHECK(counts.global_loads ==
              sum(counts_of<float>([](auto... all) { convolve_direct(all...); }, samples, taps, mode))
                  .global_loads);
        CHECK(counts.global_stores == output_length(samples, taps, mode));
        CHECK(counts.barriers + counts.shared_loads == 0);
      }
  // 'valid' with 96 taps: 3 rounds for each of 64 outputs, all lanes at work. Taps begin at a sector: 4 of
  // them. Samples begin at one for every eighth output: 4 there, 5 elsewhere.
  const launch_counts counts =
      sum(counts_of<float>(versions::warp_per_output, 64 + 95, 96, convolution_mode::valid));
  CHECK(counts.global_load_requests == 64 * 3 * 2);
  CHECK(counts.global_load_sectors == 64 * 3 * 4 + 3 * (8 * 4 + 56 * 5));
  // 5 taps: 5 lanes at work and 27 idle, so a request for taps and one for samples, for each output.
  CHECK(sum(counts_of<float>(versions::warp_per_output, 64 + 4, 5, convolution_mode::valid))
            .global_load_requests == 64 * 2);
}

TEST_CASE_TEMPLATE("the kernels keep to their arrays", T, std::int32_t, float, double) {
  CHECK(summary(overrun_failures<T>(versions::tiled_allocated, {.tile = 32})) == "");
  CHECK(summary(overrun_failures<T>(versions::warp_per_output, {.tile = 32})) == "");
}

TEST_CASE_TEMPLATE("the checks refuse what is wrong on purpose: tiles", T, std::int32_t, float, double) {
  using broken::tiled_mistake;
  // Without a mistake it is accepted: so it is the mistake that is refused, not the kernel.
  CHECK(summary(overrun_failures<T>(with<T>(tiled_mistake::none), {.tile = 32})) == "");
  for (const auto made :
       {tiled_mistake::halves_not_merged, tiled_mistake::second_half_in_place, tiled_mistake::wrong_diagonal,
        tiled_mistake::last_pair_lost, tiled_mistake::last_row_lost, tiled_mistake::not_rotated,
        tiled_mistake::ghost_samples_not_zero, tiled_mistake::ghost_taps_not_zero,
        tiled_mistake::pairs_transposed}) {
    CAPTURE(int(made));
    CHECK(refused<T>(made).size() > 0);
  }
}

TEST_CASE_TEMPLATE("each of those mistakes is wrong where it should be, and only there", T, std::int32_t,
                   float, double) {
  using broken::tiled_mistake;
  // 96 samples and 64 taps: tiles 0 to 2 by 0 and 1, rows 0 to 4, 159 outputs.
  CHECK(wrong_outputs<T>(tiled_mistake::none, 96, 64).empty());
  CHECK(within(wrong_outputs<T>(tiled_mistake::halves_not_merged, 96, 64), 32, 159));
  CHECK(within(wrong_outputs<T>(tiled_mistake::last_pair_lost, 96, 64), 32, 159));
  CHECK(within(wrong_outputs<T>(tiled_mistake::last_row_lost, 96, 64), 128, 159));
  CHECK(wrong_outputs<T>(tiled_mistake::second_half_in_place, 96, 64).front() < 32);
  CHECK(
      wrong_outputs<T>(tiled_mistake::wrong_diagonal, 96, 32).empty());  // one tile of taps: one pair per row
  CHECK(!wrong_outputs<T>(tiled_mistake::wrong_diagonal, 96, 64).empty());
  CHECK(wrong_outputs<T>(tiled_mistake::pairs_transposed, 96, 32).empty());
  CHECK(!wrong_outputs<T>(tiled_mistake::pairs_transposed, 96, 64).empty());
  // Lengths that 32 divides have no ghosts, and hide this.
  CHECK(wrong_outputs<T>(tiled_mistake::ghost_samples_not_zero, 96, 64).empty());
  CHECK(within(wrong_outputs<T>(tiled_mistake::ghost_samples_not_zero, 90, 64), 90, 153));
  CHECK(wrong_outputs<T>(tiled_mistake::ghost_taps_not_zero, 96, 64).empty());
  CHECK(within(wrong_outputs<T>(tiled_mistake::ghost_taps_not_zero, 96, 60), 60, 155));
}

TEST_CASE_TEMPLATE("the checks refuse what is wrong on purpose: one warp per output", T, std::int32_t, float,
                   double) {
  using broken::warp_mistake;
  CHECK(summary(overrun_failures<T>(with<T>(warp_mistake::none), {.tile = 32})) == "");
  for (const auto made : {warp_mistake::last_step_missing, warp_mistake::half_warps, warp_mistake::rest_lost,
                          warp_mistake::one_round_only, warp_mistake::wrong_lane_stores}) {
    CAPTURE(int(made));
    CHECK(refused<T>(made).size() > 0);
  }
  CHECK(wrong_outputs<T>(warp_mistake::half_warps, 100, 16).empty());  // 16 taps need half a warp only
  CHECK(within(wrong_outputs<T>(warp_mistake::half_warps, 100, 20), 16, 119));
  CHECK(wrong_outputs<T>(warp_mistake::rest_lost, 100, 64).empty());
  CHECK(within(wrong_outputs<T>(warp_mistake::rest_lost, 100, 65), 64, 164));
  CHECK(wrong_outputs<T>(warp_mistake::one_round_only, 100, 32).empty());
  CHECK(within(wrong_outputs<T>(warp_mistake::one_round_only, 100, 33), 32, 132));
}

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  for (const auto each : {convolve_warp_per_output<float>, convolve_direct_small_blocks<float>})
    CHECK(failure_in_streams_of({}, each) == "");
  const auto allocated = [](auto x, auto h, auto y, auto mode, auto stream) {
    convolve_tiled<float>(x, h, y, mode, stream);
  };
  // The emulated device records no allocations.
  CHECK(failure_in_streams_of({.use = {.recorded = !current_device().emulated}}, allocated) == "");
  CHECK(failure_in_streams_of({.new_taps = true}, [](auto, auto h) {
          const auto memory =
              std::make_shared<device_buffer<std::byte>>(tiled_intermediate_bytes<float>(700, 5));
          return [=](auto x, auto y, auto stream) {
            convolve_tiled<float>(x, h, y, convolution_mode::full, *memory, stream);
          };
        }) == "");
}
