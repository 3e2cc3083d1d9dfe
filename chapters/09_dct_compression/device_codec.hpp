// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Whole pictures, colors and all, through the fused kernels.
#pragma once

#include <cstdint>

#include "09_dct_compression/host/compressed_picture.hpp"
#include "common/device/plane.hpp"
#include "common/files/image.hpp"

namespace tutorial {

/// What compress_serial() gives, apart from ties, with color planes and levels made on the device. Waits.
/// Throws std::invalid_argument for a quality that is not 1..100, cuda_error where the device fails or has
/// too little memory.
compressed_picture compress_on_device(const image& picture, int quality, chroma_sampling sampling);

/// One plane of it.
plane<std::uint8_t> decode_on_device(const compressed_component& component);

/// What reconstruct_serial() gives, apart from ties.
image reconstruct_on_device(const compressed_picture& picture);

}  // namespace tutorial
