// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Convolution on the device with the filter in constant memory.
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// All the constant memory that the kernels of one .cu file can have, in bytes.
inline constexpr std::size_t constant_bytes = 65536;

/// The longest filter that fits: 16384 taps of std::int32_t or float, 8192 of double.
template <class T>
inline constexpr std::size_t max_constant_taps = constant_bytes / sizeof(T);

/// y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants; samples outside x count as zero.
/// Every call copies the taps into constant memory first, from device memory, in the order of the default
/// stream. x holds N samples, h holds K <= max_constant_taps<T> taps, y has output_length(N, K, mode)
/// elements; none of them overlap. T is std::int32_t (sums wrap modulo 2^32), float or double. N + K may be
/// at most 2^31 - 1 - 256. Launches and does not wait. Throws std::invalid_argument for lengths that do not
/// fit, cuda_error for a copy or a launch that is refused.
template <class T>
void convolve_constant(device_span<const T> x, device_span<const T> h, device_span<T> y,
                       convolution_mode mode);

/// Copies the taps into constant memory, where they stay for any number of calls of
/// convolve_with_constant_taps(), until another filter is copied there, by this function or by
/// convolve_constant(): there is one place for the whole program, whatever the streams and the threads of the
/// host. Throws as convolve_constant() does.
template <class T>
void load_constant_taps(device_span<const T> h);

/// The same outputs as convolve_constant(), with the filter that was copied last. `taps` says how many taps
/// the caller believes that it has: std::invalid_argument unless the last filter had as many, of this type.
template <class T>
void convolve_with_constant_taps(device_span<const T> x, std::size_t taps, device_span<T> y,
                                 convolution_mode mode);

}  // namespace tutorial
