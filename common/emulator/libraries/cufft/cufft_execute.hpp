// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What calls of cuFFT do when it is their stream's turn.
#pragma once

#include "cufft_check.hpp"

namespace cuda_emulator {

/// All transforms of the plan's batch. `input` and `output` may be the same, in memory of any kind.
void transform_fft(const fft_plan& plan, const void* input, void* output, int direction,
                   const fft_layout& input_layout, const fft_layout& output_layout);
/// The same in device memory: checked before, and noted after it.
void run_fft(const fft_call& call, const void* input, void* output, int direction, work& mine);

}  // namespace cuda_emulator
