// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution on the device, several outputs per thread, with samples and sums in registers.
//
// In all of them: y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants; samples outside x
// count as zero. x holds N samples, h holds K taps, y has output_length(N, K, mode) elements; none of them
// overlap, and each may begin anywhere: 16-byte accesses are placed where they are aligned, and never reach
// beyond an array. T is std::int32_t (sums wrap modulo 2^32), float or double. N + K may be at most 2^31 - 1
// - 3584. They launch in the stream and do not wait. They throw std::invalid_argument for lengths that do
// not fit, cuda_error for a launch that is refused.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "common/device/device_memory.hpp"
#include "common/device/kernel_facts.hpp"
#include "common/files/element_type.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// For any filter: calls the one of the versions below that suits it, register_tiled_choice(). Calls must
/// follow each other where that copies taps to constant memory.
template <class T>
void convolve_register_tiled(device_span<const T> x, device_span<const T> h, device_span<T> y,
                             convolution_mode mode, cudaStream_t stream = nullptr);

/// What convolve_register_tiled() calls: "vectors", "register_blocked", "prefetched" or "constant_operands".
std::string_view register_tiled_choice(std::size_t samples, std::size_t taps, element_type type);

/// The most taps that convolve_vectors<T>() takes: up to there it is the fastest version on an H200.
template <class T>
inline constexpr int vectors_max_taps = sizeof(T) == 8 ? 9 : 16;

/// For short filters: one vector of 16 bytes of outputs per thread, from a window of samples in registers.
/// Also throws std::invalid_argument for more than vectors_max_taps<T> taps.
template <class T>
void convolve_vectors(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode,
                      cudaStream_t stream = nullptr);

/// 28 outputs per thread (14 of double), samples and taps from shared memory.
template <class T>
void convolve_register_blocked(device_span<const T> x, device_span<const T> h, device_span<T> y,
                               convolution_mode mode, cudaStream_t stream = nullptr);

/// As many outputs per thread, samples from shared memory, taps from constant memory, to which each call
/// copies them. Calls must follow each other: two at a time, in two streams or threads, would overwrite each
/// other's taps.
template <class T>
void convolve_constant_operands(device_span<const T> x, device_span<const T> h, device_span<T> y,
                                convolution_mode mode, cudaStream_t stream = nullptr);

/// The most taps that convolve_prefetched<T>() takes.
template <class T>
inline constexpr int prefetched_max_taps = 512 / sizeof(T);

/// convolve_constant_operands() for filters of medium length, by fewer blocks that stay and take tile after
/// tile; the next one is on its way while one is computed. Also throws std::invalid_argument for more than
/// prefetched_max_taps<T> taps. `most_blocks` is for checks: with few blocks, each takes several tiles of a
/// short signal.
template <class T>
void convolve_prefetched(device_span<const T> x, device_span<const T> h, device_span<T> y,
                         convolution_mode mode, cudaStream_t stream = nullptr,
                         int most_blocks = std::numeric_limits<int>::max());

namespace detail {
template <class T>
kernel_facts vectors_facts(int taps);
template <class T>
kernel_facts register_blocked_facts();
template <class T>
kernel_facts prefetched_facts();
template <class T>
kernel_facts constant_operands_facts();
}  // namespace detail

/// The facts of each kernel that convolve_register_tiled() may call, with 65 (prefetched: 64, constant: 1025)
/// taps.
template <class T>
std::vector<kernel_facts> register_tiled_kernels();

}  // namespace tutorial
