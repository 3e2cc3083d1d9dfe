// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// thrust::cuda::par: see the header that everybody includes.
#pragma once

#include <thrust/execution_policy.h>
