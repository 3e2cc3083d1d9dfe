// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "07_fft_convolution/checks/fft_checks.hpp"
#include "13_one_pass/convolve_one_pass.hpp"
#include "13_one_pass/kernels/convolve_by_radix.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

/// That design, or a longer one for a filter that is too long for it.
template <class T>
one_pass_design that_fits(const one_pass_design& design, std::size_t taps) {
  const one_pass_design shortest = shortest_one_pass_design<T>(taps);
  return shortest.length > design.length ? shortest : design;
}

template <class T>
device_convolution<T> with(const one_pass_design& design) {
  return [design](auto x, auto h, auto y, auto mode) {
    const one_pass_convolver<T> convolve(h, x.size(), mode, 1, that_fits<T>(design, h.size()).length);
    convolve(x, y);
    check(cudaDeviceSynchronize());
  };
}

template <class T>
convolution_cases cases_of(const one_pass_design& design) {
  return cases_for<T>([design](std::size_t, std::size_t taps,
                               auto) { return std::size_t(that_fits<T>(design, taps).length); },
                      std::size_t(design.outputs()));
}

/// Whether y is right; "" or what is wrong.
template <class T>
std::string difference(const std::vector<T>& y, const std::vector<T>& x, const std::vector<T>& h,
                       convolution_mode mode, const one_pass_design& design) {
  std::vector<T> right(output_length(x.size(), h.size(), mode));
  convolve_gather<T>(x, h, right, mode);
  const rounding_allowance allowed = one_pass_rounding<T>(x, h, right, design);
  const agreement found = compare_as_a_whole(y, right, {}, allowed.each, allowed.all);
  return found ? "" : describe(found);
}

template <class T>
std::vector<T> one_pass(const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode,
                        const one_pass_design& design) {
  return on_device<T>(with<T>(design))(x, h, mode);
}

/// The same signals behind each other, each by itself.
template <class T>
std::vector<T> part(const std::vector<T>& all, std::size_t index, std::size_t size) {
  return {all.begin() + std::ptrdiff_t(index * size), all.begin() + std::ptrdiff_t((index + 1) * size)};
}

}  // namespace

TEST_CASE_TEMPLATE("half a warp: it computes the definition", T, float, double) {
  const one_pass_design design = shortest_one_pass_design<T>(1);
  CHECK(summary(convolution_failures<T>(on_device<T>(with<T>(design)), cases_of<T>(design))) == "");
}

TEST_CASE_TEMPLATE("every design: seams, both ends, and as many taps as fit", T, float, double) {
  for (const one_pass_design& design : one_pass_designs<T>()) {
    CAPTURE(design.length);
    const auto most = std::size_t(design.overlap) + 1, outputs = std::size_t(design.outputs());
    for (const auto& [samples, taps] : {std::pair(outputs * 3 + 5, most),  // two pairs of segments and an end
                                        {outputs, std::size_t{1}},
                                        {2 * outputs + 1, most - 1},     // an odd number of segments
                                        {2 * outputs + most - 2, most},  // valid: one sample and output short
                                        {std::size_t{33}, most},         // fewer samples than taps
                                        {std::size_t{1}, most}})
      for (const convolution_mode mode : all_modes) {
        const std::string what = std::to_string(samples) + " samples, " + std::to_string(taps) + " taps, " +
                                 std::string(name(mode));
        const std::vector<T> x = random_signal<T>(samples, 5), h = random_taps<T>(taps);
        const std::string wrong = difference(one_pass(x, h, mode, design), x, h, mode, design);
        CHECK_MESSAGE(wrong == "", what, ": ", wrong);
      }
  }
}

TEST_CASE("an impulse at each position of two segments gives the taps back") {
  constexpr std::size_t samples = 400, taps = 65;  // 192 outputs for a segment: the third one is an end
  const std::vector<float> h = random_taps<float>(taps);
  std::vector<float> x(samples * samples);
  for (std::size_t s = 0; s < samples; ++s) x[s * samples + s] = 1;
  const one_pass_convolver<float> convolve(device_buffer<float>(h), samples, convolution_mode::full, samples);
  const std::size_t outputs = samples + taps - 1;
  const device_buffer<float> d_x(x);
  device_buffer<float> d_y(samples * outputs);
  convolve(d_x, d_y);
  const std::vector<float> y = d_y.to_host();
  std::size_t wrong = 0;
  for (std::size_t s = 0; s < samples; ++s)
    for (std::size_t n = 0; n < outputs; ++n) {
      const float right = n >= s && n - s < taps ? h[n - s] : 0;
      wrong += !(std::abs(y[s * outputs + n] - right) < 1e-5f);
    }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("many signals in one call, and one object for many calls", T, float, double) {
  for (const auto& [signals, samples, taps] : {std::tuple(std::size_t{5}, std::size_t{61}, std::size_t{7}),
                                               {std::size_t{3}, std::size_t{500}, std::size_t{65}},
                                               {std::size_t{2}, std::size_t{3500}, std::size_t{200}}}) {
    const std::vector<T> h = random_taps<T>(taps);
    one_pass_convolver<T> made(device_buffer<T>(h), samples, convolution_mode::same, signals);
    const one_pass_convolver<T> convolve = std::move(made);  // its memory has one owner
    for (const std::uint64_t seed : {11, 12}) {
      const std::vector<T> x = random_signal<T>(signals * samples, seed);
      const device_buffer<T> d_x(x);
      device_buffer<T> d_y(signals * samples);
      convolve(d_x, d_y);
      const std::vector<T> y = d_y.to_host();
      // Two segments of one transform may belong to two signals: each rounds by the norm of both.
      const rounding_allowance allowed = one_pass_rounding<T>(x, h, {}, convolve.design());
      for (std::size_t s = 0; s < signals; ++s) {
        std::vector<T> right(samples);
        convolve_gather<T>(part(x, s, samples), h, right, convolution_mode::same);
        CHECK(compare_as_a_whole(part(y, s, samples), right, {}, allowed.each, allowed.all));
      }
    }
  }
}

TEST_CASE_TEMPLATE("it keeps to its arrays, which may begin anywhere", T, float, double) {
  for (const one_pass_design& design : one_pass_designs<T>()) {
    if (!design.in_a_warp && sizeof(T) == 8) continue;  // the same code as for float
    const std::size_t samples = std::size_t(design.outputs()) * 2 + 3, taps = 9, margin = 600;
    const std::vector<T> x = random_signal<T>(samples), h = random_taps<T>(taps);
    const convolution_mode mode = convolution_mode::full;
    const std::size_t outputs = output_length(samples, taps, mode);
    const one_pass_convolver<T> convolve(device_buffer<T>(h), samples, mode, 1, design.length);
    for (const std::size_t offset : {0, 1, 7}) {
      device_buffer<T> d_x(samples + 2 * margin), d_y(outputs + 2 * margin);  // poisoned
      check(cudaMemcpy(d_x.data() + margin + offset, x.data(), samples * sizeof(T), cudaMemcpyHostToDevice));
      convolve(std::as_const(d_x).span().subspan(margin + offset, samples),
               d_y.span().subspan(margin - offset, outputs));
      const std::vector<T> whole = d_y.to_host();
      const std::vector<T> y(whole.begin() + std::ptrdiff_t(margin - offset),
                             whole.begin() + std::ptrdiff_t(margin - offset + outputs));
      CHECK(difference(y, x, h, mode, design) == "");
      std::size_t written = 0;
      for (std::size_t i = 0; i < whole.size(); ++i)
        if (i < margin - offset || i >= margin - offset + outputs) written += !std::isnan(whole[i]);
      CHECK(written == 0);
    }
  }
}

TEST_CASE("a NaN reaches its own segment and the one beside it, and no other") {
  const one_pass_design design = shortest_one_pass_design<float>(5);
  std::vector<float> x = random_signal<float>(std::size_t(design.outputs()) * 6);
  x[std::size_t(design.outputs()) * 2 + 100] = std::nanf("");
  const std::vector<float> y = one_pass(x, random_taps<float>(5), convolution_mode::same, design);
  for (std::size_t n = 0; n < y.size(); ++n) {
    const std::size_t pair = n / std::size_t(2 * design.outputs());
    REQUIRE(std::isnan(y[n]) == (pair == 1));
  }
}

TEST_CASE("one kernel as one would write it first: it computes the definition with every radix") {
  for (const radix_passes passes :
       {radix_passes::of_2, radix_passes::of_4, radix_passes::of_16, radix_passes::of_16_padded}) {
    CAPTURE(int(passes));
    for (const auto& [samples, taps] : {std::pair(std::size_t{6500}, std::size_t{1025}), {300, 7}, {5, 12}})
      for (const convolution_mode mode : all_modes) {
        const std::vector<float> x = random_signal<float>(samples), h = random_taps<float>(taps);
        const auto f = [passes](auto x, auto h, auto y, auto mode) {
          radix_convolver(h, x.size(), mode, passes)(x, y);
          check(cudaDeviceSynchronize());
        };
        CHECK(difference(on_device<float>(f)(x, h, mode), x, h, mode, {4096, 1024, false}) == "");
      }
  }
}

TEST_CASE("what does not fit is refused before anything is launched") {
  const device_buffer<float> some(std::vector<float>{1, 2, 3}), none;
  const device_buffer<float> longest(std::size_t{4097}), too_long(std::size_t{4098});
  const device_buffer<double> too_long_double(std::size_t{1026});
  device_buffer<float> y(5), short_y(4);
  const auto full = convolution_mode::full;
  CHECK(shortest_one_pass_design<float>(65).length == 256);
  CHECK(shortest_one_pass_design<float>(66).length == 1024);
  CHECK(shortest_one_pass_design<float>(258).length == 4096);
  CHECK(shortest_one_pass_design<float>(4097).length == 8192);
  CHECK(shortest_one_pass_design<double>(66).length == 4096);
  CHECK_THROWS_AS(convolve_one_pass<float>(some, none, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_one_pass<float>(none, some, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_one_pass<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_NOTHROW(one_pass_convolver<float>(longest, 10, full));
  CHECK_THROWS_WITH_AS(one_pass_convolver<float>(too_long, 10, full),
                       doctest::Contains("one pass, which takes 4,097 at most"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(one_pass_convolver<double>(too_long_double, 10, full),
                       doctest::Contains("one pass, which takes 1,025 at most"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(one_pass_convolver<float>(longest, 10, full, 1, 4096),
                       doctest::Contains("take 1,025 taps at most"), std::invalid_argument);
  CHECK_THROWS_AS(one_pass_convolver<float>(some, 10, full, 1, 512), std::invalid_argument);
  CHECK_THROWS_AS(one_pass_convolver<double>(device_buffer<double>(3), 10, full, 1, 1024),
                  std::invalid_argument);
  CHECK_THROWS_AS(one_pass_convolver<float>(some, 10, full, 0), std::invalid_argument);
  CHECK_THROWS_AS(one_pass_convolver<float>(some, 10, full, std::size_t{1} << 31), std::length_error);
  CHECK_THROWS_AS(one_pass_convolver<float>(some, std::size_t{1} << 31, full), std::invalid_argument);
  CHECK_THROWS_AS(radix_convolver(longest, 10, full, radix_passes::of_2), std::invalid_argument);
  for (const one_pass_design& each : one_pass_designs<float>()) {
    CAPTURE(each.length);
    const std::size_t most = 2147483647 - 16 * std::size_t(each.length) - some.size();  // samples
    CHECK_NOTHROW(one_pass_convolver<float>(some, most, full, 1, each.length));
    CHECK_THROWS_AS(one_pass_convolver<float>(some, most + 1, full, 1, each.length), std::invalid_argument);
  }
  const one_pass_convolver<float> convolve(some, 3, full);
  CHECK_THROWS_AS(convolve(some, short_y), std::invalid_argument);
}

TEST_CASE("one pass, counted: each sample read once but for the overlap, each output written once") {
  const device_buffer<float> h(random_taps<float>(65));
  for (const one_pass_design& design : one_pass_designs<float>()) {
    CAPTURE(design.length);
    const std::size_t transforms = design.length == 256 ? 8 : 2;  // whole blocks of threads
    const std::size_t length = std::size_t(design.length), segments = 2 * transforms;
    const std::size_t outputs = segments * std::size_t(design.outputs());
    // 'valid': every segment is whole, and its overlap is there. The taps are as many as the overlap allows.
    const device_buffer<float> taps(random_taps<float>(std::size_t(design.overlap) + 1));
    const device_buffer<float> x(random_signal<float>(outputs + std::size_t(design.overlap)));
    device_buffer<float> y(outputs);
    const one_pass_convolver<float> convolve(taps, x.size(), convolution_mode::valid, 1, design.length);
    const auto launches = count_launches([&] { convolve(x, y); });
    if (!has_counts(launches)) return;
    CHECK(launches.size() == 1);
    const launch_counts counts = sum(launches);
    CHECK(counts.global_stores == outputs);
    CHECK(counts.global_store_bytes == 4 * outputs);
    CHECK(counts.threads == transforms * length / std::size_t(design.radix()));  // and none without work
    // A pair loads what both of its segments need once. The filter's spectrum, two numbers at a time, and the
    // roots come from tables, which stay in the cache.
    const std::size_t samples = transforms * (length + std::size_t(design.outputs()));
    const std::size_t radix = std::size_t(design.radix()), powers = radix == 32 ? 3 : 2;
    const std::size_t of_outer = length / radix * powers, of_inner = length / 16 * 2;
    const std::size_t roots = of_outer + (design.in_a_warp ? of_outer : 3 * of_inner);
    CHECK(counts.global_loads == samples + transforms * (length / 2 + roots));
    CHECK(counts.global_load_bytes == 4 * samples + 8 * transforms * (length + roots));
    // Two barriers of the block, or none.
    CHECK(counts.barriers == (design.in_a_warp ? 0 : 2 * transforms));
    // Every exchange puts and takes each number once; 8 bytes a lane are two wavefronts, and none is more.
    const std::size_t exchanges = design.in_a_warp ? 2 : 4;
    CHECK(counts.shared_loads == exchanges * transforms * length);
    CHECK(counts.shared_stores == exchanges * transforms * length);
    CHECK(counts.shared_load_wavefronts == 2 * counts.shared_load_requests);
    CHECK(counts.shared_store_wavefronts == 2 * counts.shared_store_requests);
    // Side by side: signal and output in whole sectors.
    CHECK(counts.global_store_sectors == 4 * counts.global_store_requests * 1);
  }
}

TEST_CASE("one kernel as one would write it first, counted") {
  const device_buffer<float> x(random_signal<float>(6144 + 1024)), h(random_taps<float>(1025));
  device_buffer<float> y(std::size_t{6144});
  const auto of = [&](radix_passes passes) {
    const radix_convolver convolve(h, x.size(), convolution_mode::valid, passes);
    return count_launches([&] { convolve(x, y); });
  };
  if (!has_counts(of(radix_passes::of_2))) return;
  const launch_counts by_2 = sum(of(radix_passes::of_2)), by_4 = sum(of(radix_passes::of_4)),
                      by_16 = sum(of(radix_passes::of_16)), padded = sum(of(radix_passes::of_16_padded));
  CHECK(by_2.barriers == 2 + 24);
  CHECK(by_4.barriers == 2 + 12);
  CHECK(by_16.barriers == 2 + 6);
  // Each pass loads every number once. (Compilers may merge a few loads of the product.)
  CHECK(by_2.shared_loads - by_4.shared_loads == 12 * 4096);
  CHECK(by_4.shared_loads - by_16.shared_loads == 6 * 4096);
  CHECK(by_16.shared_loads <= (6 + 2) * 4096);
  CHECK(by_16.shared_loads > (6 + 1) * 4096);
  CHECK(by_16.shared_load_wavefronts > 2 * by_16.shared_load_requests);
  CHECK(padded.shared_load_wavefronts == 2 * padded.shared_load_requests);
  CHECK(padded.shared_store_wavefronts == 2 * padded.shared_store_requests);
}
