// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/stream_checks.hpp"
#include "02_direct_kernel/versions.hpp"
#include "04_constant_memory/versions.hpp"
#include "access_formulas.hpp"
#include "broken.hpp"
#include "common/device/stream.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "dynamic_shared.hpp"
#include "versions.hpp"

using namespace tutorial;

namespace {

/// The loads from global memory that the version of that kind, of any number of taps, is counted with.
std::uint64_t counted_loads(access_kind kind, std::size_t samples, std::size_t taps, convolution_mode mode) {
  switch (kind) {
    case access_kind::plain:
      return sum(counts_of<float>(versions::direct, samples, taps, mode)).global_loads;
    case access_kind::constant:
      return sum(counts_of<float>(versions::constant, samples, taps, mode)).global_loads;
    default:
      break;
  }
  return sum(counts_of<float>(versions::shared_loaded, samples, taps, mode)).global_loads;
}

constexpr access_kind all_kinds[] = {access_kind::plain, access_kind::constant, access_kind::shared};

bool device_watches() { return has_counts(counts_of<float>(versions::direct, 1, 1, convolution_mode::full)); }

template <class T>
device_convolution<T> with(broken::mistake made) {
  return [made](auto x, auto h, auto y, auto mode) { broken::convolve<T>(made, x, h, y, mode); };
}

/// The first few cases in which the checks refuse the kernel with that mistake.
template <class T>
std::vector<std::string> refused(broken::mistake made) {
  return convolution_failures<T>(on_device<T>(with<T>(made)), {.most_failures = 6});
}

template <class T>
std::vector<std::string> overruns(broken::mistake made) {
  return overrun_failures<T>(with<T>(made), {.most_failures = 6});
}

/// 'valid' on 20 samples more than taps, in whole numbers: 21 outputs, each of which meets all taps.
template <class T, class F>
void check_long_filter(F f, std::size_t taps) {
  CAPTURE(taps);
  const std::vector<T> x = random_whole_numbers<T>(taps + 20, 1), h = random_whole_numbers<T>(taps, 2);
  std::vector<T> expected(21);
  convolve_gather<T>(x, h, expected, convolution_mode::valid);
  const agreement result = compare<T>(on_device<T>(f)(x, h, convolution_mode::valid), expected);
  CHECK_MESSAGE(result, describe(result));
}

}  // namespace

TEST_CASE("the first tile: it computes the definition, for 5 taps and 'same'") {
  const std::vector<float> h = random_whole_numbers<float>(5, 2);
  for (const std::size_t length :
       {1, 2, 3, 4, 5, 511, 512, 513, 514, 515, 516, 517, 1023, 1024, 1025, 1531, 5003}) {
    CAPTURE(length);
    const std::vector<float> x = random_whole_numbers<float>(length, 1);
    std::vector<float> expected(length);
    convolve_gather<float>(x, h, expected, convolution_mode::same);
    CHECK(on_device<float>(in_default_stream<smooth_tile>)(x, h, convolution_mode::same) == expected);
  }
  const device_buffer<float> x(random_signal<float>(100)), five(h), six(random_taps<float>(6));
  device_buffer<float> y(100), full_y(104);
  CHECK_THROWS_AS(smooth_tile(x, six, y, convolution_mode::same), std::invalid_argument);
  CHECK_THROWS_AS(smooth_tile(x, five, full_y, convolution_mode::full), std::invalid_argument);
  CHECK_THROWS_AS(smooth_tile(x, five, full_y, convolution_mode::same), std::invalid_argument);
  float* const nowhere = nullptr;
  const std::size_t samples = 2147483647u - 517 + 1;  // one more than there may be
  CHECK_THROWS_AS(smooth_tile({nowhere, samples}, {nowhere, 5}, {nowhere, samples}, convolution_mode::same),
                  std::invalid_argument);
}

TEST_CASE_TEMPLATE("tile and halo in shared memory: it computes the definition", T, std::int32_t, float,
                   double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(versions::shared), {.tile = shared_tile})) == "");
  CHECK(summary(overrun_failures<T>(versions::shared, {.tile = shared_tile})) == "");
}

TEST_CASE_TEMPLATE("in chunks of taps: it computes the definition", T, std::int32_t, float, double) {
  if (std::is_same_v<T, float>)
    CHECK(summary(convolution_failures<T>(on_device<T>(versions::shared_chunked), {.tile = shared_tile})) ==
          "");
  CHECK(summary(overrun_failures<T>(versions::shared_chunked, {.tile = shared_tile})) == "");
  for (const std::size_t taps : {255, 256, 257, 512, 513, 1000})
    check_long_filter<T>(versions::shared_chunked, taps);
}

TEST_CASE_TEMPLATE("eight outputs per thread, in every layout: it computes the definition", T, std::int32_t,
                   float, double) {
  if (std::is_same_v<T, float>) {
    CHECK(summary(convolution_failures<T>(on_device<T>(versions::shared_padded), {.tile = 256})) == "");
    CHECK(summary(convolution_failures<T>(on_device<T>(versions::shared_side_by_side), {.tile = 256})) == "");
  }
  CHECK(summary(overrun_failures<T>(versions::shared_neighbors, {.tile = 1024})) == "");
  CHECK(summary(overrun_failures<T>(versions::shared_padded, {.tile = 1024})) == "");
  CHECK(summary(overrun_failures<T>(versions::shared_side_by_side, {.tile = 1024})) == "");
}

TEST_CASE("eight outputs per thread: several blocks, and more taps than a block has outputs") {
  const std::size_t taps = 1030, outputs = 1030;
  const auto valid = convolution_mode::valid;
  const auto x = random_whole_numbers<float>(outputs + taps - 1, 1), h = random_whole_numbers<float>(taps, 2);
  std::vector<float> expected(outputs);
  convolve_gather<float>(x, h, expected, valid);
  CHECK(on_device<float>(versions::shared_neighbors)(x, h, valid) == expected);
  CHECK(on_device<float>(versions::shared_padded)(x, h, valid) == expected);
  CHECK(on_device<float>(versions::shared_side_by_side)(x, h, valid) == expected);
}

TEST_CASE_TEMPLATE("filters at and beyond what 48 KiB, one launch and constant memory can take", T,
                   std::int32_t, float, double) {
  const std::size_t unasked = 48 * 1024 / sizeof(T) - (shared_tile - 1);  // the tile fills 48 KiB exactly
  const std::size_t most = most_shared_taps<T>(), capacity = 64 * 1024 / sizeof(T);
  CHECK(most > unasked);
  for (const std::size_t taps : {unasked, unasked + 1, most - 1, most})
    check_long_filter<T>(versions::shared_loaded, taps);
  const std::size_t part = shared_taps_per_launch<T>;
  for (const std::size_t taps : {part - 1, part, part + 1, 5 * part, 5 * part + 1, capacity + 1})
    check_long_filter<T>(versions::shared, taps);
  check_long_filter<T>(versions::shared_padded, most_shared_eight_taps<T>());
  check_long_filter<T>(versions::shared_side_by_side, most_shared_eight_taps<T>());
}

TEST_CASE("a launch takes 256 bytes of taps, and loads y again from the second launch on") {
  const auto launches = [](std::size_t taps) {
    return counts_of<float>(versions::shared, 255 + taps, taps, convolution_mode::valid);  // one full block
  };
  const auto one = launches(64);
  if (!has_counts(one)) return;
  CHECK(one.size() == 1);
  CHECK(launches(65).size() == 2);
  CHECK(launches(1025).size() == 17);
  CHECK(sum(launches(130)).global_loads == 256 + 63 + (256 + 63 + 256) + (256 + 1 + 256));
}

TEST_CASE_TEMPLATE("with taps that are already there", T, std::int32_t, float, double) {
  CHECK(summary(overrun_failures<T>(versions::shared_loaded, {.tile = shared_tile})) == "");
  const device_buffer<T> x(random_signal<T>(100)), h(random_taps<T>(7));
  device_buffer<T> y(100);
  load_shared_taps<T>(h);
  const auto same = convolution_mode::same;
  CHECK_NOTHROW(convolve_shared_with_loaded_taps<T>(x, 7, y, same));
  CHECK_THROWS_AS(convolve_shared_with_loaded_taps<T>(x, 5, y, same), std::invalid_argument);
  using other = std::conditional_t<std::is_same_v<T, float>, std::int32_t, float>;
  device_buffer<other> other_y(100);
  CHECK_THROWS_AS(
      convolve_shared_with_loaded_taps<other>(device_buffer<other>(std::size_t{100}), 7, other_y, same),
      std::invalid_argument);
  convolve_shared<T>(x, h, y, same);  // which may have left the last part of another filter there
  CHECK_THROWS_AS(convolve_shared_with_loaded_taps<T>(x, 7, y, same), std::invalid_argument);
  CHECK_THROWS_AS(load_shared_taps<T>({}), std::invalid_argument);
  CHECK_THROWS_AS(load_shared_taps<T>({h.data(), most_shared_taps<T>() + 1}), std::invalid_argument);
}

TEST_CASE("int32 sums wrap modulo 2^32") {
  const std::vector<std::int32_t> x{2147483647, 1}, h{2, 3}, expected{-2, 2147483647, 3};
  CHECK(on_device<std::int32_t>(versions::shared)(x, h, convolution_mode::full) == expected);
  CHECK(on_device<std::int32_t>(versions::shared_chunked)(x, h, convolution_mode::full) == expected);
  CHECK(on_device<std::int32_t>(versions::shared_padded)(x, h, convolution_mode::full) == expected);
}

TEST_CASE("what cannot be computed is refused before anything is launched") {
  const device_buffer<float> some(std::vector<float>{1, 2, 3}), none;
  device_buffer<float> y(5), short_y(4);
  const auto full = convolution_mode::full;
  const auto eight = [](auto x, auto h, auto y, auto mode) { versions::shared_side_by_side(x, h, y, mode); };
  const auto refuses = [&](auto f, std::size_t spare) {
    CHECK_THROWS_AS(f(none.span(), some.span(), y.span(), full), std::invalid_argument);
    CHECK_THROWS_AS(f(some.span(), none.span(), y.span(), full), std::invalid_argument);
    CHECK_THROWS_AS(f(some.span(), some.span(), short_y.span(), full), std::invalid_argument);
    float* const nowhere = nullptr;
    const std::size_t samples = 2147483647u - spare - 5 + 1;  // one more than there may be
    CHECK_THROWS_AS(f(device_span<const float>(nowhere, samples), device_span<const float>(nowhere, 5),
                      device_span<float>(nowhere, samples), convolution_mode::same),
                    std::invalid_argument);
  };
  refuses(versions::shared, 256 + 16384);
  refuses(versions::shared_chunked, 512);
  refuses(eight, 2048);
  const std::size_t taps = most_shared_eight_taps<float>() + 1;
  const device_buffer<float> long_h(taps);
  device_buffer<float> long_y(3);
  CHECK_THROWS_AS(
      versions::shared_side_by_side(some.span(), long_h.span(), long_y.span(), convolution_mode::same),
      std::invalid_argument);
}

TEST_CASE("the formula for all blocks agrees with what is counted, for any lengths and modes") {
  for (const std::size_t samples : {1, 2, 255, 256, 257, 600})
    for (const std::size_t taps : {1, 2, 5, 32, 300})
      for (const convolution_mode mode : all_modes) {
        if (!device_watches()) return;
        CAPTURE(samples);
        CAPTURE(taps);
        CAPTURE(name(mode));
        for (const access_kind kind : all_kinds)
          CHECK(counted_loads(kind, samples, taps, mode) ==
                all_loads(kind, {samples, taps, mode, shared_tile}));
      }
}

TEST_CASE("the first tile loads each sample once for a block, and at most five taps for an output") {
  for (const std::size_t samples : {1, 4, 512, 513, 1300}) {
    const auto launches =
        counts_of<float>(in_default_stream<smooth_tile>, samples, 5, convolution_mode::same);
    if (!has_counts(launches)) return;
    const blocked_convolution what{samples, 5, convolution_mode::same, 512};
    // Fewer, if the taps are staged, too, as the lesson asks for.
    CHECK(sum(launches).global_loads <= all_loads(access_kind::tile, what));
    CHECK(sum(launches).global_loads >= all_loads(access_kind::shared, what));
    CHECK(sum(launches).barriers == what.blocks());
  }
  for (const auto position : {block_position::first, block_position::interior, block_position::last})
    CHECK(same_block_loads(access_kind::tile, position, 512, 2) ==
          block_loads(access_kind::tile, {3 * 512, 5, convolution_mode::same, 512}, std::size_t(position)));
}

TEST_CASE("each position's formula agrees with what is counted") {
  if (!device_watches()) return;
  const std::size_t tile = shared_tile;
  const auto same = convolution_mode::same;
  for (const std::size_t radius : {0, 1, 2, 15, 64}) {
    const std::size_t taps = 2 * radius + 1;
    for (const access_kind kind : all_kinds) {
      CAPTURE(taps);
      const auto counted = [&](std::size_t samples) { return counted_loads(kind, samples, taps, same); };
      const auto formula = [&](block_position position, std::size_t active) {
        return same_block_loads(kind, position, active, radius);
      };
      // Two full blocks mirror each other, a third one between them is interior, and what another one adds is
      // the last.
      const std::uint64_t first = counted(2 * tile) / 2, interior = counted(3 * tile) - counted(2 * tile);
      CHECK(first == formula(block_position::first, tile));
      CHECK(interior == formula(block_position::interior, tile));
      for (const std::size_t active : {std::size_t{64}, std::size_t{128}, tile - 1, tile}) {
        CAPTURE(active);
        CHECK(counted(2 * tile + active) - first - interior == formula(block_position::last, active));
        if (active >= 2 * radius) CHECK(counted(active) == formula(block_position::only, active));
        // The general formula says the same of each block.
        const blocked_convolution three{2 * tile + active, taps, same, tile};
        CHECK(block_loads(kind, three, 0) == first);
        CHECK(block_loads(kind, three, 1) == interior);
        CHECK(block_loads(kind, three, 2) == formula(block_position::last, active));
      }
    }
  }
}

TEST_CASE("a last block with fewer outputs than the radius: the general formula still agrees") {
  if (!device_watches()) return;
  for (const std::size_t active : {1, 3, 20})
    for (const access_kind kind : all_kinds) {
      const std::size_t samples = 2 * shared_tile + active;
      const blocked_convolution what{samples, 101, convolution_mode::same, shared_tile};
      CHECK(counted_loads(kind, samples, 101, what.mode) == all_loads(kind, what));
      // The block before it meets the end of the signal, too: it is no interior block any more.
      CHECK(block_loads(kind, what, 1) < same_block_loads(kind, block_position::interior, shared_tile, 50));
    }
}

TEST_CASE("the formulas at the size of work A: the last block has 128 active threads of 512") {
  const blocked_convolution work{10'000'000, 5, convolution_mode::same, 512};
  CHECK(work.blocks() == 19'532);
  const auto loads = [&](access_kind kind, std::size_t block) { return block_loads(kind, work, block); };
  CHECK(loads(access_kind::plain, 1) == 512 * 2 * 5);
  CHECK(loads(access_kind::constant, 1) == 512 * 5);
  CHECK(loads(access_kind::shared, 1) == 512 + 2 * 2);
  CHECK(loads(access_kind::plain, 0) == 512 * 2 * 5 - 2 * 3);
  CHECK(loads(access_kind::constant, 0) == 512 * 5 - 2 * 3 / 2);
  CHECK(loads(access_kind::shared, 0) == 512 + 2 * 2 - 2);
  CHECK(loads(access_kind::plain, 19'531) == 128 * 2 * 5 - 2 * 3);
  CHECK(loads(access_kind::constant, 19'531) == 128 * 5 - 2 * 3 / 2);
  CHECK(loads(access_kind::shared, 19'531) == 128 + 2);
}

TEST_CASE("one load per sample of the tile, one barrier, one read of shared memory per product") {
  // 'valid': 8 full blocks, no ghosts. 31 taps are 30 samples of halo.
  const auto launches = counts_of<float>(versions::shared, 2048 + 30, 31, convolution_mode::valid);
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK(counts.global_loads == 8 * (256 + 30));
  CHECK(counts.shared_stores == 8 * (256 + 30));
  CHECK(counts.shared_loads == 2048 * 31);
  CHECK(counts.constant_loads == 2048 * 31);
  CHECK(counts.barriers == 8);
  CHECK(counts.shared_load_wavefronts == counts.shared_load_requests);  // lanes side by side: no conflict
  CHECK(counts.constant_addresses == counts.constant_requests);         // one tap for the whole warp

  // 300 taps in two chunks: twice the samples of a block, the halos of 255 and 43, and the taps once.
  const launch_counts chunks =
      sum(counts_of<float>(versions::shared_chunked, 2048 + 299, 300, convolution_mode::valid));
  CHECK(chunks.global_loads == 8 * (2 * 256 + 255 + 43 + 300));
  CHECK(chunks.shared_loads == 2 * 2048 * 300);
  CHECK(chunks.barriers == 8 * 4);
  CHECK(chunks.shared_load_wavefronts == chunks.shared_load_requests);
}

TEST_CASE("lanes in strides of eight meet in the same banks; padded or side by side they do not") {
  const auto of = [](auto f, auto zero) {
    using T = decltype(zero);
    return sum(counts_of<T>(f, 4096 + 16, 17, convolution_mode::valid));  // 4 full blocks
  };
  if (!device_watches()) return;
  const auto per_request = [](const launch_counts& counts) {
    REQUIRE(counts.shared_load_requests == 4096 / 32 * 17);
    REQUIRE(counts.shared_load_wavefronts % counts.shared_load_requests == 0);
    return counts.shared_load_wavefronts / counts.shared_load_requests;
  };
  CHECK(per_request(of(versions::shared_neighbors, 0.0f)) == 8);  // 32 lanes in 4 banks
  CHECK(per_request(of(versions::shared_padded, 0.0f)) == 1);
  CHECK(per_request(of(versions::shared_side_by_side, 0.0f)) == 1);
  // 8-byte elements go 16 lanes at a time, so that 2 wavefronts are the least.
  CHECK(per_request(of(versions::shared_neighbors, 0.0)) == 16);
  CHECK(per_request(of(versions::shared_padded, 0.0)) == 2);
  CHECK(per_request(of(versions::shared_side_by_side, 0.0)) == 2);
}

TEST_CASE("more than 48 KiB of shared memory has to be asked for, and there is an end to it") {
  const shared_memory_limits limits = limits_of_shared_memory();
  CHECK(limits.unasked == 48 * 1024);
  CHECK(limits.asked >= limits.unasked);
  CHECK(use_shared_memory(limits.unasked) == cudaSuccess);
  CHECK(use_shared_memory(limits.unasked + 4) == cudaErrorInvalidValue);
  CHECK(ask_and_use_shared_memory(limits.asked) == cudaSuccess);
  CHECK(ask_and_use_shared_memory(limits.asked + 4) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);  // a refusal leaves nothing behind
  CHECK(use_shared_memory(limits.unasked + 4) ==
        cudaErrorInvalidValue);  // one kernel's request is not another's
  CHECK_NOTHROW(poison_shared_memory());
}

TEST_CASE_TEMPLATE("the checks refuse what is wrong on purpose", T, std::int32_t, float) {
  using broken::mistake;
  if (std::is_same_v<T, float>) {  // it is the mistake that is refused, not the kernel
    CHECK(summary(refused<T>(mistake::none)) == "");
    CHECK(broken::wrong_outputs(mistake::none_chunked) == 0);
  }
  CHECK(refused<T>(mistake::not_flipped).size() > 0);
  CHECK(refused<T>(mistake::halo_left_out).size() > 0);
  CHECK(refused<T>(mistake::ghosts_not_zero).size() > 0);

  const auto shifted = refused<T>(mistake::begins_at_zero);
  CHECK(shifted.size() > 0);
  CHECK(!all_contain(shifted, ", same, "));
  for (const std::string& line : shifted) CHECK(line.find(", full, ") == std::string::npos);  // right there

  const auto chunks = refused<T>(mistake::chunks_not_moved);
  CHECK(chunks.size() > 0);
  for (const std::string& line : chunks)  // right with one chunk
    CHECK((line.find(" 257 taps") != std::string::npos || line.find(" 259 taps") != std::string::npos ||
           line.find(" 260 taps") != std::string::npos || line.find("exchanged") != std::string::npos));

  CHECK(summary(overruns<T>(mistake::none)) == "");
  CHECK(overruns<T>(mistake::end_not_checked).size() > 0);
  const auto written = overruns<T>(mistake::no_guard);
  CHECK(written.size() > 0);
  CHECK(all_contain(written, "something outside y was written"));
}

// Whether such a mistake changes a result depends on the schedule and on what shared memory held before: no
// check of results can promise to refuse it. The emulated device sees the mistake itself. It ends the program
// that made it, so each runs in a process of its own.
TEST_CASE("the emulated device names what a result may not show") {
  if (!device_watches()) return;
  CHECK(broken::not_named(broken::shown_mistakes()) == "");
  CHECK(broken::wrong_outputs(broken::mistake::none) == 0);  // the kernels themselves raise nothing
  CHECK(broken::wrong_outputs(broken::tile_mistake::none) == 0);
  CHECK(broken::wrong_outputs(broken::mistake::none_chunked) == 0);
}

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  CHECK(failure_in_streams_of({.mode = convolution_mode::same}, smooth_tile) == "");
  CHECK(failure_in_streams_of({}, convolve_shared_chunked<float>) == "");
  // The others have one place for the taps.
  const auto eight = [](auto x, auto h, auto y, auto mode, auto stream) {
    convolve_shared_eight<float>(x, h, y, mode, tile_layout::neighbors, stream);
  };
  const auto loaded = [](auto x, auto h, auto y, auto mode, auto stream) {
    load_shared_taps<float>(h, stream);
    convolve_shared_with_loaded_taps<float>(x, h.size(), y, mode, stream);
  };
  CHECK(failure_in_streams_of({.taps = 70, .use = {.at_once = false}}, convolve_shared<float>) == "");
  CHECK(failure_in_streams_of({.use = {.at_once = false}}, eight) == "");
  CHECK(failure_in_streams_of({.use = {.at_once = false}}, loaded) == "");
}
