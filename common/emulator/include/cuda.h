// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The driver's interface (cuInit, cuLaunchKernel, ...) is not there. Programs that use the runtime include this for
/// its version.
#pragma once

#include "cuda_runtime_api.h"

#define CUDA_VERSION CUDART_VERSION
