// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "common/device/ceil_div.hpp"
#include "common/program/convolution_chapter.hpp"
#include "common/program/convolution_task.hpp"
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

host_convolutions reference() {
  return all_types_on_host([](auto x, auto h, auto y, auto mode) { plain(x, h, y, mode); });
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

TEST_CASE("a variant knows its types") {
  const auto nothing = [](auto, auto, auto, convolution_mode) {};
  const convolution_variant all = host_variant("a", "a", nothing);
  const convolution_variant floating = device_variant<float, double>("b", "b", nothing, 1e9);
  CHECK(all.supports(element_type::int32));
  CHECK_FALSE(floating.supports(element_type::int32));
  CHECK(floating.supports(element_type::float32));
  CHECK(floating.supports(element_type::float64));
  CHECK(floating.runs_on_device);
  CHECK(floating.max_products == 1e9);
  CHECK_THROWS_AS(convolution_chapter({.number = "99"}), std::invalid_argument);
}

TEST_CASE_TEMPLATE("a filter is prepared once before the calls that need it, with the same taps", T,
                   std::int32_t, float, double) {
  const auto task =
      detail::make_task<T>(random_signal<T>(10), random_taps<T>(3), convolution_mode::same, reference());
  std::vector<T> prepared;
  std::string order;
  const convolution_variant variant =
      with_preparation(device_variant<T>("v", "v",
                                         [&](auto, auto h, auto y, convolution_mode) {
                                           order += "c" + std::to_string(h.size());
                                           check(cudaMemset(y.data(), 0, y.size_bytes()));
                                         }),
                       [&](auto h) {
                         order += "p";
                         std::vector<T> taps(h.size());
                         check(cudaMemcpy(taps.data(), h.data(), h.size_bytes(), cudaMemcpyDeviceToHost));
                         prepared = taps;
                       });
  std::vector<launch_counts> launches;
  CHECK(detail::run_on_device(variant, task, launches) == std::vector<T>(10));
  CHECK(order == "pc3");
  CHECK(prepared == task.h);
  // And a version that prepares nothing is simply called.
  order.clear();
  convolution_variant unprepared = variant;
  unprepared.prepare = {};
  CHECK(detail::run_on_device(unprepared, task, launches) == std::vector<T>(10));
  CHECK(order == "c3");
}

TEST_CASE("a filter may be prepared for the length of the signal and the mode") {
  const auto task = detail::make_task<float>(random_signal<float>(10), random_taps<float>(3),
                                             convolution_mode::valid, reference());
  std::string prepared_for;
  const convolution_variant variant = with_preparation(
      device_variant<float>("v", "v",
                            [](auto, auto, auto y, auto) { check(cudaMemset(y.data(), 0, y.size_bytes())); }),
      [&](auto h, std::size_t samples, convolution_mode mode) {
        prepared_for =
            std::to_string(h.size()) + " " + std::to_string(samples) + " " + std::string(name(mode));
      });
  std::vector<launch_counts> launches;
  detail::run_on_device(variant, task, launches);
  CHECK(prepared_for == "3 10 valid");
}

TEST_CASE("a version with a rounding rule of its own is held to it, for each output and as a whole") {
  const auto x = random_signal<double>(50), h = random_taps<double>(3);
  const auto task = detail::make_task<double>(x, h, convolution_mode::same, reference());
  const convolution_variant sums = device_variant("v", "v", [](auto, auto, auto, auto) {});
  const convolution_variant rounding =
      with_rounding<float, double>(sums, [&](auto rule_x, auto rule_h, auto expected, convolution_mode mode) {
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
