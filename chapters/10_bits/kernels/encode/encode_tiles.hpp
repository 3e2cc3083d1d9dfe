// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Tiles of 128 8x8 blocks, whose bits meet in shared memory.
#pragma once

#include "10_bits/host/jpeg_encoder.hpp"

namespace tutorial {

/// One kernel: each tile finds its place in the file by looking back at the tiles before it. Any interval,
/// standard codes or optimized ones.
std::unique_ptr<jpeg_encoder> make_fused_encoder(const jpeg_description& picture, const jpeg_coding& coding);
/// The same, with so many tiles in a launch; the other one takes most_tiles_at_once.
std::unique_ptr<jpeg_encoder> make_fused_encoder_by_turns(const jpeg_description& picture,
                                                          const jpeg_coding& coding, int tiles_at_once);

/// Two kernels: the first leaves each tile's bits in a place of its own, the second one joins them.
std::unique_ptr<jpeg_encoder> make_split_encoder(const jpeg_description& picture, const jpeg_coding& coding);

}  // namespace tutorial
