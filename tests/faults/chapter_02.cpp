// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "02_direct_kernel/broken.hpp"
#include "convolution_fault.hpp"

namespace tutorial {
namespace {

using broken::mistake;

template <class T = float>
fault with(std::string name, mistake made, convolution_inputs<T> in = whole_numbers<T>()) {
  const auto f = [made](auto x, auto h, auto y, auto mode) { broken::convolve<T>(made, x, h, y, mode); };
  return convolution_fault<T>(std::move(name), f, std::move(in));
}

}  // namespace

std::vector<fault> faults() {
  return each_fault<mistake>([](const std::string& name, mistake made) {
    if (made == mistake::sum_in_float)
      return with<double>(
          name, made, {random_signal<double>(1001), random_taps<double>(302), convolution_mode::same, false});
    // 511 samples: the second block's last thread is the first one behind the end.
    if (made == mistake::interior_too_wide)
      return with(name, made, whole_numbers<float>(511, 5, convolution_mode::full));
    return with(name, made);
  });
}

}  // namespace tutorial
