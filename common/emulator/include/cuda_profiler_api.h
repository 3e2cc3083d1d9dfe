// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// cudaProfilerStart() and cudaProfilerStop() do nothing here.
#pragma once

#include "cuda_runtime_api.h"
