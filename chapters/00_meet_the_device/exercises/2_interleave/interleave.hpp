// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Frames, as an audio file has them: y[frame * channels + c] = x[c * frames + frame], 0 <= c < channels. In
/// x the channels follow one another. Both have frames * channels elements, fewer than 2^31 - 256.
/// Neighboring threads store neighboring elements.
void interleave(device_span<const float> x, int channels, device_span<float> y);

}  // namespace tutorial
