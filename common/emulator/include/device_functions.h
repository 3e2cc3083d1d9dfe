// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// For programs that name this header: what it had is in cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
