// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What copies of memory and copies of arrays share.
#pragma once

#include <cuda_runtime_api.h>

namespace cuda_emulator {

/// `height` rows of `width` bytes, the pitches apart. Checks what a GPU would, and remembers the error.
cudaError_t copy_2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                    std::size_t width, std::size_t height, cudaMemcpyKind kind);

/// Do all of these bytes belong to one allocation (or variable) that kernels can use?
bool on_device(const void* address, std::size_t size);

}  // namespace cuda_emulator
