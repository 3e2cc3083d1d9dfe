// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cudaProfilerStart() and cudaProfilerStop(), which do nothing.
#pragma once

#include "cuda_runtime_api.h"
