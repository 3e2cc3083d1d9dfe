// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Launches of the list that convolve: the same input for every version, small whole numbers, and the definition beside
/// it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/convolution.hpp"
#include "common/element_type.hpp"
#include "count_kernels.hpp"

namespace tutorial {

struct convolution_case {
  std::size_t samples, taps;
  convolution_mode mode;
};

/// What `convolve`(x, h, y, mode) launches: exactly `kernels`, in this order. `prepare`(h), if it is given, is called
/// first, and only copies.
template <class T, class Convolve, class Prepare = void (*)(device_span<const T>)>
count_entry convolution_entry(const std::string& version, const std::vector<std::string>& kernels,
                              const convolution_case& what, Convolve convolve, Prepare prepare = nullptr) {
  const std::string name = version + " " + std::string(tutorial::name(element_type_of<T>())) + ", " +
                           std::to_string(what.taps) + " taps, " + std::string(tutorial::name(what.mode)) +
                           ", " + std::to_string(what.samples);
  const auto run = [=]() -> std::string {
    const auto x = small_values<T>(what.samples), h = small_values<T>(what.taps, 2);
    const std::size_t outputs = output_length(what.samples, what.taps, what.mode);
    const std::size_t first = first_output(what.samples, what.taps, what.mode);
    std::vector<T> expected(outputs, T{0});
    for (std::size_t i = 0; i < outputs; ++i)
      for (std::size_t k = 0; k < what.taps; ++k)
        if (first + i >= k && first + i - k < what.samples) expected[i] += h[k] * x[first + i - k];
    const device_buffer<T> d_x(x), d_h(h);
    device_buffer<T> d_y(unwritten<T>(outputs));
    if constexpr (std::is_pointer_v<Prepare>) {
      if (prepare != nullptr) prepare(d_h);
    } else {
      prepare(d_h.span());
    }
    convolve(d_x.span(), d_h.span(), d_y.span(), what.mode);
    return difference(d_y, expected);
  };
  return {name, kernels.front(), run, {kernels.begin() + 1, kernels.end()}};
}

}  // namespace tutorial
