// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A convolution on the device that is as simple as can be, for a chapter that only tests use.
#pragma once

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// T is std::int32_t, float or double. `shift` moves the result: wrong on purpose unless it is 0.
template <class T>
void convolve_on_device(device_span<const T> x, device_span<const T> h, device_span<T> y,
                        convolution_mode mode, int shift = 0);

}  // namespace tutorial
