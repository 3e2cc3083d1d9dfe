// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "inputs.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "in_parts.hpp"

namespace tutorial {
namespace {

// The upper 53 bits as a number in [0, 1): every step is exact, so every machine gets the same.
double unit_interval(std::uint64_t bits) { return double(bits >> 11) * 0x1p-53; }

// In [0, count), count at most 2^32: the upper bits of a product, as Lemire does, without his rejection; the
// bias is below 2^-31 and means nothing for test data.
std::uint64_t below(std::uint64_t bits, std::uint64_t count) { return ((bits >> 32) * count) >> 32; }

template <class T, class Function>
std::vector<T> generate(std::size_t count, Function function) {
  std::vector<T> values(count);
  in_parts(count, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) values[i] = T(function(i));
  });
  return values;
}

}  // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
  // The seed is mixed by itself first, or neighboring seeds would give shifted copies of one sequence.
  const auto mixed = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15u;
  return mixed(mixed(seed + golden_ratio) + (i + 1) * golden_ratio);
}

template <class T>
std::vector<T> random_signal(std::size_t samples, std::uint64_t seed) {
  if constexpr (std::is_integral_v<T>) return random_whole_numbers<T>(samples, seed, 1000);
  // float: 24 bits, so that the conversion is exact too and never rounds up to 1.
  constexpr double step = std::is_same_v<T, float> ? 0x1p-23 : 0x1p-52;
  constexpr int shift = std::is_same_v<T, float> ? 40 : 11;
  return generate<T>(samples,
                     [&](std::size_t i) { return double(random_bits(seed, i) >> shift) * step - 1; });
}

template <class T>
std::vector<T> random_whole_numbers(std::size_t count, std::uint64_t seed, std::int32_t limit) {
  if (limit < 0) throw std::invalid_argument("random_whole_numbers: the limit is negative");
  return generate<T>(count, [&](std::size_t i) {
    return std::int64_t(below(random_bits(seed, i), 2 * std::uint64_t(limit) + 1)) - limit;
  });
}

std::vector<std::int32_t> random_full_range(std::size_t count, std::uint64_t seed) {
  return generate<std::int32_t>(count,
                                [&](std::size_t i) { return std::int32_t(random_bits(seed, i) >> 32); });
}

template <class T>
std::vector<T> random_taps(std::size_t taps, std::uint64_t seed) {
  // Magnitudes 1 ... taps in random order, each with a random sign and moved by less than half a step: all
  // different and none zero by construction, whatever the seed.
  std::vector<std::uint64_t> magnitude(taps);
  std::iota(magnitude.begin(), magnitude.end(), 1);
  for (std::size_t i = taps; i > 1; --i)
    std::swap(magnitude[i - 1], magnitude[below(random_bits(seed, i), i)]);
  return generate<T>(taps, [&](std::size_t k) {
    const std::uint64_t bits = random_bits(seed + 1, k);
    const double sign = bits & 1 ? -1 : 1;
    if constexpr (std::is_integral_v<T>) return sign * double(2 * magnitude[k] - ((bits >> 1) & 1));
    return sign * (double(magnitude[k]) - 0.5 * unit_interval(bits)) / double(taps + 1);
  });
}

template <class T>
std::vector<T> ramp(std::size_t count) {
  return generate<T>(count, [](std::size_t i) { return i; });
}

template <class T>
std::vector<T> impulse(std::size_t count, std::size_t position) {
  if (position >= count) throw std::out_of_range("impulse: the position is beyond the end");
  std::vector<T> values(count, T(0));
  values[position] = T(1);
  return values;
}

template <class T>
std::vector<T> box_filter(std::size_t taps) {
  return std::vector<T>(taps, std::is_integral_v<T> ? T(1) : T(1.0 / double(std::max<std::size_t>(taps, 1))));
}

#define TUTORIAL_FOR_TYPE(T)                                                                 \
  template std::vector<T> random_signal<T>(std::size_t, std::uint64_t);                      \
  template std::vector<T> random_whole_numbers<T>(std::size_t, std::uint64_t, std::int32_t); \
  template std::vector<T> random_taps<T>(std::size_t, std::uint64_t);                        \
  template std::vector<T> ramp<T>(std::size_t);                                              \
  template std::vector<T> impulse<T>(std::size_t, std::size_t);                              \
  template std::vector<T> box_filter<T>(std::size_t);
TUTORIAL_FOR_TYPE(std::int32_t)
TUTORIAL_FOR_TYPE(float)
TUTORIAL_FOR_TYPE(double)
#undef TUTORIAL_FOR_TYPE

}  // namespace tutorial
