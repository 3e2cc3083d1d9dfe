// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "fft_length.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace tutorial {
namespace {

constexpr std::size_t longest = std::size_t{1} << 30;

/// Calls visit(length) for every even length in [needed, below) with no prime factor above 7.
template <class Visit>
void for_smooth_lengths(std::size_t needed, std::size_t below, const Visit& visit) {
  for (std::size_t a = 2; a < below; a *= 2)
    for (std::size_t b = a; b < below; b *= 3)
      for (std::size_t c = b; c < below; c *= 5)
        for (std::size_t d = c; d < below; d *= 7)
          if (d >= needed) visit(d);
}

}  // namespace

bool is_smooth(std::size_t length) {
  for (const std::size_t factor : {2, 3, 5, 7})
    while (length % factor == 0 && length > 0) length /= factor;
  return length == 1;
}

double transform_cost(std::size_t length) {
  double dearer = 1;
  for (const auto& [factor, price] : {std::pair<std::size_t, double>{3, 0.05}, {5, 0.05}, {7, 0.12}})
    for (std::size_t rest = length; rest % factor == 0; rest /= factor) dearer += price;
  return double(length) * dearer;
}

std::size_t fft_length(std::size_t needed, fft_length_rule rule) {
  if (needed > longest)
    throw std::length_error("too long for one transform: it may have at most 2^30 samples");
  const std::size_t power = std::max<std::size_t>(2, std::bit_ceil(needed));
  std::size_t best = power;
  if (rule == fft_length_rule::smallest)
    for_smooth_lengths(needed, power, [&](std::size_t length) { best = std::min(best, length); });
  if (rule == fft_length_rule::good)
    for_smooth_lengths(needed, power, [&](std::size_t length) {
      if (transform_cost(length) < transform_cost(best)) best = length;
    });
  return best;
}

std::size_t good_fft_length(std::size_t needed) { return fft_length(needed, fft_length_rule::good); }

}  // namespace tutorial
