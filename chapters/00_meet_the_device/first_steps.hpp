// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The first things to try on a device: who is who, a word from a kernel, and errors.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

namespace tutorial {

/// Which thread handled one element.
struct owner {
  int block = -1, thread = -1;
};

/// Launches as many blocks of `threads_per_block` threads as it takes to give each of `elements` elements a
/// thread; every thread writes down that it was there. Returns one owner per element.
std::vector<owner> owners(int elements, int threads_per_block);

/// One block of `threads` threads; each prints a line from the device. Waits for them.
void greet(int threads);

/// Launches a kernel that does nothing, and returns what cudaGetLastError() says right after.
cudaError_t try_launch(dim3 grid, dim3 block, std::size_t shared_bytes = 0);

/// Launches one block of four threads in which thread 2 violates an assert(), and returns what
/// cudaGetLastError() says right after: nothing yet. From the next synchronization on every CUDA call of this
/// process fails.
cudaError_t launch_failing_assert();

}  // namespace tutorial
