// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

namespace cuda_emulator {

/// "cudaErrorInvalidValue"
const char* error_name(cudaError_t error);
/// "invalid argument". Nobody counts as having asked for it.
const char* error_text(cudaError_t error);

}  // namespace cuda_emulator
