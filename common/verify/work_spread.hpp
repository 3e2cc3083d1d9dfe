// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Whether the threads of a launch share its work: one that does all of it computes the right numbers, too.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/device/launch_counts.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/case_at_work.hpp"

namespace tutorial {

/// "" where on average half of a warp's lanes or more take part in each request, else a sentence. `what` are
/// the accesses, one for each lane, "store" for example, and `where` may be " to shared memory".
inline std::string lanes_together(std::uint64_t accesses, std::uint64_t requests, const std::string& what,
                                  const std::string& where = "") {
  if (accesses >= 16 * requests) return "";
  return several(accesses, what) + where + " took " + several(requests, "request") +
         ", so a warp works with only " + significant(double(accesses) / double(requests), 2) +
         " of its 32 lanes on average. Share the work among the threads";
}

/// "" where the kernels have a thread for each `most` of `outputs` or more, and the lanes of a warp store
/// together; else a sentence.
inline std::string work_spread(const std::vector<launch_counts>& launches, std::uint64_t outputs,
                               std::uint64_t most = 1) {
  const launch_counts all = sum(launches);
  if (all.global_store_bytes < outputs)
    return "the kernel stores " + several(all.global_store_bytes, "byte") + " of " +
           several(outputs, "output") + ": it should compute all of them";
  if (all.threads * most < outputs)
    return several(all.threads, "thread") + " for " + several(outputs, "output") +
           ": each thread should compute " +
           (most == 1 ? "one output" : "at most " + several(most, "output"));
  return lanes_together(all.global_stores, all.global_store_requests, "store");
}

/// ", and the launch has only 256 threads", for the message of a wrong result, which leads to the launch
/// then; "" where there is a thread for each output.
inline std::string too_few_threads(const std::vector<launch_counts>& launches, std::uint64_t outputs) {
  const std::uint64_t threads = sum(launches).threads;
  return launches.empty() || threads >= outputs
             ? ""
             : leading_to("launch", ", and the launch has only " + several(threads, "thread"));
}

/// Ends the check with the sentence of lanes_together(), if it has one.
inline void require_lanes_together(std::uint64_t accesses, std::uint64_t requests, const std::string& what,
                                   const std::string& where = "") {
  const std::string wrong = lanes_together(accesses, requests, what, where);
  REQUIRE_MESSAGE(wrong.empty(), wrong);
}

/// Ends the check with the sentence of work_spread(), if it has one.
inline void require_work_spread(const std::vector<launch_counts>& launches, std::uint64_t outputs,
                                std::uint64_t most = 1) {
  const std::string wrong = work_spread(launches, outputs, most);
  REQUIRE_MESSAGE(wrong.empty(), wrong);
}

/// Ends the check unless a warp for each of `count` things, signals for example, loads with its lanes
/// together.
inline void require_one_warp_each(const std::vector<launch_counts>& launches, std::uint64_t count,
                                  const std::string& thing) {
  const launch_counts all = sum(launches);
  REQUIRE_MESSAGE(all.threads >= 32 * count, several(all.threads, "thread"), " for ", several(count, thing),
                  ": a warp of 32 threads should work on each");
  require_lanes_together(all.global_loads, all.global_load_requests, "load");
}

}  // namespace tutorial
