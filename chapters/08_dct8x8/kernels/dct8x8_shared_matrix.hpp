// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// dct8x8_per_coefficient() with the matrix in shared memory.
#pragma once

#include "common/device/kernel_facts.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// Coefficients of `pixels`, by 64 threads for an 8x8 block; sizes and errors are those of dct8x8(), in
/// dct8x8_columns.hpp.
void dct8x8_shared_matrix(device_plane_span<const float> pixels, device_plane_span<float> coefficients,
                          cudaStream_t stream = nullptr);
/// The way back, as idct8x8().
void idct8x8_shared_matrix(device_plane_span<const float> coefficients, device_plane_span<float> pixels,
                           cudaStream_t stream = nullptr);

/// The facts of the kernel behind dct8x8_shared_matrix().
kernel_facts dct8x8_shared_matrix_facts();

}  // namespace tutorial
