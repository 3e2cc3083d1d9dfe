// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The launches behind one_pass_convolver: which kernel takes which segments.
#pragma once

#include "13_one_pass/host/one_pass_tables.hpp"
#include "common/device/device_memory.hpp"

namespace tutorial {

/// The current device will give the kernels of launch_one_pass_block() and of its filter the shared memory
/// that they need: once for each device, before the first launch there.
template <class T, int R, int Overlap>
void prepare_one_pass_block();

/// Segments of R x 256 samples, a block of 256 threads for two of them. Instantiated for float with
/// <16, 1024> and <32, 4096>, and for double with <16, 1024>. Launches in the stream and does not wait. The
/// kernel begins before the one in front of it has ended, and waits for its end before it loads anything;
/// `new_filter`: that one makes tables.filter and nothing else, and this one waits where it needs it.
template <class T, int R, int Overlap>
void launch_one_pass_block(const segmented<T>& all, const one_pass_tables<T>& tables, cudaStream_t stream,
                           bool new_filter);

/// Fills tables.filter for them with the spectrum of at most Overlap + 1 taps.
template <class T, int R>
void launch_one_pass_block_filter(device_span<const T> h, const one_pass_tables<T>& tables,
                                  cudaStream_t stream);

/// Segments of R x R samples, R threads of a warp for two of them. Instantiated for float with <16, 64> and
/// <32, 256>, and for double with <16, 64>. Likewise.
template <class T, int R, int Overlap>
void launch_one_pass_warp(const segmented<T>& all, const one_pass_tables<T>& tables, cudaStream_t stream,
                          bool new_filter);

/// Fills tables.filter for them.
template <class T, int R>
void launch_one_pass_warp_filter(device_span<const T> h, const one_pass_tables<T>& tables,
                                 cudaStream_t stream);

}  // namespace tutorial
