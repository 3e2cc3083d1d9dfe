// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A convolution as a value, on the host and on the device.
#pragma once

#include <functional>
#include <span>

#include "common/device/device_memory.hpp"
#include "convolution.hpp"

namespace tutorial {

/// y = h * x in host memory.
template <class T>
using host_convolution =
    std::function<void(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode)>;
/// y = h * x in device memory: it launches and need not wait.
template <class T>
using device_convolution = std::function<void(device_span<const T> x, device_span<const T> h,
                                              device_span<T> y, convolution_mode mode)>;

}  // namespace tutorial
