// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A kernel for each step, everything through device memory.
#pragma once

#include "10_bits/host/jpeg_encoder.hpp"

namespace tutorial {

/// Levels by chapter 09's fused kernel; then the length of each block's code, a scan that says where each
/// begins, the bits themselves, how many bytes are 0xFF, a scan, and the file. The host asks for the number
/// of bits in between, so that encode() waits: for the stream, then it works in the default one. Only
/// without restart markers, and with the standard's codes: throws std::invalid_argument for others.
std::unique_ptr<jpeg_encoder> make_stepwise_encoder(const jpeg_description& picture,
                                                    const jpeg_coding& coding);

}  // namespace tutorial
