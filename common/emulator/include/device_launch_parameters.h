// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where a thread stands in its block and in the grid.
#pragma once

#include "vector_types.h"

// Plain thread-local data at a fixed offset: reading one costs as much as reading a global variable. That
// they are constant for kernels also keeps -fsanitize=thread from reporting every read of them.
#define EMULATOR_BUILTIN extern __thread __attribute__((tls_model("initial-exec"), visibility("default")))
EMULATOR_BUILTIN const uint3 threadIdx;
EMULATOR_BUILTIN const uint3 blockIdx;
EMULATOR_BUILTIN const uint3 blockDim;
EMULATOR_BUILTIN const uint3 gridDim;
#undef EMULATOR_BUILTIN

inline constexpr int warpSize = 32;
