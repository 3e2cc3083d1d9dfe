// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Colors on the device: split() and joined() of color.hpp, bit for bit.
//
// A colored picture is a plane of bytes here, R, G, B after each other, three times as wide as the picture.
// All rows begin at multiples of 8 bytes, as those of a device_plane do (4 are enough for Cb and Cr of
// 4:2:0). Functions launch in `stream` and do not wait, and throw std::invalid_argument for sizes that do
// not fit, cuda_error for a launch that is refused. Pictures have at most 524,280 rows.
#pragma once

#include <cstdint>

#include "09_dct_compression/host/compressed_picture.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// y is width x height, so are cb and cr for 4:4:4; for 4:2:0 they are half as large each way, rounded up.
void split_colors(device_plane_span<const std::uint8_t> rgb, device_plane_span<std::uint8_t> y,
                  device_plane_span<std::uint8_t> cb, device_plane_span<std::uint8_t> cr,
                  chroma_sampling sampling, cudaStream_t stream = nullptr);

/// The way back; the sizes are the same.
void join_colors(device_plane_span<const std::uint8_t> y, device_plane_span<const std::uint8_t> cb,
                 device_plane_span<const std::uint8_t> cr, chroma_sampling sampling,
                 device_plane_span<std::uint8_t> rgb, cudaStream_t stream = nullptr);

}  // namespace tutorial
