// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/stream_checks.hpp"
#include "07_fft_convolution/best_convolution.hpp"
#include "07_fft_convolution/checks/broken.hpp"
#include "07_fft_convolution/host/convolve_fft_all_cores.hpp"
#include "07_fft_convolution/host/dft.hpp"
#include "07_fft_convolution/host/fft_length.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "07_fft_convolution/kernels/convolve_fft.hpp"
#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"
#include "07_fft_convolution/prices.hpp"
#include "common/device/device.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "fft_checks.hpp"

using namespace tutorial;

namespace {

const auto full_length = [](std::size_t samples, std::size_t taps, convolution_mode) {
  return good_fft_length(samples + taps - 1);
};
const auto scratch_length = [](std::size_t samples, std::size_t taps, convolution_mode) {
  return std::bit_floor(samples + taps - 1) * 2;
};

/// Blocks so short that there are always several, of a length that is no power of two where it can be.
const auto short_block = [](std::size_t, std::size_t taps, convolution_mode) {
  return fft_length(2 * taps + 16, fft_length_rule::smallest);
};

template <class T>
device_convolution<T> in_short_blocks() {
  return [](auto x, auto h, auto y, auto mode) {
    overlap_save_convolver<T> convolve(h, x.size(), mode, short_block(x.size(), h.size(), mode));
    convolve(x, y);
    check(cudaDeviceSynchronize());
  };
}

template <class T>
device_convolution<T> in_one_block() {
  return [](auto x, auto h, auto y, auto mode) {
    // Exactly as long as it must be, if that is even and smooth: the zeros have no sample to spare.
    const std::size_t needed = one_block_length(x.size(), h.size(), mode);
    overlap_save_convolver<T> convolve(h, x.size(), mode, fft_length(needed, fft_length_rule::smallest));
    convolve(x, y);
    check(cudaDeviceSynchronize());
  };
}

const auto one_length = [](std::size_t samples, std::size_t taps, convolution_mode mode) {
  return fft_length(one_block_length(samples, taps, mode), fft_length_rule::smallest);
};

template <class T>
device_convolution<T> with(broken::mistake made) {
  return [made](auto x, auto h, auto y, auto mode) { broken::convolve<T>(made, x, h, y, mode); };
}

template <class T>
device_convolution<T> textbook() {
  return [](auto x, auto h, auto y, auto mode) { convolve_fft(x, h, y, mode); };
}

/// The largest difference.
double distance_of(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace

TEST_CASE("the transform by its definition") {
  // Of an impulse: all frequencies alike; of a wave: one frequency.
  for (const auto& value : dft({1, 0, 0, 0, 0})) CHECK(std::abs(value - 1.0) < 1e-15);
  const auto wave = dft({1, {0, 1}, -1, {0, -1}});  // exp(2 pi i n / 4)
  CHECK(std::abs(wave[1] - 4.0) < 1e-15);
  for (const int k : {0, 2, 3}) CHECK(std::abs(wave[std::size_t(k)]) < 1e-15);
  std::vector<std::complex<double>> x;
  for (std::size_t n = 0; n < 37; ++n)
    x.emplace_back(random_signal<double>(37, 1)[n], random_signal<double>(37, 2)[n]);
  const auto again = inverse_dft(dft(x));
  for (std::size_t n = 0; n < x.size(); ++n) CHECK(std::abs(again[n] - x[n]) < 1e-14);
}

TEST_CASE("the convolution theorem, by definitions alone") {
  for (const std::size_t length : {1, 2, 7, 12, 31}) {
    CAPTURE(length);
    const auto x = random_signal<double>(length, 3), h = random_taps<double>((length + 1) / 2);
    CHECK(distance_of(circular_convolution_by_dft(x, h), circular_convolution(x, h)) < 1e-13);
  }
  // Linear, if zeros make room.
  const auto x = random_signal<double>(20, 4), h = random_taps<double>(7);
  std::vector<double> padded = x, linear(26);
  padded.resize(26);
  convolve_gather<double>(x, h, linear, convolution_mode::full);
  CHECK(distance_of(circular_convolution(padded, h), linear) < 1e-14);
  CHECK(distance_of(circular_convolution_by_dft(padded, h), linear) < 1e-13);
  padded.resize(25);  // one too short
  linear.resize(25);
  CHECK(distance_of(circular_convolution(padded, h), linear) > 1e-3);
  CHECK_THROWS_AS(circular_convolution(h, x), std::invalid_argument);
}

TEST_CASE("cuFFT and the definition agree") {
  for (const std::size_t size : {2, 8, 12, 30, 31, 98}) {
    CAPTURE(size);
    const int length = int(size);
    const auto x = random_signal<double>(size, 5);
    const int bins = length / 2 + 1;
    fft_plan<double> plan(fft_kind::real_to_complex, length, 1, length, bins);
    device_buffer<unsigned char> work_area(plan.work_bytes());
    plan.use(work_area);
    const device_buffer<double> d_x(x);
    device_buffer<fft_complex<double>> spectrum(size / 2 + 1);
    plan.to_complex(d_x.data(), spectrum.data());
    check(cudaDeviceSynchronize());
    const auto expected = dft({x.begin(), x.end()});
    const auto got = spectrum.to_host();
    for (std::size_t k = 0; k < got.size(); ++k)
      CHECK(std::abs(std::complex<double>(got[k].x, got[k].y) - expected[k]) < 1e-13);
  }
}

TEST_CASE("lengths of transforms") {
  CHECK(is_smooth(2 * 3 * 5 * 7));
  CHECK(!is_smooth(2 * 11));
  CHECK(!is_smooth(0));
  for (const std::size_t needed : {1, 2, 3, 17, 1000, 1025, 16778240}) {
    CAPTURE(needed);
    for (const auto rule :
         {fft_length_rule::good, fft_length_rule::smallest, fft_length_rule::power_of_two}) {
      const std::size_t length = fft_length(needed, rule);
      CHECK(length >= needed);
      CHECK(length % 2 == 0);
      CHECK(is_smooth(length));
      CHECK(length >= fft_length(needed, fft_length_rule::smallest));
      CHECK(transform_cost(length) >= transform_cost(good_fft_length(needed)));
    }
  }
  CHECK(fft_length(17, fft_length_rule::smallest) == 18);
  CHECK(fft_length(18, fft_length_rule::smallest) == 18);  // long enough already
  CHECK(fft_length(17, fft_length_rule::power_of_two) == 32);
  CHECK(fft_length(1024, fft_length_rule::good) == 1024);
  CHECK_THROWS_AS(good_fft_length((std::size_t{1} << 30) + 1), std::length_error);
}

TEST_CASE_TEMPLATE("every version computes the definition", T, float, double) {
  const auto failures = [](const device_convolution<T>& f, const convolution_cases& cases) {
    return summary(convolution_failures<T>(on_device<T>(f), cases));
  };
  SUBCASE("one transform") { CHECK(failures(textbook<T>(), cases_for<T>(full_length)) == ""); }
  SUBCASE("all made in the call") {
    CHECK(failures([](auto x, auto h, auto y, auto mode) { convolve_fft_from_scratch(x, h, y, mode); },
                   cases_for<T>(scratch_length)) == "");
  }
  SUBCASE("one block") { CHECK(failures(in_one_block<T>(), cases_for<T>(one_length)) == ""); }
  SUBCASE("short blocks") { CHECK(failures(in_short_blocks<T>(), cases_for<T>(short_block)) == ""); }
  SUBCASE("the block of the least cost") {
    CHECK(failures([](auto x, auto h, auto y, auto mode) { convolve_overlap_save(x, h, y, mode); },
                   cases_for<T>([](std::size_t samples, std::size_t taps, convolution_mode mode) {
                     return overlap_save_block(samples, taps, mode, element_type_of<T>());
                   })) == "");
  }
}

TEST_CASE_TEMPLATE("on the CPU, with kissfft", T, float, double) {
  const auto on_all_cores = [](auto x, auto h, auto y, auto mode) {
    convolve_fft_all_cores<T>(x, h, y, mode);
  };
  if (!has_kissfft()) {
    std::vector<T> one(1);
    CHECK_THROWS_AS(on_all_cores(std::span<const T>(one), std::span<const T>(one), std::span<T>(one),
                                 convolution_mode::same),
                    std::logic_error);
    return;
  }
  convolution_cases cases = cases_for<T>(block_all_cores);
  cases.rounding = [one_block = cases.rounding](auto... norms_and_lengths) {
    return rounding_all_cores * one_block(norms_and_lengths...);
  };
  CHECK(summary(convolution_failures<T>(on_host<T>(on_all_cores), cases)) == "");

  // Several pairs of blocks, of which the last is not whole: or is one block alone.
  for (const std::size_t samples : {100'000, 123'457}) {
    const std::size_t taps = 301;
    const std::vector<T> x = random_signal<T>(samples), h = random_taps<T>(taps);
    for (const convolution_mode mode : all_modes) {
      std::vector<T> y(output_length(samples, taps, mode), std::numeric_limits<T>::quiet_NaN()), right(y);
      convolve_gather_on_all_cores<T>(x, h, right, mode);
      on_all_cores(std::span<const T>(x), std::span<const T>(h), std::span<T>(y), mode);
      const rounding_allowance allowed =
          fft_rounding<T>(x, h, right, block_all_cores(samples, taps, mode), false);
      const agreement found = compare_as_a_whole(y, right, {}, rounding_all_cores * allowed.each,
                                                 rounding_all_cores * allowed.all);
      CHECK_MESSAGE(found, describe(found));
    }
  }
  std::vector<T> one(1), two(2), none;
  CHECK_THROWS_AS(on_all_cores(std::span<const T>(none), std::span<const T>(one), std::span<T>(one),
                               convolution_mode::same),
                  std::invalid_argument);
  CHECK_THROWS_AS(on_all_cores(std::span<const T>(one), std::span<const T>(one), std::span<T>(two),
                               convolution_mode::same),
                  std::invalid_argument);
}

TEST_CASE("best_convolution computes the definition") {
  const auto choosing = [](auto x, auto h, auto y, auto mode) { best_convolution(x, h, y, mode); };
  const auto length = [](std::size_t samples, std::size_t taps, convolution_mode mode) {
    return std::max<std::size_t>(2, choose_convolution(samples, taps, mode, element_type::float32).block);
  };
  CHECK(summary(convolution_failures<float>(on_device<float>(choosing), cases_for<float>(length))) == "");
  CHECK(summary(convolution_failures<std::int32_t>(on_device<std::int32_t>(choosing))) == "");
}

TEST_CASE_TEMPLATE("every version keeps to its arrays", T, float, double) {
  const auto failures = [](const device_convolution<T>& f, const convolution_cases& cases) {
    return summary(overrun_failures<T>(f, cases));
  };
  CHECK(failures(textbook<T>(), cases_for<T>(full_length)) == "");
  CHECK(failures(in_one_block<T>(), cases_for<T>(one_length)) == "");
  CHECK(failures(in_short_blocks<T>(), cases_for<T>(short_block)) == "");
}

TEST_CASE_TEMPLATE("signal and output may begin anywhere", T, float, double) {
  constexpr std::size_t samples = 500, taps = 10;  // and blocks as short as they may be
  const std::size_t block = shortest_block<T>(taps);
  const std::vector<T> x = random_signal<T>(samples), h = random_taps<T>(taps);
  const device_buffer<T> d_h(h);
  for (const convolution_mode mode : all_modes) {
    const std::size_t outputs = output_length(samples, taps, mode);
    std::vector<T> right(outputs);
    convolve_gather<T>(x, h, right, mode);
    overlap_save_convolver<T> convolve(d_h, samples, mode, block);
    const double allowed = fft_rounding<T>(x, h, right, block, false).each;
    for (std::size_t offset = 0; offset < 8; ++offset) {  // one object for all places
      device_buffer<T> d_x(samples + 8), d_y(outputs + 8);
      check(cudaMemcpy(d_x.data() + offset, x.data(), samples * sizeof(T), cudaMemcpyHostToDevice));
      convolve(std::as_const(d_x).span().subspan(offset, samples), d_y.span().subspan(8 - offset, outputs));
      const std::vector<T> whole = d_y.to_host();
      const std::vector<T> got(whole.begin() + std::ptrdiff_t(8 - offset),
                               whole.begin() + std::ptrdiff_t(8 - offset + outputs));
      CAPTURE(offset);
      CHECK_MESSAGE(compare_as_a_whole(got, right, {}, allowed, 1e9),
                    describe(compare_as_a_whole(got, right, {}, allowed, 1e9)));
    }
  }
}

TEST_CASE_TEMPLATE("many signals in one call, and one object for many calls", T, float, double) {
  constexpr std::size_t signals = 5, samples = 61, taps = 7;
  const std::vector<T> h = random_taps<T>(taps);
  const device_buffer<T> d_h(h);
  const auto mode = convolution_mode::same;
  fft_convolver<T> convolve(d_h, samples, mode, signals);
  for (const std::uint64_t seed : {11, 12}) {
    const std::vector<T> x = random_signal<T>(signals * samples, seed);
    const device_buffer<T> d_x(x);
    device_buffer<T> d_y(signals * samples);
    convolve(d_x, d_y);
    const std::vector<T> y = d_y.to_host();
    for (std::size_t s = 0; s < signals; ++s) {
      const auto part = [&](const std::vector<T>& all) {
        return std::vector<T>(all.begin() + std::ptrdiff_t(s * samples),
                              all.begin() + std::ptrdiff_t((s + 1) * samples));
      };
      std::vector<T> right(samples);
      convolve_gather<T>(part(x), h, right, mode);
      const rounding_allowance allowed =
          fft_rounding<T>(part(x), h, right, convolve.transform_length(), true);
      CHECK(compare_as_a_whole(part(y), right, {}, allowed.each, allowed.all));
    }
  }
  fft_convolver<T> moved = std::move(convolve);  // plans and memory have one owner
  const device_buffer<T> d_x(random_signal<T>(signals * samples));
  device_buffer<T> d_y(signals * samples);
  moved(d_x, d_y);
  check(cudaDeviceSynchronize());
}

TEST_CASE("rounding: the bound is that of the formula") {
  // In units of u: Approx is no test of numbers near zero.
  const double u = 0x1p-24;
  CHECK(transform_error<float>(1024) / u == doctest::Approx(10 * (1 + 4 * std::sqrt(2.0))));
  CHECK(transform_error<double>(3) * 0x1p53 == doctest::Approx(1 + 5 * std::sqrt(6.0)));
  CHECK(transform_error<double>(14) * 0x1p53 ==
        doctest::Approx(2 + 4 * std::sqrt(2.0) + 9 * std::sqrt(14.0)));
  CHECK(std::isinf(transform_error<float>(22)));
  // One tap, one sample: |x| = 2, |h| = 3, |y| = 6.
  const std::vector<float> x{2}, h{3}, y{6};
  const double e = transform_error<float>(2) / u;
  const rounding_allowance one = fft_rounding<float>(x, h, y, 2, true);
  CHECK(one.each / u == doctest::Approx((2 * e + 4) * 6 + e * 6));
  CHECK(one.all / u == doctest::Approx((3 * e + 4) * 6));
  // Blocks of 4: the largest norm of 4 neighbors, |x| = 2, |h| = sqrt(5), |h|_1 = 3.
  const std::vector<float> signal{1, 1, 1, 1, 0, 0, 0, 0}, two{1, 2};
  const double e_4 = transform_error<float>(4) / u;
  CHECK(fft_rounding<float>(signal, two, {}, 4, false).each / u ==
        doctest::Approx((2 * e_4 + 4) * 2 * std::sqrt(5.0) + e_4 * 3 * 2));
}

TEST_CASE("a result that is wrong everywhere by little is refused as a whole") {
  const std::vector<float> right(100, 1.0f);
  std::vector<float> near = right, off = right;
  near[3] += 0.5f;
  for (float& value : off) value += 0.5f;
  CHECK(compare_as_a_whole(near, right, {}, 0.6, 1.0));
  const agreement refused = compare_as_a_whole(off, right, {}, 0.6, 1.0);
  CHECK(!refused);
  CHECK(refused.worst_error == doctest::Approx(5.0));
  CHECK(!compare_as_a_whole(near, right, {}, 0.4, 1.0));
}

TEST_CASE("the choice") {
  using enum convolution_method;
  const auto method = [](std::size_t samples, std::size_t taps, element_type type,
                         const price_list& prices = recorded_prices()) {
    return choose_convolution(samples, taps, convolution_mode::full, type, prices).method;
  };
  const std::size_t many = std::size_t{1} << 24;
  CHECK(method(many, 5, element_type::float32) == register_tiled);
  CHECK(method(many, 65, element_type::float32) == register_tiled);
  CHECK(method(many, 1025, element_type::float32) == overlap_save);
  CHECK(method(many, 16385, element_type::float64) == overlap_save);
  CHECK(method(many, many, element_type::float32) == fft_one_block);
  CHECK(method(many, 16385, element_type::int32) == register_tiled);
  CHECK(method(1024, 1024, element_type::int32) == warp_per_output);
  CHECK(method(1024, 1025, element_type::float32) == warp_per_output);
  CHECK(method(65'536, 17, element_type::float32) == direct);
  CHECK(method(100, 5, element_type::float32, counted_operations()) == register_tiled);
  CHECK(method(20'000, 257, element_type::float32, counted_operations()) == overlap_save);
  const convolution_choice choice =
      choose_convolution(many, 1025, convolution_mode::full, element_type::float32, recorded_prices());
  CHECK(choice.text().find("07 overlap_save, transforms of 8,192") != std::string::npos);
  CHECK(choice.text().find("at the prices of NVIDIA H200") != std::string::npos);
  CHECK(choice.short_text() == "07 overlap_save 8,192");
  CHECK(choose_convolution(many, 5, convolution_mode::full, element_type::int32).text().find("exact") !=
        std::string::npos);
  const convolution_choice longest =
      choose_convolution(std::size_t{1} << 30, 1025, convolution_mode::same, element_type::float32);
  CHECK(longest.method == register_tiled);
  CHECK(longest.text().find("too long") != std::string::npos);
  // What is chosen is never dearer than what is not.
  for (const std::size_t samples : {10, 1000, 100'000})
    for (const std::size_t taps : {1, 30, 2000})
      for (const price_list& prices : {recorded_prices(), counted_operations()}) {
        const auto each =
            choose_convolution(samples, taps, convolution_mode::same, element_type::float64, prices);
        CHECK(each.cost(each.method) == *std::min_element(each.costs.begin(), each.costs.end()));
      }
}

TEST_CASE_TEMPLATE("every method that can be chosen computes the definition", T, std::int32_t, float,
                   double) {
  constexpr std::size_t samples = 700, taps = 40;
  const std::vector<T> x = random_whole_numbers<T>(samples), h = random_whole_numbers<T>(taps, 2);
  const device_buffer<T> d_x(x), d_h(h);
  const std::vector<std::string> wanted = {"02 direct", "03 warp_per_output", "06 register_tiled"};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    price_list prices = recorded_prices();  // one of the three for nothing, the others at a fortune
    prices.launch = prices.tap_copy = prices.start = prices.copied_byte = 0;
    for (sum_prices* each : {&prices.int32, &prices.float32, &prices.float64}) {
      *each = {1, 1, 1, 1, 1, 1, 1};
      if (i == 0) each->direct_tap = each->direct_product = 0;
      if (i == 1) each->warp_step = each->warp_output = each->warp_products = 0;
      if (i == 2) each->tiled_tap = each->tiled_round = 0;
    }
    for (const convolution_mode mode : all_modes) {
      std::vector<T> right(output_length(samples, taps, mode));
      convolve_gather<T>(x, h, right, mode);
      best_convolver<T> convolve(d_h, samples, mode, prices);
      CHECK(name(convolve.choice().method) == wanted[i]);
      device_buffer<T> y(right.size());
      convolve(d_x, y);
      CHECK(y.to_host() == right);  // whole numbers: exact in any order
    }
  }
}

TEST_CASE("prices are those that were asked for") {
  const price_list before = prices_here();
  CHECK(before.unit == (current_device().emulated && !asked_factor("launch") ? cost_unit::operations
                                                                             : cost_unit::microseconds));
  price_list other = recorded_prices();
  other.device = "another";
  use_prices(other);
  CHECK(choose_convolution(100, 5, convolution_mode::full, element_type::float32).device == "another");
  use_prices(before);
  CHECK(prices_here().device == before.device);

  const auto recorded = named_prices(recorded_prices());
  for (const named_price& each : recorded) CHECK_MESSAGE(each.value > 0, each.name);
  // On a GPU the demo measures them, and fails where one makes no sense.
  if (current_device().emulated) CHECK_THROWS_AS(measure_prices(), std::logic_error);
}

TEST_CASE("what does not fit is refused before anything is launched") {
  const device_buffer<float> some(std::vector<float>{1, 2, 3}), none;
  device_buffer<float> y(5), short_y(4);
  const auto full = convolution_mode::full;
  CHECK_THROWS_AS(convolve_fft<float>(none, some, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_fft<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_fft_from_scratch<float>(some, none, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_overlap_save<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(best_convolution<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(overlap_save_convolver<float>(some, 1000, full, 11), std::invalid_argument);  // odd
  CHECK_THROWS_AS(overlap_save_convolver<float>(some, 1000, full, 16), std::invalid_argument);  // no room
  CHECK_THROWS_AS(overlap_save_convolver<double>(device_buffer<double>(4), 1000, full, 8),
                  std::invalid_argument);
  CHECK_THROWS_AS(fft_convolver<float>(some, 1000, full, 0), std::invalid_argument);
  CHECK_THROWS_AS(fft_convolver<float>(some, std::size_t{1} << 30, full), std::length_error);
  overlap_save_convolver<float> convolve(some, 3, full);
  CHECK_THROWS_AS(convolve(some, short_y), std::invalid_argument);
}

TEST_CASE("the passes between the transforms, counted") {
  // 2^12 samples in blocks of 1024, 65 taps: own kernels touch every packed number twice, and every output
  // twice.
  const std::size_t samples = 4096, taps = 65, block = 1024, outputs = samples + taps - 1;
  const device_buffer<float> x(random_signal<float>(samples)), h(random_taps<float>(taps));
  device_buffer<float> y(outputs);
  using counts = std::vector<launch_counts>;
  const auto of = [](const counts& launches, const std::string& kernel) {
    launch_counts total;
    for (const launch_counts& each : launches)
      if (each.kernel.find(kernel) != std::string::npos) total += each;
    return total;
  };
  std::optional<overlap_save_convolver<float>> in_blocks;
  const counts preparation =
      count_launches([&] { in_blocks.emplace(h, samples, convolution_mode::full, block); });
  if (!has_counts(preparation)) return;
  CHECK(of(preparation, "split_taps_kernel").global_loads == taps);
  CHECK(of(preparation, "split_taps_kernel").global_stores == block);

  const counts call = count_launches([&] { (*in_blocks)(x, y); });
  const std::size_t blocks = in_blocks->blocks();
  CHECK(blocks == 5);
  // A thread has a frequency and its mirror image: two numbers of the filter, for all blocks, and two of each
  // block.
  const std::size_t threads = block / 4 + 1;
  // Whether a complex number is one load or two is for the compiler to say; its bytes are not.
  CHECK(of(call, "multiply_packed_kernel").global_load_bytes ==
        threads * (2 + 2 * blocks) * sizeof(fft_complex<float>));
  CHECK(of(call, "multiply_packed_kernel").global_store_bytes == blocks * block * sizeof(float));
  CHECK(of(call, "scatter_kernel").global_stores == outputs);
  CHECK(of(call, "scatter_kernel").global_loads == outputs);
  // Only the first block and those at the end are gathered; the others are read where they are.
  CHECK(of(call, "gather_kernel").global_store_bytes == 2 * block * sizeof(float));

  std::optional<fft_convolver<float>> whole;
  const counts filter = count_launches([&] { whole.emplace(h, samples, convolution_mode::full); });
  const std::size_t length = whole->transform_length();
  CHECK(of(filter, "copy_rows_kernel").global_loads == taps);
  CHECK(of(filter, "copy_rows_kernel").global_stores == length);
  const counts there_and_back = count_launches([&] { (*whole)(x, y); });
  CHECK(of(there_and_back, "copy_rows_kernel").launches == 2);
  CHECK(of(there_and_back, "copy_rows_kernel").global_loads == samples + outputs);
  CHECK(of(there_and_back, "copy_rows_kernel").global_stores == length + outputs);
}

TEST_CASE_TEMPLATE("the checks refuse what is wrong on purpose", T, float, double) {
  using broken::mistake;
  const auto refused = [](mistake made) {
    const auto length = [made](std::size_t samples, std::size_t taps, convolution_mode) {
      const std::size_t needed = made >= mistake::blocks_not_overlapping ? 4 * taps : samples + taps - 1;
      return fft_length(needed, fft_length_rule::smallest);
    };
    return convolution_failures<T>(on_device<T>(with<T>(made)), cases_for<T>(length, 256, 3)).size() > 0;
  };
  CHECK(!refused(mistake::none));
  for (const mistake made :
       {mistake::no_room, mistake::scale_forgotten, mistake::scale_of_signal, mistake::spectrum_not_whole,
        mistake::conjugated, mistake::mode_from_zero, mistake::blocks_not_overlapping,
        mistake::overlap_one_short, mistake::last_block_forgotten}) {
    CAPTURE(int(made));
    CHECK(refused(made));
  }
}

TEST_CASE("one call keeps plans and memory, and no filter") {
  // Of more lengths than are kept, and of each several times, with another filter each time.
  for (std::uint64_t round = 1; round <= 3; ++round)
    for (std::size_t i = 0; i <= kept_calls_at_most; ++i) {
      const auto x = random_signal<float>(2000 + i, round), h = random_taps<float>(400, round);
      const device_buffer<float> d_x(x), d_h(h);
      device_buffer<float> y(x.size());
      best_convolution<float>(d_x, d_h, y, convolution_mode::same);
      check(cudaDeviceSynchronize());
      std::vector<float> expected(x.size());
      convolve_gather<float>(x, h, expected, convolution_mode::same);
      const std::size_t block =
          choose_convolution(x.size(), h.size(), convolution_mode::same, element_type::float32).block;
      // No block: a method that sums is the fastest on this device. Each output is a sum of products with
      // samples in [-1, 1).
      double of_sums = 0;
      for (const float each : h) of_sums += std::abs(each);
      of_sums *= double(h.size()) * std::numeric_limits<float>::epsilon();
      const double each = block > 0 ? 2 * fft_rounding<float>(x, h, {}, block, true).each : of_sums;
      const agreement found = compare(y.to_host(), expected, std::vector<double>(x.size(), each));
      CAPTURE(round);
      CAPTURE(describe(found));
      CHECK(found.mismatches == 0);
    }
  forget_best_convolutions();
}

namespace {

template <class Convolver>
auto kept(const auto&... arguments) {
  return [=](auto, auto h) {
    const auto convolve = std::make_shared<Convolver>(h, 700, convolution_mode::full, arguments...);
    return [convolve](auto x, auto y, auto stream) { (*convolve)(x, y, stream); };
  };
}

}  // namespace

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  CHECK(failure_in_streams_of({}, kept<overlap_save_convolver<float>>(std::size_t{64})) == "");
  CHECK(failure_in_streams_of({}, kept<best_convolver<float>>()) == "");
  // On the emulated device, Thrust computes at once.
  const stream_use use{.recorded = !current_device().emulated};
  CHECK(failure_in_streams_of({.use = use}, kept<fft_convolver<float>>()) == "");
}
