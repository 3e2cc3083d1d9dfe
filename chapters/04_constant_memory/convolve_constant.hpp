// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution on the device with the filter in constant memory.
#pragma once

#include <cstddef>
#include <span>

#include "common/device/device_memory.hpp"
#include "common/files/element_type.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// All the constant memory that the kernels of one .cu file can have, in bytes.
inline constexpr std::size_t constant_bytes = 65536;

/// The longest filter that fits: 16384 taps of std::int32_t or float, 8192 of double.
template <class T>
inline constexpr std::size_t max_constant_taps = constant_bytes / sizeof(T);

/// Throws std::invalid_argument, with the limit, unless so many taps of that type fit into constant memory.
void require_fit_for_constant_memory(std::size_t taps, element_type type);

/// The most taps of convolve_constant_simple().
inline constexpr int most_simple_taps = 64;

/// y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants; samples outside x count as zero. x
/// holds N samples, h holds K <= most_simple_taps taps and lies on the host, y has output_length(N, K, mode)
/// elements; x and y do not overlap. N + K may be at most 2^31 - 1 - 256. Copies the taps into constant
/// memory, launches, both in the default stream, and does not wait for the kernel. Throws
/// std::invalid_argument for lengths that do not fit, cuda_error for a copy or a launch that is refused.
void convolve_constant_simple(device_span<const float> x, std::span<const float> h, device_span<float> y,
                              convolution_mode mode);

/// y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants; samples outside x count as zero.
/// Every call copies the taps into constant memory first, from device memory, in the order of the
/// stream, to the place of load_constant_taps(). x holds N samples, h holds K <= max_constant_taps<T> taps, y
/// has output_length(N, K, mode) elements; none of them overlap. T is std::int32_t (sums wrap modulo 2^32),
/// float or double. N + K may be at most 2^31 - 1 - 256. Launches and does not wait. Throws
/// std::invalid_argument for lengths that do not fit, cuda_error for a copy or a launch that is refused.
template <class T>
void convolve_constant(device_span<const T> x, device_span<const T> h, device_span<T> y,
                       convolution_mode mode, cudaStream_t stream = nullptr);

/// Copies the taps into constant memory, where they stay for any number of calls of
/// convolve_with_constant_taps(), until another filter is copied there, by this function or by
/// convolve_constant(): there is one place on each device for the whole program, whatever the streams and the
/// threads of the host. Throws as convolve_constant() does.
template <class T>
void load_constant_taps(device_span<const T> h, cudaStream_t stream = nullptr);

/// The same outputs as convolve_constant(), with the filter that was copied last. `taps` says how many taps
/// the caller believes that it has: std::invalid_argument unless the last filter had as many, of this type,
/// and was copied on the device that is current now.
template <class T>
void convolve_with_constant_taps(device_span<const T> x, std::size_t taps, device_span<T> y,
                                 convolution_mode mode, cudaStream_t stream = nullptr);

/// As load_constant_taps(), for convolve_constant_interior(), which has a place of its own.
template <class T>
void load_interior_taps(device_span<const T> h, cudaStream_t stream = nullptr);

/// The same outputs as convolve_with_constant_taps(), with the filter that load_interior_taps() copied last,
/// whose number of taps the caller knows. A block in which no output meets a ghost does not test for any.
template <class T>
void convolve_constant_interior(device_span<const T> x, std::size_t taps, device_span<T> y,
                                convolution_mode mode, cudaStream_t stream = nullptr);

/// What convolve_parameter_taps() has room for, in bytes: all parameters of a kernel together may have 32764
/// (CUDA 12.1 and GPUs since Volta; 4096 before), and the others of this kernel take 32.
inline constexpr std::size_t parameter_bytes = 32728;

/// The longest filter that fits: 8182 taps of std::int32_t or float, 4091 of double.
template <class T>
inline constexpr std::size_t max_parameter_taps = parameter_bytes / sizeof(T);

/// The same outputs as convolve_constant(), for K <= max_parameter_taps<T>. h lies on the host, and is the
/// caller's again when the call returns: each launch takes its taps along as an argument, and calls in other
/// streams or threads do not disturb it. Launches and does not wait. Throws std::invalid_argument for lengths
/// that do not fit, cuda_error for a launch that is refused.
template <class T>
void convolve_parameter_taps(device_span<const T> x, std::span<const T> h, device_span<T> y,
                             convolution_mode mode, cudaStream_t stream = nullptr);

}  // namespace tutorial
