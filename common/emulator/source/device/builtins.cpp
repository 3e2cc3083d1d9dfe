// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "builtins.hpp"

__thread uint3 threadIdx, blockIdx, blockDim, gridDim;
