// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Pixels to pixels by products of small matrices: what round_trip_fused() of chapter 09 computes, on tensor
// cores.
//
//     const product_matrices matrices(table_for(component_kind::luminance, 50));
//     round_trip_staged(pixels, matrices, result);
//
// result = decode(encode(pixels)): the 8x8 DCT of pixels - 128, level = coefficient / step rounded to the
// nearest whole number, halves to the even one, level * step, the inverse DCT, + 128, rounded likewise and
// clamped to 0..255. Both planes have the same size, any width and height, and do not overlap; blocks over
// the edge see the last column and row repeated. The versions differ in how they get there, and agree but
// for levels that are nearly halfway between two.
//
// All functions launch in `stream` and do not wait; `matrices` must live until the work is done. They throw
// std::invalid_argument for sizes that differ and for rows that do not begin at multiples of 16 bytes, which
// those of a device_plane do; cuda_error for a launch that is refused. The device needs tensor cores
// (compute capability 8.0 or later).
#pragma once

#include <cstdint>

#include "09_dct_compression/host/compressed_picture.hpp"
#include "common/device/plane.hpp"
#include "common/files/image.hpp"
#include "product_matrices.hpp"

namespace tutorial {

/// By nvcuda::wmma. CUDA does not say which lane holds which element, so everything passes through shared
/// memory between two products.
void round_trip_wmma(device_plane_span<const std::uint8_t> pixels, const product_matrices& matrices,
                     device_plane_span<std::uint8_t> result, cudaStream_t stream = nullptr);

/// By mma.sync, whose layout is known: a lane keeps its part of a tile in registers from the first load to
/// the last store.
void round_trip_mma(device_plane_span<const std::uint8_t> pixels, const product_matrices& matrices,
                    device_plane_span<std::uint8_t> result, cudaStream_t stream = nullptr);

/// The same, and pixels come and go through shared memory in whole rows, two tiles ahead.
void round_trip_staged(device_plane_span<const std::uint8_t> pixels, const product_matrices& matrices,
                       device_plane_span<std::uint8_t> result, cudaStream_t stream = nullptr);

/// What a reader of the compressed picture would see, by round_trip_staged() for each plane, with the colors
/// of chapter 09. quality is 1..100. `sampling` is of no account for a gray picture.
image round_trip_picture(const image& picture, int quality, chroma_sampling sampling);

}  // namespace tutorial
