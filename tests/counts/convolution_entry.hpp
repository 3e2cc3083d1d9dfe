// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Launches of the list that convolve: the same input for every version, small whole numbers, and the
// definition beside it.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "common/files/element_type.hpp"
#include "common/verify/convolution.hpp"
#include "count_kernels.hpp"

namespace tutorial {

/// Whole numbers that a transform has rounded, and only those: what was not written stays what it is.
template <class T>
void round_to_whole(std::vector<T>& values) {
  for (T& value : values)
    if (std::abs(value - std::round(value)) < T(0.25) &&
        std::memcmp(&value, unwritten<T>(1).data(), sizeof(T)) != 0)
      value = std::round(value) + T{0};  // no -0
}

struct convolution_case {
  std::size_t samples, taps;
  convolution_mode mode;
};

/// What `convolve`(x, h, y, mode) launches: exactly `kernels`, in this order. `prepare`(h), if it is given,
/// is called first, and only copies. `transforms`: the result is right if it rounds to the right one.
template <class T, class Convolve, class Prepare = void (*)(device_span<const T>)>
count_entry convolution_entry(const std::string& version, const std::vector<std::string>& kernels,
                              const convolution_case& what, Convolve convolve, Prepare prepare = nullptr,
                              bool transforms = false) {
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
    } else if constexpr (!std::is_null_pointer_v<Prepare>) {
      prepare(d_h.span());
    }
    convolve(d_x.span(), d_h.span(), d_y.span(), what.mode);
    std::vector<T> y = d_y.to_host();
    if (transforms) round_to_whole(y);
    return difference(y, expected);
  };
  return {name, kernels.front(), run, {kernels.begin() + 1, kernels.end()}};
}

}  // namespace tutorial
