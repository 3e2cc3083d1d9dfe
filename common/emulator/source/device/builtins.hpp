// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What kernels see as constants (include/device_launch_parameters.h), seen by those who set them.
#pragma once

#include "emulator/export.hpp"
#include "vector_types.h"

extern EMULATOR_API __thread __attribute__((tls_model("initial-exec"))) uint3 threadIdx, blockIdx, blockDim,
    gridDim;
