// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution on the device, one thread per output.
#pragma once

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants; samples outside x count as zero.
/// x holds N samples, h holds K taps, y has output_length(N, K, mode) elements; none of them overlap.
/// T is std::int32_t (sums wrap modulo 2^32), float or double. N + K may be at most 2^31 - 1 - 256.
/// Launches in the stream (chapter 12; left out, the default one) and does not wait. Throws
/// std::invalid_argument for lengths that do not fit, cuda_error for a launch that is refused.
template <class T>
void convolve_direct(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode,
                     cudaStream_t stream = nullptr);

/// The same outputs by the same loads; blocks in which no thread meets a ghost do not test for any. Lengths
/// as above.
template <class T>
void convolve_direct_interior(device_span<const T> x, device_span<const T> h, device_span<T> y,
                              convolution_mode mode, cudaStream_t stream = nullptr);

/// The same outputs, but each thread computes eight consecutive ones: the same work, worse access to memory.
/// N + K may be at most 2^31 - 1 - 2048.
template <class T>
void convolve_direct_grouped(device_span<const T> x, device_span<const T> h, device_span<T> y,
                             convolution_mode mode, cudaStream_t stream = nullptr);

}  // namespace tutorial
