// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How Thrust is called: without waiting, where it can.
#pragma once

#include <thrust/execution_policy.h>

namespace tutorial {

/// thrust::device waits for each algorithm to end; a convolution of several steps need not.
inline auto enqueued(cudaStream_t stream) { return thrust::cuda::par_nosync.on(stream); }

}  // namespace tutorial
