// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where CUDA had it before version 12.
#pragma once

#include "nvtx3/nvToolsExtCudaRt.h"
