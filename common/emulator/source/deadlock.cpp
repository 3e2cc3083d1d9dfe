// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <string>

#include "findings.hpp"
#include "worker.hpp"

namespace cuda_emulator {

void worker::report_deadlock() {
  int in_warps = 0;
  for (int w = 0; w < warp_count_; ++w) in_warps += __builtin_popcount(warps_[w].at_collective);
  const uint3 b = block_index();
  add_finding(
      finding_kind::deadlock,
      std::string("deadlock in kernel ") + launch_->kernel.name + ", block (" + std::to_string(b.x) + ", " +
          std::to_string(b.y) + ", " + std::to_string(b.z) + "): " + std::to_string(at_barrier_) + " of " +
          std::to_string(alive_) + " threads wait at __syncthreads and " + std::to_string(in_warps) +
          " for other lanes of their warp; nobody can go on. Usual cause: a barrier or a _sync function "
          "inside an if that not all threads take, or a mask that names lanes which never come.");
  launch_->abort(cudaErrorLaunchFailure);
}

}  // namespace cuda_emulator
