// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong on purpose, one named mistake each: the checks must refuse every one of them.
#pragma once

#include <span>

#include "common/verify/convolution.hpp"

namespace tutorial::broken {

/// The filter is not flipped, so this correlates: y[n] = sum of h[k] x[n + k].
template <class T>
void not_flipped(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode);

/// Runs k only to K - 1: the last tap never counts.
template <class T>
void last_tap_lost(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode);

/// Where there is no sample, the nearest one is used instead of zero.
template <class T>
void ghosts_not_zero(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode);

/// The middle of an even filter is rounded up, so 'same' is shifted by one.
template <class T>
void same_rounded_up(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode);

/// Scatters by adding to the output without clearing it first.
template <class T>
void not_cleared(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode);

}  // namespace tutorial::broken
