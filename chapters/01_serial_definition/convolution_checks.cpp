// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "convolution_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

#include "common/files/numbers.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"
#include "convolve_serial.hpp"

namespace tutorial {
namespace {

template <class T>
std::vector<T> absolute(std::vector<T> values) {
  if constexpr (std::is_floating_point_v<T>)
    for (T& value : values) value = std::abs(value);
  return values;
}

/// Lengths and taps to pair up: small, around a warp, around the tile, several tiles + 1, primes; the taps
/// also longer than the signal, and longer than the tile.
std::set<std::pair<std::size_t, std::size_t>> sizes(const convolution_cases& cases) {
  const std::size_t tile = cases.tile;
  std::set<std::pair<std::size_t, std::size_t>> result;
  const auto add = [&](std::size_t samples, std::size_t taps) {
    if (samples >= 1 && taps >= 1 && (cases.even_taps || taps % 2 == 1)) result.insert({samples, taps});
  };
  for (const std::size_t taps : {1, 2, 3, 4, 5, 31, 32, 33, 64}) {
    for (const std::size_t samples : {1, 2, 31, 32, 33, 101}) add(samples, taps);
    for (const std::size_t samples : {taps - 1, taps, taps + 1}) add(samples, taps);
  }
  for (const std::size_t taps : {1, 4, 5, 33})
    for (const std::size_t samples : {tile - 1, tile, tile + 1, 3 * tile + 1}) add(samples, taps);
  for (const std::size_t taps : {tile - 1, tile + 3, tile + 4})
    for (const std::size_t samples : {7, 331}) add(samples, taps);
  add(1009, 257);
  for (const auto& [samples, taps] : cases.more) add(samples, taps);
  return result;
}

template <class T>
class trial {
 public:
  trial(const convolution_function<T>& f, const convolution_function<T>& expected,
        const convolution_cases& cases)
      : f_(f), expected_(expected), cases_(cases) {}

  bool enough(const convolution_cases& cases) const { return failures_.size() >= cases.most_failures; }

  /// `bound`, widened by what the cases allow a function that does not sum products.
  std::vector<double> allowed(std::vector<double> bound, const std::vector<T>& x, const std::vector<T>& h,
                              std::size_t outputs) const {
    if (!cases_.rounding) return bound;
    double x_squares = 0, h_squares = 0, h_sum = 0;
    for (const T sample : x) x_squares += double(sample) * double(sample);
    for (const T tap : h) h_squares += double(tap) * double(tap), h_sum += std::abs(double(tap));
    bound.resize(outputs);
    for (double& each : bound)
      each += cases_.rounding(std::sqrt(x_squares), std::sqrt(h_squares), h_sum, x.size(), h.size());
    return bound;
  }

  void compare_with(const std::vector<T>& y, const std::vector<T>& right, const std::vector<double>& bound,
                    const std::string& what) {
    if (y.size() != right.size()) {
      failures_.push_back(what + ": " + std::to_string(y.size()) + " outputs instead of " +
                          std::to_string(right.size()));
      return;
    }
    const agreement result = compare<T>(y, right, bound);
    if (result) return;
    if (failures_.empty()) case_at_work::went_wrong();
    failures_.push_back(what + ": " + describe(result));
  }

  void run(const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode, const std::string& what) {
    const std::vector<T> sums = expected_(absolute(x), absolute(h), mode);
    const case_at_work now(label(x, h, mode, what));
    compare_with(f_(x, h, mode), expected_(x, h, mode),
                 allowed(dot_product_bound<T>(h.size(), sums), x, h, sums.size()), label(x, h, mode, what));
  }

  void run_exactly(const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode,
                   const std::string& what) {
    const case_at_work now(label(x, h, mode, what));
    compare_with(f_(x, h, mode), expected_(x, h, mode), {}, label(x, h, mode, what));
  }

  std::string label(const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode,
                    const std::string& what) {
    return what + ", " + std::string(name(mode)) + ", " + several(x.size(), "sample") + ", " +
           several(h.size(), "tap");
  }

  std::vector<std::string> failures_;

 private:
  const convolution_function<T>& f_;
  const convolution_function<T>& expected_;
  const convolution_cases& cases_;
};

/// An impulse gives the filter back, shifted to where the impulse is: known without any convolution.
template <class T>
std::vector<T> shifted_filter(const std::vector<T>& h, std::size_t samples, std::size_t at,
                              convolution_mode mode) {
  const std::size_t first = first_output(samples, h.size(), mode);
  std::vector<T> y(output_length(samples, h.size(), mode), T{});
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t n = first + i;
    if (n >= at && n - at < h.size()) y[i] = h[n - at];
  }
  return y;
}

}  // namespace

template <class T>
std::vector<std::string> convolution_failures(const convolution_function<T>& f,
                                              const convolution_cases& cases,
                                              const convolution_function<T>& expected) {
  const auto definition =
      on_host<T>([](auto x, auto h, auto y, auto mode) { convolve_gather(x, h, y, mode); });
  trial<T> t(f, expected ? expected : definition, cases);

  const std::vector<T> taps = random_taps<T>(7, 1);
  for (const auto mode : cases.modes)
    for (const std::size_t at : {std::size_t{0}, std::size_t{20}, std::size_t{40}}) {
      const std::vector<T> x = impulse<T>(41, at);
      const std::string what = "impulse at sample " + std::to_string(at);
      if (expected)
        t.run(x, taps, mode, what);
      else {
        const std::vector<T> right = shifted_filter(taps, x.size(), at, mode);
        const case_at_work now(t.label(x, taps, mode, what));
        t.compare_with(f(x, taps, mode), right, t.allowed({}, x, taps, right.size()),
                       t.label(x, taps, mode, what));
      }
    }

  std::uint64_t seed = 2;
  for (const auto& [samples, taps] : sizes(cases)) {
    const std::vector<T> x = random_signal<T>(samples, ++seed), h = random_taps<T>(taps, ++seed);
    for (const auto mode : cases.modes) t.run(x, h, mode, "random");
    if (t.enough(cases)) return t.failures_;
  }

  if (cases.exact_on_whole_numbers && std::is_floating_point_v<T>)
    for (const std::size_t count : {5, 33, 257}) {
      const std::vector<T> x = random_whole_numbers<T>(700, ++seed),
                           h = random_whole_numbers<T>(count, ++seed);
      for (const auto mode : cases.modes) t.run_exactly(x, h, mode, "whole numbers");
    }

  if (!expected) {  // x * h == h * x
    const std::vector<T> x = random_signal<T>(300, 1000), h = random_taps<T>(17, 1001);
    const auto full = convolution_mode::full;
    const std::vector<T> sums = definition(absolute(x), absolute(h), full);
    const std::vector<double> once = t.allowed(dot_product_bound<T>(h.size(), sums), x, h, sums.size());
    const case_at_work now("signal and filter exchanged, full, 17 samples, 300 taps");
    t.compare_with(f(h, x, full), f(x, h, full), t.allowed(once, h, x, sums.size()),
                   "signal and filter exchanged, full");
  }
  return t.failures_;
}

template std::vector<std::string> convolution_failures<std::int32_t>(
    const convolution_function<std::int32_t>&, const convolution_cases&,
    const convolution_function<std::int32_t>&);
template std::vector<std::string> convolution_failures<float>(const convolution_function<float>&,
                                                              const convolution_cases&,
                                                              const convolution_function<float>&);
template std::vector<std::string> convolution_failures<double>(const convolution_function<double>&,
                                                               const convolution_cases&,
                                                               const convolution_function<double>&);

template <class T>
std::vector<std::string> overrun_failures(const device_convolution<T>& f, const convolution_cases& cases,
                                          const convolution_function<T>& expected) {
  const std::size_t margin = std::max<std::size_t>(2048, cases.tile);
  bool overran = false;
  const auto surrounded = [&](const std::vector<T>& middle) {
    device_buffer<T> whole(margin + middle.size() + margin);
    check(
        cudaMemcpy(whole.data() + margin, middle.data(), middle.size() * sizeof(T), cudaMemcpyHostToDevice));
    return whole;
  };
  const convolution_function<T> inside = [&](const std::vector<T>& x, const std::vector<T>& h,
                                             convolution_mode mode) {
    const std::size_t outputs = output_length(x.size(), h.size(), mode);
    const device_buffer<T> d_x = surrounded(x), d_h = surrounded(h);
    device_buffer<T> d_y(margin + outputs + margin);
    const std::vector<T> before = d_y.to_host();
    f(d_x.span().subspan(margin, x.size()), d_h.span().subspan(margin, h.size()),
      d_y.span().subspan(margin, outputs), mode);
    check(cudaDeviceSynchronize());
    const std::vector<T> after = d_y.to_host();
    const auto touched = [&](std::size_t from) {  // compared as bytes: NaN is not equal to itself
      return std::memcmp(&after[from], &before[from], margin * sizeof(T)) != 0;
    };
    overran = touched(0) || touched(margin + outputs);
    return std::vector<T>(after.begin() + std::ptrdiff_t(margin), after.end() - std::ptrdiff_t(margin));
  };
  const auto definition =
      on_host<T>([](auto x, auto h, auto y, auto mode) { convolve_gather(x, h, y, mode); });

  trial<T> t(inside, expected ? expected : definition, cases);
  const std::size_t tile = cases.tile;
  std::set<std::pair<std::size_t, std::size_t>> all = {{1, 1},    {33, 5},       {tile - 1, 5},
                                                       {tile, 1}, {tile + 1, 5}, {3 * tile + 1, 33}};
  all.insert(cases.more.begin(), cases.more.end());
  for (const auto& [samples, taps] : all) {
    const std::vector<T> x = random_signal<T>(samples, samples), h = random_taps<T>(taps, taps);
    for (const auto mode : cases.modes) {
      t.run(x, h, mode, "x, h and y inside larger arrays");
      if (overran) {
        if (t.failures_.empty()) case_at_work::went_wrong();
        t.failures_.push_back(t.label(x, h, mode, "something outside y was written"));
      }
      if (t.enough(cases)) return t.failures_;
    }
  }
  return t.failures_;
}

template std::vector<std::string> overrun_failures<std::int32_t>(const device_convolution<std::int32_t>&,
                                                                 const convolution_cases&,
                                                                 const convolution_function<std::int32_t>&);
template std::vector<std::string> overrun_failures<float>(const device_convolution<float>&,
                                                          const convolution_cases&,
                                                          const convolution_function<float>&);
template std::vector<std::string> overrun_failures<double>(const device_convolution<double>&,
                                                           const convolution_cases&,
                                                           const convolution_function<double>&);

std::string summary(const std::vector<std::string>& failures) {
  std::string text;
  const std::size_t shown = 5;
  for (std::size_t i = 0; i < failures.size() && i < shown; ++i) text += "\n  " + failures[i];
  if (failures.size() > shown) text += "\n  and " + std::to_string(failures.size() - shown) + " more";
  return text;
}

bool all_contain(const std::vector<std::string>& failures, std::string_view word) {
  return !failures.empty() && std::all_of(failures.begin(), failures.end(), [&](const std::string& line) {
    return line.find(word) != std::string::npos;
  });
}

}  // namespace tutorial
