// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the mistakes of all convolution chapters have in common.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"
#include "fault.hpp"

namespace tutorial {

/// What one use convolves.
template <class T>
struct convolution_inputs {
  std::vector<T> x, h;
  convolution_mode mode = convolution_mode::full;
  bool exact = true;  ///< Whole numbers, whose sums are exact.
};

/// Neither length is a multiple of what a block, a tile or a vector holds.
template <class T>
convolution_inputs<T> whole_numbers(std::size_t samples = 1001, std::size_t taps = 302,
                                    convolution_mode mode = convolution_mode::same) {
  const std::vector<std::int32_t> h = random_taps<std::int32_t>(taps, 2);  // none of them is zero
  return {random_whole_numbers<T>(samples, 1), std::vector<T>(h.begin(), h.end()), mode};
}

/// "" or how many outputs are wrong.
template <class T>
std::string judged(const std::vector<T>& y, const convolution_inputs<T>& in) {
  const auto definition =
      on_host<T>([](auto x, auto h, auto to, auto mode) { convolve_gather(x, h, to, mode); });
  const std::vector<T> expected = definition(in.x, in.h, in.mode);
  std::vector<double> bound;
  if (!in.exact) {
    const auto magnitudes = [](std::vector<T> values) {
      for (T& value : values) value = value < 0 ? -value : value;
      return values;
    };
    const std::vector<T> sums = definition(magnitudes(in.x), magnitudes(in.h), in.mode);
    bound = dot_product_bound<T>(in.h.size(), sums);
  }
  const agreement result = compare<T>(y, expected, bound);
  if (result) return "";
  return std::to_string(result.mismatches) + " of " + std::to_string(result.size) + " outputs";
}

/// f(x, h, y, mode), once.
template <class T>
std::string used_once(const device_convolution<T>& f, const convolution_inputs<T>& in) {
  return judged(on_device<T>(f)(in.x, in.h, in.mode), in);
}

/// The checks that every chapter has, and those of `further`.
template <class T, class... Further>
refusal checked(const device_convolution<T>& f, const Further&... further) {
  return first_refusal(
      [&] { return refused_by("results", convolution_failures<T>(on_device<T>(f), {.most_failures = 1})); },
      [&] { return refused_by("surroundings", overrun_failures<T>(f, {.most_failures = 1})); }, further...);
}

template <class T>
fault convolution_fault(std::string name, device_convolution<T> f,
                        convolution_inputs<T> in = whole_numbers<T>()) {
  return {std::move(name), [f, in] { return used_once<T>(f, in); }, [f] { return checked<T>(f); }};
}

}  // namespace tutorial
