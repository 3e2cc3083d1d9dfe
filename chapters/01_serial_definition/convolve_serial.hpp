// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The definition of convolution, three times on one core and once on all cores.
// convolve_gather is the reference: what every later chapter is compared with.
#pragma once

#include <span>

#include "common/verify/convolution.hpp"

namespace tutorial {

// In all of them x holds N samples, h holds K taps (N, K >= 1, else std::invalid_argument), and y must have
// output_length(N, K, mode) elements (else std::invalid_argument). Samples outside x count as zero.
// T is std::int32_t (sums wrap modulo 2^32), float or double. x and h may not overlap y.

/// y[n] = sum over k of h[k] x[n - k]: for each output, gather the products that belong to it. The reference.
template <class T>
void convolve_gather(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode);

/// The same loop, its outputs shared among all cores: every output is the same to the last bit. For
/// verification of what takes one core too long; convolve_all_cores is the fast one.
template <class T>
void convolve_gather_on_all_cores(std::span<const T> x, std::span<const T> h, std::span<T> y,
                                  convolution_mode mode);

/// The same products in another order: each sample is scattered, times every tap, to the outputs it reaches.
template <class T>
void convolve_scatter(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode);

/// Gathers with a filter that was reversed beforehand, so that signal and filter are read in the same
/// direction.
template <class T>
void convolve_reversed(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode);

/// All cores of the CPU, each with vector instructions: the line that a GPU has to beat.
/// Products are added in the order of convolve_gather only up to rounding; int32 is the same to the last bit.
template <class T>
void convolve_all_cores(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode);

}  // namespace tutorial
