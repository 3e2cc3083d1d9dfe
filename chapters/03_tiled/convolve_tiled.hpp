// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution on the device with more parallel work than outputs: pairs of tiles, and one warp per output.
#pragma once

#include <cstddef>

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// Bytes of the intermediate of convolve_tiled: 64 sums for each pair of 32 samples and 32 taps,
///   ceil(N / 32) * ceil(K / 32) * 64 * sizeof(T),   N K sizeof(T) / 16 where 32 divides both lengths.
/// N + K may be at most 2^31 - 1, as for the convolution: then it fits 64 bits.
template <class T>
constexpr std::size_t tiled_intermediate_bytes(std::size_t samples, std::size_t taps) {
  return (samples + 31) / 32 * ((taps + 31) / 32) * 64 * sizeof(T);
}

/// y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants; samples outside x count as zero. x
/// holds N samples, h holds K taps, y has output_length(N, K, mode) elements; none of them overlap. T is
/// std::int32_t (sums wrap modulo 2^32), float or double. N + K may be at most 2^31 - 1 - 256.
///
/// Both are cut into tiles of 32; a last tile is filled up with zeros, and those are multiplied: for each
/// infinity or NaN in x or h, up to 31 outputs may be NaN that are numbers by the definition. `intermediate`
/// holds at least tiled_intermediate_bytes<T>(N, K), aligned as cudaMalloc() does it; what was in it is lost.
/// It must not be used by anything else until the work that is launched here has finished. Launches and does
/// not wait. Throws std::invalid_argument for lengths that do not fit, cuda_error for a launch that is
/// refused.
template <class T>
void convolve_tiled(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode,
                    device_span<std::byte> intermediate, cudaStream_t stream = nullptr);

/// The same, with an intermediate that is allocated and freed in stream order around the two kernels: no call
/// waits for them, but each call pays for the allocation. Throws input_error, which names the size, what is
/// free and what to do, where there is not enough memory.
template <class T>
void convolve_tiled(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode,
                    cudaStream_t stream = nullptr);

/// The same outputs, one warp for each: its 32 lanes share the taps and add up. No intermediate, and ghosts
/// are left out, so that infinities and NaN in x or h reach only the outputs that the definition says. N + K
/// may be at most 2^31 - 1 - 256. Launches in the stream and does not wait.
template <class T>
void convolve_warp_per_output(device_span<const T> x, device_span<const T> h, device_span<T> y,
                              convolution_mode mode, cudaStream_t stream = nullptr);

/// The same outputs, one thread for each as in chapter 02, but in blocks of 32 threads, so that few outputs
/// occupy as many multiprocessors as possible. N + K may be at most 2^31 - 1 - 32.
template <class T>
void convolve_direct_small_blocks(device_span<const T> x, device_span<const T> h, device_span<T> y,
                                  convolution_mode mode, cudaStream_t stream = nullptr);

}  // namespace tutorial
