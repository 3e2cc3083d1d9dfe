// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "common/device/ceil_div.hpp"
#include "common/program/signal_task.hpp"
#include "common/program/signals.hpp"
#include "common/verify/convolution.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

// The definition, straight from full: sum over all pairs, then cut. Slow, and nothing to get wrong.
template <class T>
void plain(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  using sum_type = std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>;
  std::vector<sum_type> full(x.size() + h.size() - 1);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t k = 0; k < h.size(); ++k) full[i + k] += sum_type(x[i]) * sum_type(h[k]);
  const std::size_t first = first_output(x.size(), h.size(), mode);
  for (std::size_t n = 0; n < y.size(); ++n) y[n] = T(full[first + n]);
}

for_each_type<host_convolution> reference() {
  return for_types<host_convolution>([](auto x, auto h, auto y, auto mode) { plain(x, h, y, mode); });
}

/// A version on the device that writes zeros and keeps what it was prepared with.
template <class T>
convolution_version of_zeros(const filter_preparation<T>& prepare, std::string* order = nullptr) {
  convolution_version version{.name = "v"};
  version.runs_on_device = true;
  version.on_device = for_types<device_convolution, T>([order](auto, auto h, auto y, convolution_mode) {
    if (order) *order += "c" + std::to_string(h.size());
    check(cudaMemset(y.data(), 0, y.size_bytes()));
  });
  if (prepare) std::get<filter_preparation<T>>(version.prepare) = prepare;
  return version;
}

/// What the version leaves behind.
template <class T>
std::vector<T> result_of(const convolution_version& version, const detail::convolution_task<T>& task) {
  detail::convolution_bench<T> bench(task, 0, false);
  const ready_version ready = bench.ready(version);
  ready.prepare();
  ready.launch(0);
  return bench.result_of(version);
}

}  // namespace

TEST_CASE("lengths and first outputs are SciPy's") {
  using enum convolution_mode;
  CHECK(output_length(10, 4, full) == 13);
  CHECK(output_length(10, 4, same) == 10);
  CHECK(output_length(10, 4, valid) == 7);
  CHECK(output_length(4, 10, valid) == 7);
  CHECK(output_length(4, 10, same) == 4);
  CHECK(first_output(10, 4, full) == 0);
  CHECK(first_output(10, 4, same) == 1);
  CHECK(first_output(10, 5, same) == 2);
  CHECK(first_output(10, 4, valid) == 3);
  CHECK(first_output(4, 10, valid) == 3);
  CHECK_THROWS_AS(output_length(0, 4, full), std::invalid_argument);
  CHECK_THROWS_AS(output_length(4, 0, full), std::invalid_argument);
  CHECK_THROWS_AS(require_output_length(10, 4, 10, full), std::invalid_argument);
}

TEST_CASE("sizes that an int counts come as ints, others are refused") {
  using enum convolution_mode;
  const auto [samples, taps, outputs, first] = checked_int_sizes(10, 5, 10, same, 256);
  CHECK(samples == 10);
  CHECK(taps == 5);
  CHECK(outputs == 10);
  CHECK(first == 2);
  CHECK_THROWS_AS(checked_int_sizes(10, 5, 11, same, 256), std::invalid_argument);
  const std::size_t most = 2147483647 - 5 - 256;
  CHECK(checked_int_sizes(most, 5, most, same, 256).samples == 2147483647 - 5 - 256);
  CHECK_THROWS_AS(checked_int_sizes(most + 1, 5, most + 1, same, 256), std::invalid_argument);
}

TEST_CASE("division rounded up, up to the largest int") {
  CHECK(ceil_div(0, 4) == 0);
  CHECK(ceil_div(1, 4) == 1);
  CHECK(ceil_div(4, 4) == 1);
  CHECK(ceil_div(5, 4) == 2);
  CHECK(ceil_div(2147483647, 256) == 8388608);
  CHECK(ceil_div(std::size_t{1} << 40, 256) == std::size_t{1} << 32);
}

TEST_CASE("product_count counts the pairs that meet") {
  for (const std::size_t samples : {1u, 2u, 5u, 9u})
    for (const std::size_t taps : {1u, 2u, 5u, 12u})
      for (const convolution_mode mode : all_modes) {
        CAPTURE(samples);
        CAPTURE(taps);
        CAPTURE(int(mode));
        // The convolution of ones counts them.
        std::vector<double> y(output_length(samples, taps, mode));
        plain<double>(std::vector<double>(samples, 1), std::vector<double>(taps, 1), y, mode);
        double expected = 0;
        for (const double value : y) expected += value;
        CHECK(product_count(samples, taps, mode) == expected);
      }
}

TEST_CASE_TEMPLATE("a task accepts the reference and refuses the smallest wrong output", T, std::int32_t,
                   float, double) {
  const auto task =
      detail::make_task<T>(random_signal<T>(100), random_taps<T>(7), convolution_mode::full, reference());
  CHECK(task.outputs() == 106);
  CHECK(task.bound.size() == (std::is_integral_v<T> ? 0 : 106));
  CHECK(task.verify(task.expected));
  for (const std::size_t i : {0u, 50u, 105u}) {
    auto wrong = task.expected;
    wrong[i] = std::is_integral_v<T> ? wrong[i] + 1 : wrong[i] * T(1.0001);
    CHECK_FALSE(task.verify(wrong));
    wrong[i] = detail::poisoned<T>(1)[0];  // an element that nobody wrote
    CHECK_FALSE(task.verify(wrong));
  }
}

TEST_CASE("poison is what no computation leaves behind") {
  CHECK(std::isnan(detail::poisoned<float>(2)[1]));
  CHECK(std::isnan(detail::poisoned<double>(2)[1]));
  CHECK(detail::poisoned<std::int32_t>(2)[1] == std::int32_t(0xA5A5A5A5u));
}

TEST_CASE("a bound admits another order of addition, and hardly more") {
  const auto x = random_signal<float>(2000), h = random_taps<float>(500);
  const auto task = detail::make_task<float>(x, h, convolution_mode::valid, reference());
  std::vector<float> backward(task.outputs()), once_rounded(task.outputs());
  for (std::size_t n = 0; n < backward.size(); ++n) {
    float sum = 0;
    double exact = 0;
    for (std::size_t k = h.size(); k-- > 0;) {
      sum += h[k] * x[n + h.size() - 1 - k];
      exact += double(h[k]) * x[n + h.size() - 1 - k];
    }
    backward[n] = sum;
    once_rounded[n] = float(exact);
  }
  CHECK(task.verify(backward));
  CHECK(task.verify(once_rounded));
  CHECK(task.bound[0] < 0.05);  // the sum of |h||x| is about 125 here, an error of one product about 0.1
}

TEST_CASE("the reader's own NaN and infinity must come out again where the definition has them") {
  std::vector<double> x(20, 1);
  x[5] = std::numeric_limits<double>::quiet_NaN();
  x[15] = std::numeric_limits<double>::infinity();
  const auto task =
      detail::make_task<double>(x, {1, 2, 3}, convolution_mode::same, reference(), non_finite::must_agree);
  CHECK(task.non_finite_outputs == 6);
  CHECK(task.verify(task.expected));
  auto wrong = task.expected;
  wrong[5] = 0;
  CHECK_FALSE(task.verify(wrong));
}

TEST_CASE("a version knows its types, its name and its limit") {
  constexpr host_version nothing{"98", "nothing", "does nothing", [](auto, auto, auto, auto) {}};
  const convolution_version all = nothing;
  CHECK(all.supports(element_type::int32));
  CHECK(all.label() == "98 nothing");
  CHECK_FALSE(all.runs_on_device);
  convolution_version floating{.chapter = "98", .name = "b"};
  floating.runs_on_device = true;
  floating.on_device = for_types<device_convolution, float, double>([](auto, auto, auto, auto) {});
  CHECK_FALSE(floating.supports(element_type::int32));
  CHECK(floating.supports(element_type::float32));
  CHECK(floating.supports(element_type::float64));
  CHECK(up_to(1e9, floating).max_products == 1e9);
  CHECK_THROWS_AS(convolution_chapter({.number = "99"}), std::invalid_argument);
}

TEST_CASE("lengths that an int cannot count are refused, also where their sum wraps around to a short one") {
  CHECK_NOTHROW(require_int_indices(2147483647u - 256 - 5, 5, 256));
  CHECK_THROWS_AS(require_int_indices(2147483647u - 256 - 4, 5, 256), std::invalid_argument);
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  CHECK_THROWS_AS(require_int_indices(most, 5, 256), std::invalid_argument);
  CHECK_THROWS_AS(require_int_indices(5, most, 256), std::invalid_argument);
}

TEST_CASE("a version that loads its filter does so before it is called, alone or in a table") {
  std::string order;
  const loaded_version version{
      "98", "loaded", "loads", [&](auto h) { order += "l" + std::to_string(h.size()); },
      [&](auto, std::size_t taps, auto, auto) { order += "c" + std::to_string(taps); }};
  const device_buffer<float> x(4), h(3);
  device_buffer<float> y(4);
  version(x.span(), h.span(), y.span(), convolution_mode::same);
  CHECK(order == "l3c3");
  order.clear();
  const auto task = detail::make_task<double>(random_signal<double>(4), random_taps<double>(2),
                                              convolution_mode::same, reference());
  result_of<double>(version, task);
  CHECK(order == "l2c2");
}

TEST_CASE_TEMPLATE("a filter is prepared once before the calls that need it, with the same taps", T,
                   std::int32_t, float, double) {
  const auto task =
      detail::make_task<T>(random_signal<T>(10), random_taps<T>(3), convolution_mode::same, reference());
  std::vector<T> prepared;
  std::string order;
  const auto version = of_zeros<T>(
      [&](auto h, std::size_t, convolution_mode) {
        order += "p";
        std::vector<T> taps(h.size());
        check(cudaMemcpy(taps.data(), h.data(), h.size_bytes(), cudaMemcpyDeviceToHost));
        prepared = taps;
      },
      &order);
  CHECK(result_of(version, task) == std::vector<T>(10));
  CHECK(order == "pc3");
  CHECK(prepared == task.h);
  // And a version that prepares nothing is simply called.
  order.clear();
  CHECK(result_of(of_zeros<T>({}, &order), task) == std::vector<T>(10));
  CHECK(order == "c3");
}

TEST_CASE("a filter may be prepared for the length of the signal and the mode") {
  const auto task = detail::make_task<float>(random_signal<float>(10), random_taps<float>(3),
                                             convolution_mode::valid, reference());
  std::string prepared_for;
  result_of(of_zeros<float>([&](auto h, std::size_t samples, convolution_mode mode) {
              prepared_for =
                  std::to_string(h.size()) + " " + std::to_string(samples) + " " + std::string(name(mode));
            }),
            task);
  CHECK(prepared_for == "3 10 valid");
}

TEST_CASE("what a version before it has left in the output is no result of the next one") {
  const auto task = detail::make_task<float>(random_signal<float>(10), random_taps<float>(3),
                                             convolution_mode::same, reference());
  detail::convolution_bench<float> bench(task, 0, false);
  const convolution_version zeros = of_zeros<float>({});
  convolution_version idle = zeros;
  idle.on_device = for_types<device_convolution>([](auto, auto, auto, auto) {});
  for (const convolution_version* each : {&zeros, static_cast<const convolution_version*>(&idle)}) {
    const ready_version ready = bench.ready(*each);
    ready.prepare();
    ready.launch(0);
  }
  CHECK(std::isnan(bench.result_of(idle)[4]));
}

TEST_CASE("a version with a rounding rule of its own is held to it, for each output and as a whole") {
  const auto x = random_signal<double>(50), h = random_taps<double>(3);
  const auto task = detail::make_task<double>(x, h, convolution_mode::same, reference());
  const convolution_version sums{.name = "v"};
  convolution_version rounding = sums;
  rounding.rounding = for_types<rounding_rule, float, double>(
      [&](auto rule_x, auto rule_h, auto expected, convolution_mode mode) {
        CHECK(rule_x.size() == 50);
        CHECK(rule_h.size() == 3);
        CHECK(expected.size() == 50);
        CHECK(mode == convolution_mode::same);
        return rounding_allowance{1e-6, 2e-6};
      });
  CHECK(task.verify(rounding, task.expected));
  auto one = task.expected, all = task.expected, much = task.expected;
  one[7] += 0.9e-6;
  much[7] += 1.1e-6;
  for (double& value : all) value += 0.9e-6;  // 6.4e-6 as a whole
  CHECK(task.verify(rounding, one));
  CHECK_FALSE(task.verify(sums, one));
  CHECK_FALSE(task.verify(rounding, much));
  CHECK_FALSE(task.verify(rounding, all));
}
