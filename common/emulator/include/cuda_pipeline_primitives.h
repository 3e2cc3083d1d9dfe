// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#ifdef __CUDACC__

#include <cstddef>

#include "emulator/ptx.hpp"

/// 4, 8 or 16 bytes, of which the last `zfill` become zero.
EMULATOR_DEVICE void __pipeline_memcpy_async(void* dst_shared, const void* src_global,
                                             std::size_t size_and_align, std::size_t zfill = 0) {
  cuda_emulator::ptx::copy_async(dst_shared, src_global, size_and_align, zfill);
}
/// What this thread has asked for since its last commit is a group.
EMULATOR_DEVICE void __pipeline_commit() { cuda_emulator::ptx::commit_copies(); }
/// Until all groups of this thread but the last `prior` have landed. CUDA leaves 8 at most.
EMULATOR_DEVICE void __pipeline_wait_prior(std::size_t prior) {
  cuda_emulator::ptx::wait_for_copies(prior < 8 ? static_cast<unsigned>(prior) : 8u);
}

#endif
