// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The checks that every convolution chapter, every exercise and every broken kernel goes through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/device.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"
#include "common/verify/convolution_function.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {

/// A convolution as the checks see it: from host arrays to a host array.
template <class T>
using convolution_function =
    std::function<std::vector<T>(const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode)>;

/// Makes one of a function that works on host spans, f(x, h, y, mode). The output is poisoned beforehand.
template <class T, class F>
convolution_function<T> on_host(F f) {
  return [f](const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode) {
    const T poison =
        std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN() : T(0xA5A5A5A5u);
    std::vector<T> y(output_length(x.size(), h.size(), mode), poison);
    f(std::span<const T>(x), std::span<const T>(h), std::span<T>(y), mode);
    return y;
  };
}

/// Makes one of a function that works on device spans, f(x, h, y, mode). The output is poisoned beforehand.
template <class T, class F>
convolution_function<T> on_device(F f) {
  return [f](const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode) {
    const device_buffer<T> d_x(x), d_h(h);
    device_buffer<T> d_y(output_length(x.size(), h.size(), mode));
    f(d_x.span(), d_h.span(), d_y.span(), mode);
    check(cudaDeviceSynchronize());
    return d_y.to_host();
  };
}

/// Which cases to try.
struct convolution_cases {
  std::size_t tile = 256;  ///< Outputs per block of the function under test: sizes around it are tried.
  bool even_taps = true;   ///< False where only odd numbers of taps are meaningful.
  std::vector<convolution_mode> modes{std::begin(all_modes), std::end(all_modes)};
  /// Sums of whole numbers are exact in floating point too, in any order; false for a function that does not
  /// sum them.
  bool exact_on_whole_numbers = true;
  /// For a function that does not sum products at all: what it may be off in one output, beyond
  /// dot_product_bound(), by the Euclidean norms of signal and filter, the sum of the filter's magnitudes,
  /// and the two lengths.
  std::function<double(double signal_norm, double filter_norm, double filter_sum, std::size_t samples,
                       std::size_t taps)>
      rounding = {};
  /// Further numbers of samples and taps, for what a function does at sizes of its own.
  std::vector<std::pair<std::size_t, std::size_t>> more = {};
  std::size_t most_failures = 1000;  ///< Stop after so many: enough to refuse what is wrong on purpose.
};

/// Runs f on every case and returns one line for each that it got wrong: which case, how many elements, the
/// first of them, got and expected. Empty if f is right everywhere. Cases: an impulse at the first, the
/// middle and the last sample; random samples with an asymmetric filter of distinct, non-zero taps, for
/// lengths 1, 2, around 32, around the tile, several tiles + 1 and primes, taps odd and even, up to more than
/// the samples and the tile; and commutativity of full. int32 is compared exactly, float and double within
/// dot_product_bound(), and once more on whole numbers, exactly: the bound of a long sum is wide enough to
/// hide a lost tap.
/// `expected` is what f must agree with; left out, it is the definition, convolve_gather.
template <class T>
std::vector<std::string> convolution_failures(const convolution_function<T>& f,
                                              const convolution_cases& cases = {},
                                              const convolution_function<T>& expected = {});

extern template std::vector<std::string> convolution_failures<std::int32_t>(
    const convolution_function<std::int32_t>&, const convolution_cases&,
    const convolution_function<std::int32_t>&);
extern template std::vector<std::string> convolution_failures<float>(const convolution_function<float>&,
                                                                     const convolution_cases&,
                                                                     const convolution_function<float>&);
extern template std::vector<std::string> convolution_failures<double>(const convolution_function<double>&,
                                                                      const convolution_cases&,
                                                                      const convolution_function<double>&);

/// Does f(x, h, y, mode), which works on device spans, keep to its arrays? They are handed to it as parts of
/// larger, poisoned ones. One line for each case in which something beside y was written, or in which y shows
/// that something beside x or h was read. (The emulated device watches every access; this finds the same on
/// any device.)
template <class T>
std::vector<std::string> overrun_failures(const device_convolution<T>& f, const convolution_cases& cases = {},
                                          const convolution_function<T>& expected = {});

extern template std::vector<std::string> overrun_failures<std::int32_t>(
    const device_convolution<std::int32_t>&, const convolution_cases&,
    const convolution_function<std::int32_t>&);
extern template std::vector<std::string> overrun_failures<float>(const device_convolution<float>&,
                                                                 const convolution_cases&,
                                                                 const convolution_function<float>&);
extern template std::vector<std::string> overrun_failures<double>(const device_convolution<double>&,
                                                                  const convolution_cases&,
                                                                  const convolution_function<double>&);

/// The first few failures as one text, for a message; "" if there are none.
std::string summary(const std::vector<std::string>& failures);

/// Do all of them contain that word, and is there at least one? For what is wrong in certain cases only.
bool all_contain(const std::vector<std::string>& failures, std::string_view word);

/// What each launch did in one call of f(x, h, y, mode) on random device spans; empty where the device does
/// not count.
template <class T, class F>
std::vector<launch_counts> counts_of(F f, std::size_t samples, std::size_t taps, convolution_mode mode) {
  const device_buffer<T> x(random_signal<T>(samples)), h(random_taps<T>(taps));
  device_buffer<T> y(output_length(samples, taps, mode));
  return count_launches([&] { f(x.span(), h.span(), y.span(), mode); });
}

}  // namespace tutorial
