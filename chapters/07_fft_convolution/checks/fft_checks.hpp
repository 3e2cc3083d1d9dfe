// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The checks of every chapter, for convolutions by transforms: what those may round.
#pragma once

#include <algorithm>
#include <limits>

#include "01_serial_definition/convolution_checks.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"

namespace tutorial {

/// The cases of every chapter, with the rounding of transforms of length(samples, taps, mode) samples.
template <class T, class Length>
convolution_cases cases_for(const Length& length, std::size_t tile = 256, std::size_t most_failures = 1000) {
  convolution_cases cases{.tile = tile, .exact_on_whole_numbers = false, .most_failures = most_failures};
  cases.rounding = [length](double x, double h, double h_sum, std::size_t samples, std::size_t taps) {
    double error = 0;
    for (const convolution_mode mode : all_modes)
      error = std::max(error, transform_error<T>(length(samples, taps, mode)));
    // As in fft_rounding(), with |y| <= |h|_1 |x|.
    return (2 * error + 2 * double(std::numeric_limits<T>::epsilon())) * x * h + error * x * h_sum;
  };
  return cases;
}

}  // namespace tutorial
