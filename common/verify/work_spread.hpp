// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Whether the threads of a launch share its work: one that does all of it computes the right numbers, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/device/launch_counts.hpp"
#include "common/files/numbers.hpp"

namespace tutorial {

/// "" where on average half of a warp's lanes or more take part in each request, else a sentence. `what` are
/// the accesses, one for each lane: "store to global memory".
inline std::string lanes_together(std::uint64_t accesses, std::uint64_t requests, const std::string& what) {
  if (accesses >= 16 * requests) return "";
  return several(accesses, what) + " took " + several(requests, "request") + " of a warp, with " +
         significant(double(accesses) / double(requests), 2) +
         " of 32 lanes in each on average: let the lanes of a warp work side by side";
}

/// "" where the kernels have a thread for each `most` of `outputs` or more, and the lanes of a warp store
/// together; else a sentence.
inline std::string work_spread(const std::vector<launch_counts>& launches, std::uint64_t outputs,
                               std::uint64_t most = 1) {
  const launch_counts all = sum(launches);
  if (all.global_store_bytes < outputs)
    return "the kernel stores " + several(all.global_store_bytes, "byte") + " of " +
           several(outputs, "output") + ": it is to compute all of them";
  if (all.threads * most < outputs)
    return several(all.threads, "thread") + " for " + several(outputs, "output") +
           ": a thread is to compute " + (most == 1 ? "one output" : several(most, "output") + " at most");
  return lanes_together(all.global_stores, all.global_store_requests, "store");
}

}  // namespace tutorial
