// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Checks of a convolution beyond those of every chapter: arrays that begin anywhere, and samples that are no
// numbers.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {

/// x and y begin x_offset and y_offset elements behind aligned addresses.
struct offset_case {
  std::size_t samples, taps, x_offset, y_offset;
  convolution_mode mode;
};

/// Which of these cases f gets wrong: whole numbers, so that every sum is exact. What lies around x and y is
/// poisoned, and must stay as it is.
template <class T>
std::vector<std::string> offset_failures(const device_convolution<T>& f,
                                         const std::vector<offset_case>& cases) {
  constexpr std::size_t margin = 64;
  std::vector<std::string> failures;
  for (const auto& [samples, taps, x_offset, y_offset, mode] : cases) {
    const auto x = random_whole_numbers<T>(samples, samples + taps), h = random_whole_numbers<T>(taps, taps);
    const std::size_t outputs = output_length(samples, taps, mode);
    device_buffer<T> d_x(margin + x_offset + samples + margin), d_y(margin + y_offset + outputs + margin);
    const device_buffer<T> d_h(h);
    check(cudaMemcpy(d_x.data() + margin + x_offset, x.data(), samples * sizeof(T), cudaMemcpyHostToDevice));
    std::vector<T> expected(outputs), whole = d_y.to_host();
    f(d_x.span().subspan(margin + x_offset, samples), d_h.span(),
      d_y.span().subspan(margin + y_offset, outputs), mode);
    check(cudaDeviceSynchronize());
    convolve_gather<T>(x, h, expected, mode);
    std::copy(expected.begin(), expected.end(), whole.begin() + std::ptrdiff_t(margin + y_offset));
    const std::vector<T> after = d_y.to_host();
    std::size_t wrong = 0;  // NaN is not equal to itself: the poison is compared as "still no number"
    for (std::size_t i = 0; i < whole.size(); ++i) wrong += after[i] != whole[i] && whole[i] == whole[i];
    for (std::size_t i = 0; i < whole.size(); ++i) wrong += after[i] == after[i] && whole[i] != whole[i];
    if (wrong != 0)
      failures.push_back(std::string(name(mode)) + ", " + std::to_string(samples) + " samples, " +
                         std::to_string(taps) + " taps, offsets " + std::to_string(x_offset) + " and " +
                         std::to_string(y_offset) + ": " + std::to_string(wrong) + " wrong");
  }
  return failures;
}

/// All offsets of x and y, with these numbers of taps; `samples` is more than one block.
inline std::vector<offset_case> all_offsets(std::size_t samples, const std::vector<std::size_t>& taps) {
  std::vector<offset_case> cases;
  for (const std::size_t k : taps)
    for (std::size_t x_offset = 0; x_offset < 4; ++x_offset)
      for (std::size_t y_offset = 0; y_offset < 4; ++y_offset)
        cases.push_back(
            {samples + (k + x_offset) % 4, k, x_offset, y_offset, all_modes[(k + x_offset + y_offset) % 3]});
  return cases;
}

/// Every number of taps from `from` to `to`, in changing modes.
inline std::vector<offset_case> all_taps(std::size_t samples, std::size_t from, std::size_t to) {
  std::vector<offset_case> cases;
  for (std::size_t k = from; k <= to; ++k)
    cases.push_back({samples, k, k % 3, k % 2, all_modes[(k + k / 3) % 3]});
  return cases;
}

/// With one sample that is not a number: does any output show it that does not meet it, or hide it that does?
template <class T>
bool keeps_nan_in_place(const device_convolution<T>& f, std::size_t taps) {
  std::vector<T> x(200, T(1));
  x[90] = std::numeric_limits<T>::quiet_NaN();
  const auto y = on_device<T>(f)(x, random_taps<T>(taps), convolution_mode::full);
  for (std::size_t n = 0; n < y.size(); ++n)
    if ((y[n] != y[n]) != (90 <= n && n < 90 + taps)) return false;
  return true;
}

}  // namespace tutorial
