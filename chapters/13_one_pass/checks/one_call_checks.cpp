// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// fastest_convolution(): one call with a filter that may be another one each time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/stream_checks.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "13_one_pass/fastest_convolution.hpp"
#include "common/device/movement_counts.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

/// While it exists, one pass costs so much and everything else what it costs on an H200.
class one_pass_at {
 public:
  explicit one_pass_at(double price) : before_(prices_here()), one_pass_before_(one_pass_prices_here()) {
    price_list prices = recorded_prices();
    prices.launch = 0;
    one_pass_price_list one_pass = recorded_one_pass_prices();
    for (one_pass_price& each : one_pass.prices) each.alone = each.each_pair = price;
    use_prices(prices);
    use_one_pass_prices(one_pass);
  }
  ~one_pass_at() {
    use_prices(before_);
    use_one_pass_prices(one_pass_before_);
    forget_fastest_convolutions();
  }
  one_pass_at(const one_pass_at&) = delete;
  one_pass_at& operator=(const one_pass_at&) = delete;

 private:
  price_list before_;
  one_pass_price_list one_pass_before_;
};

fastest_choice choice_of_one_call(std::size_t samples, std::size_t taps, convolution_mode mode,
                                  element_type type) {
  return choose_fastest(samples, taps, mode, type, prices_here(), one_pass_prices_here(),
                        filter_use::one_call);
}

/// One call's arrays on the device.
template <class T>
struct one_call {
  std::vector<T> x, h;
  convolution_mode mode;
  device_buffer<T> d_x, d_h, d_y;

  one_call(std::size_t samples, std::size_t taps, convolution_mode mode, std::uint64_t seed)
      : x(random_signal<T>(samples, seed)),
        h(random_taps<T>(taps, seed + 100)),
        mode(mode),
        d_x(x),
        d_h(h),
        d_y(output_length(samples, taps, mode)) {}

  void launch() { fastest_convolution<T>(d_x, d_h, d_y, mode); }
  /// "" or what is wrong.
  std::string wrong() const {
    std::vector<T> right(d_y.size());
    convolve_gather<T>(x, h, right, mode);
    std::vector<double> bound;
    rounding_allowance allowed;
    if constexpr (std::is_floating_point_v<T>) {
      const fastest_choice choice = choice_of_one_call(x.size(), h.size(), mode, element_type_of<T>());
      const std::size_t block = choice.others.block;
      if (choice.one_pass) {
        allowed = one_pass_rounding<T>(x, h, right, choice.design);
      } else if (block > 0) {
        allowed = fft_rounding<T>(x, h, right, block, one_block_length(x.size(), h.size(), mode) <= block);
      } else {
        T sum = 0;
        for (const T each : h) sum += std::abs(each);
        bound = dot_product_bound<T>(h.size(), std::vector<T>(right.size(), sum));
      }
    }
    const agreement found = compare_as_a_whole(d_y.to_host(), right, bound, allowed.each, allowed.all);
    return found ? "" : describe(found);
  }
};

}  // namespace

TEST_CASE_TEMPLATE("one call: lengths, filters and modes, at the limits of every design", T, std::int32_t,
                   float, double) {
  const one_pass_at nothing(0);
  struct lengths {
    std::size_t samples, taps;
  };
  for (const lengths& each : {lengths{1, 1},
                              {1, 40},
                              {33, 7},
                              {1000, 64},
                              {1000, 65},
                              {1000, 66},
                              {1700, 257},
                              {1700, 258},
                              {3100, 1025},
                              {900, 1026},
                              {500, 4097},
                              {300, 4098}})
    for (const convolution_mode mode : all_modes) {
      const std::size_t samples = each.samples, taps = each.taps;
      if (std::is_integral_v<T> && taps > 300) continue;  // sums, which chapter 06 checks
      CAPTURE(samples);
      CAPTURE(taps);
      CAPTURE(name(mode));
      if constexpr (std::is_floating_point_v<T>)
        CHECK(choice_of_one_call(samples, taps, mode, element_type_of<T>()).one_pass ==
              (taps <= longest_one_pass_filter<T>));
      for (const std::uint64_t seed : {1, 2}) {
        one_call<T> call(samples, taps, mode, seed);
        call.launch();
        CHECK(call.wrong() == "");
      }
    }
}

TEST_CASE_TEMPLATE("one call keeps no filter: many follow each other, and none waits", T, float, double) {
  const one_pass_at nothing(0);
  for (const std::size_t taps : {std::size_t{30}, std::size_t{1025}, longest_one_pass_filter<T> + 1}) {
    CAPTURE(taps);
    std::vector<one_call<T>> calls;
    const std::size_t samples = taps > 2000 ? 300 : 3100;
    for (const std::uint64_t seed : {1, 2, 1, 3, 2})
      calls.emplace_back(samples, taps, convolution_mode::same, seed);
    for (one_call<T>& each : calls) each.launch();
    for (const one_call<T>& each : calls) CHECK(each.wrong() == "");
  }
}

TEST_CASE("one call keeps what lengths need, and no more of them than it says") {
  const one_pass_at nothing(0);
  for (std::uint64_t round = 1; round <= 2; ++round)
    for (std::size_t i = 2; i <= kept_calls_at_most + 2; ++i)
      // What is kept is used again, the last but one and the last but two. Neighbors share the samples, or
      // the taps, or both and not the mode.
      for (const std::size_t which : {i, i - 1, i - 2})
        for (const convolution_mode mode : {convolution_mode::same, convolution_mode::full}) {
          one_call<float> call(600 + which / 2, 40 + (which + 1) / 2, mode, round);
          call.launch();
          CAPTURE(round);
          CAPTURE(which);
          CHECK(call.wrong() == "");
        }
}

TEST_CASE_TEMPLATE("one call by several threads", T, float, double) {
  const one_pass_at nothing(0);
  constexpr std::size_t threads = 4, calls = 6;
  std::vector<std::vector<one_call<T>>> work(threads);
  for (std::size_t t = 0; t < threads; ++t)
    for (std::size_t i = 0; i < calls; ++i)  // all have the even calls' lengths, each its own of the odd ones
      work[t].emplace_back(i % 2 == 0 ? 3000 : 3001 + t, 200, convolution_mode::full, 10 * t + i);
  check(cudaDeviceSynchronize());
  std::vector<std::thread> all;
  for (std::vector<one_call<T>>& mine : work)
    all.emplace_back([&mine] {
      for (one_call<T>& each : mine) each.launch();
    });
  for (std::thread& each : all) each.join();
  for (const std::vector<one_call<T>>& mine : work)
    for (const one_call<T>& each : mine) CHECK(each.wrong() == "");
}

TEST_CASE("the second call with the same lengths launches two kernels, and does nothing else") {
  const one_pass_at nothing(0);
  for (const std::size_t taps : {65, 257, 1025, 4097}) {
    CAPTURE(taps);
    one_call<float> first(1500, taps, convolution_mode::same, 1),
        second(1500, taps, convolution_mode::same, 2);
    const std::optional<movement_counts> made = count_movements([&] { first.launch(); });
    const std::optional<movement_counts> moved = count_movements([&] { second.launch(); });
    CHECK(first.wrong() == "");
    CHECK(second.wrong() == "");
    const auto launches = count_launches([&] { second.launch(); });
    if (!has_counts(launches) || !made || !moved) return;
    CHECK(made->bytes_up > 0);  // roots of unity, in new memory
    // New memory would be filled or copied to, and memory that is given back waited for.
    CHECK(moved->copies == 0);
    CHECK(moved->bytes_up == 0);
    CHECK(moved->bytes_within == 0);
    CHECK(moved->waits == 0);
    CHECK(moved->kernels == 2);
    REQUIRE(launches.size() == 2);
    // The first one reads each tap once, and writes one spectrum.
    const one_pass_design design = shortest_one_pass_design<float>(taps);
    CHECK(launches[0].global_stores == std::size_t(design.length));
    CHECK(launches[0].global_load_bytes >= 4 * taps);
    CHECK(launches[0].barriers == (design.in_a_warp ? 0 : 1));
    forget_fastest_convolutions();
    const std::optional<movement_counts> again = count_movements([&] { second.launch(); });
    CHECK(again->bytes_up == made->bytes_up);
    CHECK(second.wrong() == "");
  }
}

TEST_CASE("the same arrays again are one graph, and others are not mistaken for them") {
  const one_pass_at nothing(0);
  one_call<float> one(1500, 65, convolution_mode::same, 1), other(1500, 65, convolution_mode::same, 2);
  for (one_call<float>* const each : {&one, &one, &one, &other, &one, &other, &other, &other, &one}) {
    poison(each->d_y.span());
    each->launch();
    CHECK(each->wrong() == "");
  }
  // Another x, h or y alone is another graph's, and so are fewer outputs.
  for (const int which : {0, 1, 2}) {
    const auto exchange = [&] {
      if (which == 0) std::swap(one.x, other.x), std::swap(one.d_x, other.d_x);
      if (which == 1) std::swap(one.h, other.h), std::swap(one.d_h, other.d_h);
      if (which == 2) std::swap(one.d_y, other.d_y);
    };
    one.launch(), one.launch();
    exchange(), poison(one.d_y.span()), one.launch();
    CAPTURE(which);
    CHECK(one.wrong() == "");
    exchange();
  }
  one.launch(), one.launch();
  CHECK_THROWS_AS(
      fastest_convolution<float>(one.d_x, one.d_h, one.d_y.span().subspan(0, 1499), convolution_mode::same),
      std::invalid_argument);
  const auto moved = list_movements([&] { one.launch(), one.launch(); });
  if (moved.empty()) return;
  CHECK(moved.size() == 4);
  CHECK(std::all_of(moved.begin(), moved.end(), [](const moved_operation& each) { return each.of_graph; }));
  CHECK(!list_movements([&] { other.launch(); }).front().of_graph);  // new arrays
}

TEST_CASE("a call chooses by the prices of its time") {
  one_call<float> call(3500, 300, convolution_mode::same, 1);
  const auto launches = [&] { return count_launches([&] { call.launch(); }); };
  std::vector<launch_counts> cheap, dear;
  {
    const one_pass_at nothing(0);
    launches();  // which keeps
    cheap = launches();
    CHECK(call.wrong() == "");
    one_pass_price_list fortune = one_pass_prices_here();
    for (one_pass_price& each : fortune.prices) each.alone = 1e9;
    use_one_pass_prices(fortune);
    launches();
    dear = launches();
    CHECK(call.wrong() == "");
  }
  if (!has_counts(cheap)) return;
  CHECK(cheap.size() == 2);
  CHECK(cheap[0].global_stores == 4096);
  CHECK((dear.size() != 2 || dear[0].global_stores != 4096));
}

TEST_CASE("a spectrum for one call counts, and chapter 07 needs one, too") {
  const auto full = convolution_mode::full;
  const auto of = [&](std::size_t samples, std::size_t taps, element_type type, filter_use use) {
    return choose_fastest(samples, taps, full, type, recorded_prices(), recorded_one_pass_prices(), use);
  };
  for (const std::size_t samples : {std::size_t{1} << 20, std::size_t{1} << 24})
    for (const std::size_t taps : {257, 1025, 4097}) {
      CAPTURE(samples);
      CAPTURE(taps);
      CHECK(of(samples, taps, element_type::float32, filter_use::one_call).one_pass);
    }
  bool other_way = false;
  for (const element_type type : {element_type::float32, element_type::float64, element_type::int32})
    for (std::size_t samples = 100; samples < 100'000'000; samples *= 3)
      for (const std::size_t taps : {1, 20, 65, 250, 1025, 4000, 5000}) {
        const fastest_choice kept = of(samples, taps, type, filter_use::many_calls),
                             once = of(samples, taps, type, filter_use::one_call);
        CHECK(kept.spectrum_cost == 0);
        CHECK((once.spectrum_cost > 0) == (once.design.length != 0));
        CHECK(kept.others.method == once.others.method);
        CHECK((!once.one_pass || kept.one_pass));  // a new filter makes one pass no cheaper
        if (once.design.length == 0) continue;
        const double extra = once.others.block > 0 ? 0 : once.spectrum_cost;
        CHECK(once.one_pass == (once.one_pass_cost + extra < once.others.cost(once.others.method)));
        CHECK(once.spectrum_cost ==
              one_pass_spectrum_cost(type, once.design, recorded_prices(), recorded_one_pass_prices()));
        other_way = other_way || (kept.one_pass && !once.one_pass);
      }
  CHECK(other_way);  // some signals are so short that the spectrum is not worth it
  const one_pass_design design = shortest_one_pass_design<float>(1025);
  CHECK(one_pass_spectrum_cost(element_type::float32, design, counted_operations(),
                               recorded_one_pass_prices()) == 4096 * (5 * 12 + 2));
}

TEST_CASE("one call refuses what does not fit, and another filter must have as many taps") {
  const device_buffer<float> some(std::vector<float>{1, 2, 3}), none, two(std::vector<float>{1, 2});
  device_buffer<float> y(5), short_y(4);
  const auto full = convolution_mode::full;
  CHECK_THROWS_AS(fastest_convolution<float>(some, none, y, full), std::invalid_argument);
  CHECK_THROWS_AS(fastest_convolution<float>(none, some, y, full), std::invalid_argument);
  CHECK_THROWS_AS(fastest_convolution<float>(some, some, short_y, full), std::invalid_argument);
  one_pass_convolver<float> convolve(some, 3, full);
  CHECK_THROWS_AS(convolve.set_filter(two), std::invalid_argument);
  convolve.set_filter(some);
  convolve(some, y);
  const std::vector<float> right = {1, 4, 10, 12, 9};
  CHECK(compare(y.to_host(), right, std::vector<double>(5, 1e-4)));
}

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  static constexpr filter_in_streams how{.taps = 65};
  const auto keep = [](auto h) {
    return std::make_shared<one_pass_convolver<float>>(h, how.samples, convolution_mode::full);
  };
  CHECK(failure_in_streams_of(how, [&](auto, auto h) {
          return [convolve = keep(h)](auto x, auto y, auto stream) { (*convolve)(x, y, stream); };
        }) == "");
  CHECK(failure_in_streams_of({.taps = 65, .new_taps = true}, [&](auto, auto h) {
          return [h, convolve = keep(h)](auto x, auto y, auto stream) { (*convolve)(x, h, y, stream); };
        }) == "");
  const one_pass_at nothing(0);
  CHECK(failure_in_streams_of(how, [](auto, auto h) {
          const auto convolve =
              std::make_shared<fastest_convolver<float>>(h, how.samples, convolution_mode::full);
          return [convolve](auto x, auto y, auto stream) { (*convolve)(x, y, stream); };
        }) == "");
}
