// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which lengths are good for a transform.
#pragma once

#include <cstddef>

namespace tutorial {

/// How the length of a transform is chosen, where any that is long enough would do.
enum class fft_length_rule {
  good,          ///< good_fft_length()
  smallest,      ///< The smallest even one with no prime factor above 7.
  power_of_two,  ///< The smallest power of two.
};

/// The length that `rule` takes where at least `needed` >= 1 samples must fit; always even. Throws
/// std::length_error where it would be beyond 2^30.
std::size_t fft_length(std::size_t needed, fft_length_rule rule);

/// Among the even lengths >= needed with no prime factor above 7, that with the least transform_cost().
std::size_t good_fft_length(std::size_t needed);

/// What a transform of a long signal costs, in units of that of one sample at a power of two: the length, and
/// 5 % more for each prime factor 3 or 5, 12 % for each 7. A rule of thumb from an H200, wrong by a tenth
/// where there are two or three such factors, and right about lengths that are full of them.
double transform_cost(std::size_t length);

/// Has no prime factor above 7: a length that cuFFT transforms without detours.
bool is_smooth(std::size_t length);

}  // namespace tutorial
