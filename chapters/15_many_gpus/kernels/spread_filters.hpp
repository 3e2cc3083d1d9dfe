// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A filter applied again and again to a signal that lies on several devices.
//
// In all of them: `steps` times, y[n] = sum over k of h[k] x[n + (taps - 1) / 2 - k] (the mode 'same'), and
// y is the next x. Samples outside of the signal count as zero in every step. The signal stays where it is;
// between two steps, parts exchange halos. All return when all devices have done their work. T is
// std::int32_t (sums wrap modulo 2^32), float or double; float and double are rounded as
// part_filter does, unless it says otherwise. They throw std::invalid_argument for a signal that they
// cannot take, cuda_error for a call that failed.
#pragma once

#include <cstdint>

#include "15_many_gpus/host/spread_signal.hpp"

namespace tutorial {

/// No exchange: each part is filtered as if there were no others. Wrong at the seams, on purpose.
template <class T>
void filter_no_exchange(spread_signal<T>& signal, int steps);

/// One thread. Copies between devices bring the halos, and events say what waits for what. Parts may share a
/// device.
template <class T>
void filter_copies_and_events(spread_signal<T>& signal, int steps);

/// One thread. Kernels load what they need from the memory of the part that owns it: each device must reach
/// all others. A direct kernel, which rounds as a sum of products does; 16 parts at most.
template <class T>
void filter_from_next_door(spread_signal<T>& signal, int steps);

/// A thread of the host for each device. A small kernel before each step pushes halos to the neighbors and
/// waits for their flags. Each part needs a device of its own that reaches the others; 16 parts at most.
/// Where a launch fails, the signal has to be brought anew; where a device fails, the call may not return.
template <class T>
void filter_flags_between(spread_signal<T>& signal, int steps);

/// Likewise, and the kernel of a step itself does both. It rounds as a sum of products does.
template <class T>
void filter_flags_in_kernel(spread_signal<T>& signal, int steps);

}  // namespace tutorial

/// Instantiates `void function<T>(spread_signal<T>&, further..., int steps)` for the tutorial's three types.
#define TUTORIAL_INSTANTIATE_SPREAD(function, ...)                                 \
  template void function<std::int32_t>(spread_signal<std::int32_t>&, __VA_ARGS__); \
  template void function<float>(spread_signal<float>&, __VA_ARGS__);               \
  template void function<double>(spread_signal<double>&, __VA_ARGS__)
