// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The same copy, y[i] = x[i], in the ways that memory likes more and less.
#pragma once

#include <cstddef>

#include "common/device/device_memory.hpp"

namespace tutorial {

// All of them launch and do not wait. x and y must not overlap. They throw std::invalid_argument for lengths
// that do not fit, and cuda_error for a launch that is refused. Nothing is launched for an empty range.

/// y[i] = x[i]: one thread, one element. Both have the same length, below 2^31 - 256.
void copy_elements(device_span<const float> x, device_span<float> y);

/// y[i] = x[i]: one thread, four elements in one 16-byte vector. Any length, any alignment; where x or y does
/// not start at a multiple of 16 bytes, which a vector needs, it falls back on copy_elements.
void copy_vectors(device_span<const float> x, device_span<float> y);

/// y[i] = x[i + offset] for all i of y; x has at least y.size() + offset elements.
void copy_offset(device_span<const float> x, device_span<float> y, std::size_t offset);

/// y[i] = x[i * stride] for all i of y; stride >= 1, and x has at least (y.size() - 1) * stride + 1 elements.
void copy_strided(device_span<const float> x, device_span<float> y, std::size_t stride);

}  // namespace tutorial
