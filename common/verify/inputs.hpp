// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Signals and filters that are the same on every machine: no distribution of the standard library is used,
// because those differ between implementations.
//
// T is std::int32_t, float or double in all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutorial {

/// The i-th value of a sequence of 64 random bits; any i at any time (splitmix64, Steele, Lea and Flood
/// 2014).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i);

/// Floating point: uniform in [-1, 1). int32: whole numbers in [-1000, 1000].
template <class T>
std::vector<T> random_signal(std::size_t samples, std::uint64_t seed = 1);

/// Whole numbers in [-limit, limit], as T: sums of products of small ones are exact in any order, so that
/// floating point can be compared with bound 0.
template <class T>
std::vector<T> random_whole_numbers(std::size_t count, std::uint64_t seed = 1, std::int32_t limit = 8);

/// All 2^32 values: products and sums wrap around.
std::vector<std::int32_t> random_full_range(std::size_t count, std::uint64_t seed = 1);

/// Taps that are all different, none of them zero, and not symmetric: a filter that is flipped, shifted or
/// cut short gives another result. Floating point: in (-1, 1). int32: within [-2 * taps, 2 * taps].
template <class T>
std::vector<T> random_taps(std::size_t taps, std::uint64_t seed = 2);

/// 0, 1, 2, ...
template <class T>
std::vector<T> ramp(std::size_t count);

/// All zero but for a 1 at `position` (std::out_of_range if it is not below count).
template <class T>
std::vector<T> impulse(std::size_t count, std::size_t position = 0);

/// The mean of `taps` samples: each tap is 1 / taps. int32: each is 1, the sum.
template <class T>
std::vector<T> box_filter(std::size_t taps);

}  // namespace tutorial
