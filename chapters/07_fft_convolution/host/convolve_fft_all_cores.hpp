// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution by transforms on the CPU, with kissfft: what the transforms of a GPU have to beat.
#pragma once

#include <cstddef>
#include <span>

#include "common/verify/convolution.hpp"

namespace tutorial {

/// Was kissfft's header (package libkissfft-dev) there when this was built? A machine with a GPU may not have
/// it.
bool has_kissfft();

/// The same as convolve_gather() up to rounding: overlap-save on all cores, T float or double. kissfft's
/// tables for a length are kept for the next call with it; the filter's spectrum is computed in each call.
/// One call at a time. Throws std::invalid_argument for lengths that do not fit, std::logic_error without
/// kissfft.
template <class T>
void convolve_fft_all_cores(std::span<const T> x, std::span<const T> h, std::span<T> y,
                            convolution_mode mode);

/// The length of its transforms: the power of two that is the least work for the core that has most of it.
std::size_t block_all_cores(std::size_t samples, std::size_t taps, convolution_mode mode);

/// Its rounding in multiples of fft_rounding() with blocks of block_all_cores(). Two blocks share one complex
/// transform, whose norm may be sqrt(2) times that of one. And kissfft's header computes exp(-i a) with T,
/// from an angle a <= 2 pi that is off by three roundings: a root of unity is off by 20 u instead of u, a
/// stage by (20 + 4 sqrt(2)) u < 4 e_2.
inline constexpr double rounding_all_cores = 4 * 1.4143;

}  // namespace tutorial
