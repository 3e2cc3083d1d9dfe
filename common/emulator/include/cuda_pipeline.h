// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The pipeline primitives: copies from global to shared memory that land when their thread waits for them.
#pragma once

#include "cuda_pipeline_primitives.h"
