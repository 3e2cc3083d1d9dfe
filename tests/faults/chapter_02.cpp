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
  return {
      with("none", mistake::none), with("not_flipped", mistake::not_flipped),
      with("first_tap_lost", mistake::first_tap_lost), with("last_tap_lost", mistake::last_tap_lost),
      with("ghosts_not_zero", mistake::ghosts_not_zero), with("same_rounded_up", mistake::same_rounded_up),
      with("grid_rounded_down", mistake::grid_rounded_down),
      with<double>("sum_in_float", mistake::sum_in_float,
                   {random_signal<double>(1001), random_taps<double>(302), convolution_mode::same, false}),
      with("no_guard", mistake::no_guard), with("one_sample_more", mistake::one_sample_more),
      // 511 samples: the second block's last thread is the first one behind the end.
      with("interior_too_wide", mistake::interior_too_wide,
           whole_numbers<float>(511, 5, convolution_mode::full))};
}

}  // namespace tutorial
