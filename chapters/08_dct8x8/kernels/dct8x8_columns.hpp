// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The 8x8 DCT of a picture on the device, and its inverse.
#pragma once

#include "common/device/kernel_facts.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// C = A X A^T for every 8x8 block, as dct8x8_definition() says. `pixels` is width x height, `coefficients`
/// padded(width) x padded(height); they do not overlap. Pitches are multiples of 4 bytes. At most 524,280
/// rows and 2,147,483,136 columns. Launches in `stream` and does not wait. Throws std::invalid_argument for
/// sizes that do not fit, cuda_error for a launch that is refused.
void dct8x8(device_plane_span<const float> pixels, device_plane_span<float> coefficients,
            cudaStream_t stream = nullptr);

/// X = A^T C A, cropped to the size of `pixels`.
void idct8x8(device_plane_span<const float> coefficients, device_plane_span<float> pixels,
             cudaStream_t stream = nullptr);

/// The facts of the kernel behind dct8x8().
kernel_facts dct8x8_facts();

}  // namespace tutorial
