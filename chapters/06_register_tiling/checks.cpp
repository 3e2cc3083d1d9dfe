// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/stream_checks.hpp"
#include "02_direct_kernel/convolve_direct.hpp"
#include "broken.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "offset_checks.hpp"
#include "versions.hpp"
#include "window_place.hpp"

using namespace tutorial;

namespace {

// The general checks have filters of all lengths. What is too long for these two goes another way.
const auto vectors = []<class T>(device_span<const T> x, device_span<const T> h, device_span<T> y,
                                 convolution_mode mode) {
  if (h.size() <= std::size_t(vectors_max_taps<T>)) return convolve_vectors(x, h, y, mode);
  convolve_direct(x, h, y, mode);
};
const auto prefetched = []<class T>(device_span<const T> x, device_span<const T> h, device_span<T> y,
                                    convolution_mode mode) {
  // Two blocks: each takes every other tile.
  if (h.size() <= std::size_t(prefetched_max_taps<T>)) return convolve_prefetched(x, h, y, mode, nullptr, 2);
  convolve_direct(x, h, y, mode);
};

/// Outputs of a block with so many threads and so many vectors of outputs for each.
template <class T>
constexpr std::size_t block_outputs(int threads, int vectors_per_thread) {
  return std::size_t(threads) * vectors_per_thread * 16 / sizeof(T);
}

template <class T>
device_convolution<T> with(broken::mistake made) {
  return [made](auto x, auto h, auto y, auto mode) { broken::convolve<T>(made, x, h, y, mode); };
}

}  // namespace

TEST_CASE_TEMPLATE("every version computes the definition", T, std::int32_t, float, double) {
  // A mode only shifts y against x, and the checks of alignment below do that for every type.
  convolution_cases cases;
  if constexpr (!std::is_same_v<T, float>) cases.modes = {convolution_mode::same};
  SUBCASE("vectors") { CHECK(summary(convolution_failures<T>(on_device<T>(vectors), cases)) == ""); }
  SUBCASE("register blocked") {
    CHECK(summary(convolution_failures<T>(on_device<T>(versions::register_blocked), cases)) == "");
  }
  SUBCASE("prefetched") { CHECK(summary(convolution_failures<T>(on_device<T>(prefetched), cases)) == ""); }
  SUBCASE("constant operands") {
    CHECK(summary(convolution_failures<T>(on_device<T>(versions::constant_operands), cases)) == "");
  }
}

TEST_CASE_TEMPLATE("every version keeps to its arrays, with one block and more", T, std::int32_t, float,
                   double) {
  CHECK(summary(overrun_failures<T>(vectors, {.tile = block_outputs<T>(128, 1)})) == "");
  CHECK(summary(overrun_failures<T>(versions::register_blocked, {.tile = block_outputs<T>(64, 7)})) == "");
  CHECK(summary(overrun_failures<T>(prefetched, {.tile = block_outputs<T>(32, 7)})) == "");
  CHECK(summary(overrun_failures<T>(versions::constant_operands, {.tile = block_outputs<T>(128, 7)})) == "");
}

TEST_CASE_TEMPLATE("arrays may begin anywhere", T, std::int32_t, float, double) {
  const auto failures = [](auto f, std::size_t block, const std::vector<std::size_t>& taps) {
    // The second block's tile ends at the last sample, or up to four elements behind it.
    return summary(offset_failures<T>(f, all_offsets(2 * block - 4, taps)));
  };
  CHECK(failures(vectors, block_outputs<T>(128, 1), {1, 2, 3, 4, 5, 9, 10}) == "");
  CHECK(failures(versions::register_blocked, block_outputs<T>(64, 7), {5, 6, 18}) == "");
  CHECK(failures(prefetched, block_outputs<T>(32, 7), {5, 6, 18}) == "");
  CHECK(failures(versions::constant_operands, block_outputs<T>(128, 7), {5, 6}) == "");
}

TEST_CASE_TEMPLATE("any number of taps", T, std::int32_t, float, double) {
  CHECK(summary(offset_failures<T>(versions::register_tiled, all_taps(130, 1, 44))) == "");
  CHECK(summary(offset_failures<T>(versions::register_blocked, all_taps(70, 1, 35))) == "");
  CHECK(summary(offset_failures<T>(versions::register_tiled, all_taps(70, 127, 130))) == "");
  // One round of taps and more, two and more; and more samples than one block has outputs.
  std::vector<offset_case> cases;
  for (const std::size_t taps : {1000, 1535, 1536, 1537, 3073})
    cases.push_back({100, taps, 0, 1, all_modes[taps % 3]});
  CHECK(summary(offset_failures<T>(versions::register_tiled, cases)) == "");
  cases = {{100, 479, 0, 0, convolution_mode::full},
           {100, 481, 0, 0, convolution_mode::full},
           {100, 961, 1, 0, convolution_mode::same}};
  CHECK(summary(offset_failures<T>(versions::register_blocked, cases)) == "");
}

TEST_CASE("more taps than constant memory holds are added up in parts") {
  CHECK(summary(offset_failures<double>(versions::register_tiled,
                                        {{20, 7169, 0, 1, convolution_mode::valid}})) == "");
}

TEST_CASE_TEMPLATE("NaN is carried through, and only to the outputs that meet it", T, float, double) {
  for (const std::size_t taps : {2, 5, 6, 7, 18, 33, 35, 131}) {
    CAPTURE(taps);
    CHECK(keeps_nan_in_place<T>(versions::register_tiled, taps));
    CHECK(keeps_nan_in_place<T>(versions::register_blocked, taps));
  }
}

TEST_CASE("int32 sums wrap modulo 2^32") {
  const std::vector<std::int32_t> x{2147483647, 1}, h{2, 3}, y{-2, 2147483647, 3};
  CHECK(on_device<std::int32_t>(vectors)(x, h, convolution_mode::full) == y);
  CHECK(on_device<std::int32_t>(versions::register_blocked)(x, h, convolution_mode::full) == y);
  CHECK(on_device<std::int32_t>(prefetched)(x, h, convolution_mode::full) == y);
  CHECK(on_device<std::int32_t>(versions::constant_operands)(x, h, convolution_mode::full) == y);
}

TEST_CASE("the choice depends on the number of taps and the type") {
  const auto choice = [](std::size_t taps, element_type type) {
    return std::string(register_tiled_choice(std::size_t{1} << 24, taps, type));
  };
  for (const element_type type : {element_type::int32, element_type::float32}) {
    CHECK(choice(5, type) == "vectors");
    CHECK(choice(16, type) == "vectors");
    CHECK(choice(17, type) == "prefetched");
    CHECK(choice(128, type) == "prefetched");
    CHECK(choice(129, type) == "constant_operands");
  }
  CHECK(choice(9, element_type::float64) == "vectors");
  CHECK(choice(10, element_type::float64) == "register_blocked");
  CHECK(choice(39, element_type::float64) == "register_blocked");
  CHECK(choice(40, element_type::float64) == "constant_operands");
}

TEST_CASE("what does not fit is refused before anything is launched") {
  const device_buffer<float> some(std::vector<float>{1, 2, 3}), none, long_filter(129), vector_filter(17);
  device_buffer<float> y(5), short_y(4), y_vector(19), y_long(131);
  const auto full = convolution_mode::full;
  CHECK_THROWS_AS(convolve_register_tiled<float>(none, some, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_register_tiled<float>(some, none, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_register_tiled<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_register_blocked<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_constant_operands<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_vectors<float>(some, vector_filter, y_vector, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_prefetched<float>(some, long_filter, y_long, full), std::invalid_argument);

  float* const nowhere = nullptr;
  const std::size_t samples = 2147483647 - 3584;  // with 5 taps, more than int indices allow
  const device_span<const float> x(nowhere, samples), h(nowhere, 5);
  const device_span<float> out(nowhere, samples);
  const auto same = convolution_mode::same;
  CHECK_THROWS_AS(convolve_constant_operands<float>(x, h, out, same), std::invalid_argument);
}

TEST_CASE("one vector per thread: two loads of samples for four outputs, and as few sectors as there are") {
  // 'valid' with 5 taps and 4096 outputs: all windows lie inside x, and x and y are aligned alike.
  const launch_counts four = sum(counts_of<float>(vectors, 4100, 5, convolution_mode::valid));
  if (!has_counts(counts_of<float>(vectors, 4100, 5, convolution_mode::valid))) return;
  const std::uint64_t threads = 4096 / 4, warps = threads / 32;
  CHECK(four.global_loads == threads * (2 + 5));  // vectors of samples, taps
  CHECK(four.global_load_bytes == threads * (2 * 16 + 5 * 4));
  CHECK(four.global_load_requests == warps * (2 + 5));
  // 512 bytes: 16 sectors if they begin at a sector, otherwise 17.
  CHECK(four.global_load_sectors == warps * (16 + 17 + 5));
  CHECK(four.global_stores == threads);
  CHECK(four.global_store_sectors == warps * 16);
  // Of double there are two in a vector, and three vectors in the window.
  const launch_counts two = sum(counts_of<double>(vectors, 4100, 5, convolution_mode::valid));
  CHECK(two.global_loads == 2 * threads * (3 + 5));
  CHECK(two.global_load_sectors == 2 * warps * (16 + 17 + 16 + 5));
  CHECK(two.global_store_sectors == 2 * warps * 16);
}

TEST_CASE("28 outputs per thread: few loads from shared memory, and no bank conflict among them") {
  // 65 taps, three blocks of 1792 outputs.
  const auto counts =
      counts_of<float>(versions::register_blocked, 3 * 1792 + 64, 65, convolution_mode::valid);
  if (!has_counts(counts)) return;
  const std::uint64_t threads = 3 * 64, warps = threads / 32, groups = 16;  // 16 vectors of taps, and one tap
  // Samples: the first window, one vector for each vector of taps, and the window of the last tap; outputs:
  // read back before they are stored.
  CHECK(sum(counts).shared_loads == threads * (7 + groups + groups + 7 + 1 + 7));
  // 512 bytes pass through the banks in 4 wavefronts at best, a vector of taps that all lanes want in 2, a
  // tap in 1.
  CHECK(sum(counts).shared_load_wavefronts == warps * (7 * 4 + groups * 4 + groups * 2 + 7 * 4 + 1 + 7 * 4));
  CHECK(sum(counts).global_store_sectors == 3 * 1792 / 8);
}

TEST_CASE("taps from constant memory: all lanes want the same one") {
  const auto counts = counts_of<float>(versions::constant_operands, 3584 + 64, 64, convolution_mode::same);
  if (!has_counts(counts)) return;
  CHECK(sum(counts).constant_loads == sum(counts).threads * 64);
  CHECK(sum(counts).constant_addresses == sum(counts).constant_requests);
}

TEST_CASE("wherever the window lies, the definition is computed") {
  for (const window_place place : {window_place::registers, window_place::local_memory})
    for (const std::size_t samples : {1, 7, 8, 1000, 1017, 2049})
      for (const std::size_t taps : {1, 7, 8, 9, 35}) {
        CAPTURE(samples);
        CAPTURE(taps);
        const auto x = random_whole_numbers<float>(samples, 1, 100),
                   h = random_whole_numbers<float>(taps, 2, 100);
        std::vector<float> expected(samples + taps - 1);
        convolve_gather<float>(x, h, expected, convolution_mode::full);
        const device_buffer<float> d_x(x), d_h(h);
        device_buffer<float> y(expected.size());
        convolve_with_window_in(place, d_x, d_h, y);
        CHECK(y.to_host() == expected);
      }
}

TEST_CASE("wherever the window lies, a block has 1024 outputs") {
  const device_buffer<float> x(random_signal<float>(1000)), h(random_taps<float>(26));
  device_buffer<float> y(1025);
  for (const window_place place : {window_place::registers, window_place::local_memory}) {
    const auto one = count_launches(
        [&] { convolve_with_window_in(place, x, h.span().subspan(0, 25), y.span().subspan(0, 1024)); });
    if (!has_counts(one)) return;
    CHECK(sum(one).threads == 128);
    CHECK(sum(count_launches([&] { convolve_with_window_in(place, x, h, y); })).threads == 2 * 128);
  }
}

TEST_CASE_TEMPLATE("the facts of each kernel are those of its launch", T, float, double) {
  const auto facts = register_tiled_kernels<T>();
  const bool wide = sizeof(T) == 8;  // 14 outputs per thread instead of 28, and a window of 16 instead of 32
  // Shared memory: 65 taps are 96 (80) with what is added, twice, beside the outputs of 64 threads; 64 taps
  // beside those of 32; 1025 taps, which are 1056 (1040), beside those of 128.
  const int shared[] = {0, 0, wide ? (2 * 80 + 64 * 14) * 8 : (2 * 96 + 64 * 28) * 4,
                        wide ? (64 + 32 * 14) * 8 : (64 + 32 * 28) * 4,
                        wide ? (1040 + 128 * 14) * 8 : (1056 + 128 * 28) * 4};
  const int threads[] = {128, 128, 64, 32, 128};
  REQUIRE(facts.size() == 5);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    CAPTURE(facts[i].kernel);
    CHECK(facts[i].shared_bytes == shared[i]);
    CHECK(facts[i].threads_per_block == threads[i]);
    CHECK(facts[i].blocks_per_multiprocessor >= 1);
    CHECK(facts[i].blocks_per_multiprocessor * threads[i] <= 2048);
  }
  CHECK(window_facts(window_place::registers).threads_per_block == 128);
  CHECK(window_facts(window_place::registers).shared_bytes == 0);
}

TEST_CASE_TEMPLATE("the checks refuse what is wrong on purpose", T, std::int32_t, float, double) {
  using broken::mistake;
  const auto refused = [](mistake made) {
    return convolution_failures<T>(on_device<T>(with<T>(made)), {.most_failures = 6}).size() > 0;
  };
  const std::vector<offset_case> offsets = all_offsets(300, {5});
  const auto offset_refused = [&](mistake made) {
    return offset_failures<T>(with<T>(made), offsets).size() > 0;
  };
  CHECK(!refused(mistake::none));
  CHECK(!offset_refused(mistake::none));
  CHECK(refused(mistake::window_not_moved));
  if constexpr (sizeof(T) == 4)
    CHECK(refused(mistake::window_moved_twice));  // with two in a window it is the same
  CHECK(refused(mistake::new_sample_late));
  CHECK(refused(mistake::last_taps_lost));
  CHECK(refused(mistake::parts_overwrite));
  CHECK(offset_refused(mistake::first_vector_not_cut));
  CHECK(offset_refused(mistake::shift_forgotten));
  CHECK(overrun_failures<T>(with<T>(mistake::last_vector_not_cut), {.most_failures = 6}).size() > 0);
  if constexpr (std::is_same_v<T, float>) {
    // Nothing else sees these: with arrays where cudaMalloc() puts them, and samples that are numbers, they
    // are right.
    CHECK(!refused(mistake::first_vector_not_cut));
    CHECK(!refused(mistake::shift_forgotten));
    CHECK(!refused(mistake::zero_taps));
  }
  if constexpr (std::is_floating_point_v<T>) {
    CHECK(keeps_nan_in_place<T>(with<T>(mistake::none), 5));
    CHECK(!keeps_nan_in_place<T>(with<T>(mistake::zero_taps), 5));
  }
}

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  CHECK(failure_in_streams_of({}, convolve_vectors<float>) == "");
  CHECK(failure_in_streams_of({}, convolve_register_blocked<float>) == "");
  const auto prefetched = [](auto x, auto h, auto y, auto mode, auto stream) {
    convolve_prefetched<float>(x, h, y, mode, stream);
  };
  const filter_in_streams one_place{.samples = 8000, .taps = 40, .use = {.at_once = false}};  // for taps
  CHECK(failure_in_streams_of(one_place, prefetched) == "");
  for (const auto each : {convolve_constant_operands<float>, convolve_register_tiled<float>})
    CHECK(failure_in_streams_of(one_place, each) == "");
}
