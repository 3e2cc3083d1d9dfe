// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "07_fft_convolution/checks/fft_checks.hpp"
#include "13_one_pass/fastest_convolution.hpp"
#include "common/device/device.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

fastest_choice choice_on_h200(std::size_t samples, std::size_t taps, element_type type) {
  return choose_fastest(samples, taps, convolution_mode::full, type, recorded_prices(),
                        recorded_one_pass_prices());
}

}  // namespace

TEST_CASE("the choice") {
  constexpr std::size_t many = std::size_t{1} << 24;
  for (const std::size_t taps : {65, 257, 1025, 4097}) {
    CAPTURE(taps);
    CHECK(choice_on_h200(many, taps, element_type::float32).one_pass);
  }
  CHECK(choice_on_h200(many, 1025, element_type::float64).one_pass);
  CHECK(!choice_on_h200(many, 3, element_type::float32).one_pass);
  CHECK(!choice_on_h200(many, 1025, element_type::int32).one_pass);  // a transform rounds
  CHECK(!choice_on_h200(many, 4098, element_type::float32).one_pass);
  CHECK(!choice_on_h200(many, 1026, element_type::float64).one_pass);
  CHECK(!choice_on_h200((std::size_t{1} << 30) + 1, 1025, element_type::float32).one_pass);

  const fastest_choice choice = choice_on_h200(many, 1025, element_type::float32);
  CHECK(choice.short_text() == "13 one_pass 4,096");
  CHECK(choice.text().find(
            "chosen: 13 one_pass, segments of 4,096. Expected times at the prices of NVIDIA H200") == 0);
  CHECK(choice.text().find("07 overlap_save") != std::string::npos);
  const fastest_choice other = choice_on_h200(many, 5000, element_type::float32);
  CHECK(other.short_text() == other.others.short_text());
  CHECK(other.text().find("; 13 one_pass cannot do it") != std::string::npos);

  // What is chosen is never dearer than what is not.
  for (const std::size_t samples : {10, 1000, 100'000, 10'000'000})
    for (const std::size_t taps : {1, 30, 500, 2000})
      for (const price_list& prices : {recorded_prices(), counted_operations()}) {
        const fastest_choice each = choose_fastest(samples, taps, convolution_mode::same,
                                                   element_type::float32, prices, recorded_one_pass_prices());
        CHECK(each.one_pass == (each.one_pass_cost < each.others.cost(each.others.method)));
        for (const one_pass_design& design : one_pass_designs<float>())
          if (taps <= std::size_t(design.overlap) + 1)
            CHECK(each.one_pass_cost <= one_pass_cost(samples, taps, convolution_mode::same,
                                                      element_type::float32, design, prices,
                                                      recorded_one_pass_prices()));
      }
}

TEST_CASE("prices are those that were asked for, and of one device") {
  one_pass_price_list other = recorded_one_pass_prices();
  for (one_pass_price& each : other.prices) each.alone = 1e9;
  use_one_pass_prices(other);
  CHECK(one_pass_prices_here().prices[0].alone == 1e9);
  CHECK(!choose_fastest(1 << 24, 1025, convolution_mode::full, element_type::float32, recorded_prices())
             .one_pass);
  use_one_pass_prices(recorded_one_pass_prices());
  other.device = "another";
  CHECK_THROWS_AS(
      choose_fastest(100, 5, convolution_mode::full, element_type::float32, recorded_prices(), other),
      std::invalid_argument);
  other.device = recorded_prices().device, other.prices.clear();
  CHECK_THROWS_AS(
      choose_fastest(100, 5, convolution_mode::full, element_type::float32, recorded_prices(), other),
      std::invalid_argument);
  for (const one_pass_price& each : recorded_one_pass_prices().prices)
    CHECK((each.alone > 0 && each.each_pair > 0));
  // On a GPU the demo measures them, and fails where one makes no sense.
  if (current_device().emulated) CHECK_THROWS_AS(measure_one_pass_prices(), std::logic_error);
}

TEST_CASE_TEMPLATE("the fastest way computes the definition, whatever it chooses", T, std::int32_t, float,
                   double) {
  for (const auto& [samples, taps] : {std::pair(std::size_t{3000}, std::size_t{300}), {70, 3}, {10, 400}})
    for (const convolution_mode mode : all_modes) {
      const std::vector<T> x = random_whole_numbers<T>(samples), h = random_whole_numbers<T>(taps, 2);
      std::vector<T> right(output_length(samples, taps, mode));
      convolve_gather<T>(x, h, right, mode);
      const auto f = [](auto x, auto h, auto y, auto mode) { fastest_convolution(x, h, y, mode); };
      std::vector<T> y = on_device<T>(f)(x, h, mode);
      if constexpr (std::is_floating_point_v<T>)
        for (T& each : y) each = std::round(each);  // the error of a transform is far below one half here
      CHECK(y == right);
    }
}

TEST_CASE_TEMPLATE("where one pass is cheapest, one pass it is", T, std::int32_t, float, double) {
  constexpr std::size_t samples = 3000, taps = 300;
  const auto full = convolution_mode::full;
  one_pass_price_list nothing = recorded_one_pass_prices();
  for (one_pass_price& each : nothing.prices) each.alone = each.each_pair = 0;
  const std::vector<T> x = random_whole_numbers<T>(samples), h = random_whole_numbers<T>(taps, 2);
  std::vector<T> right(samples + taps - 1);
  convolve_gather<T>(x, h, right, full);
  price_list prices = recorded_prices();
  prices.launch = 0;
  fastest_convolver<T> convolve(device_buffer<T>(h), samples, full, prices, nothing);
  CHECK(convolve.choice().one_pass == std::is_floating_point_v<T>);
  const device_buffer<T> d_x(x);
  device_buffer<T> y(right.size());
  convolve(d_x, y);
  std::vector<T> got = y.to_host();
  if constexpr (std::is_floating_point_v<T>)
    for (T& each : got) each = std::round(each);
  CHECK(got == right);
}
