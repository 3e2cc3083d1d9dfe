// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Kernels that kernels launch. CUDA lets a child begin at any time after its launch, and its parent cannot
/// wait for it. Here it begins as late as it may: when all blocks of its parent have ended.
#pragma once

#include "emulator/launch.hpp"
#include "order/work.hpp"
#include "watch/launch_state.hpp"

namespace cuda_emulator {

/// Keeps what a thread of a kernel launches, with copies of the arguments. Errors are the thread's last one.
void launch_by_kernel(const launch_request& request);

/// cudaMalloc() and cudaFree() in kernels: the heap of kernels.
cudaError_t malloc_by_kernel(void** pointer, std::size_t bytes, const void* caller);
cudaError_t free_by_kernel(void* pointer, const void* caller);

/// Runs what the blocks of `launch` have launched: by the order of the blocks, and what was given to
/// cudaStreamTailLaunch at the end. The children of each come before the next.
void run_children(launch_state& launch, work& mine);

/// How many kernels on this thread wait for their children: 0 for what the host launches.
int depth_of_launches();

}  // namespace cuda_emulator
