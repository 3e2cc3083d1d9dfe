// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong on purpose, one named mistake each: the checks must refuse every one of them.
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial::broken {

/// The grid has size / 256 blocks. The elements of the last, partly filled block are not copied.
void grid_rounded_down(device_span<const float> x, device_span<float> y);

/// The last block has threads to spare, and no thread checks whether it has an element.
void no_guard(device_span<const float> x, device_span<float> y);

/// Copies only vectors of four; the last size % 4 elements are forgotten.
void tail_forgotten(device_span<const float> x, device_span<float> y);

/// Forgets that cudaMemcpy counts bytes, not elements: a quarter is copied.
void elements_for_bytes(device_span<const float> x, device_span<float> y);

/// Every element comes from its right neighbor.
void off_by_one(device_span<const float> x, device_span<float> y);

/// The launch is refused (too many threads in a block), and its error is not checked.
void unchecked_launch(device_span<const float> x, device_span<float> y);

}  // namespace tutorial::broken
