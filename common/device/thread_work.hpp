// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// How the threads of kernels share the work: counted on the emulated device, for checks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace tutorial {

/// Of all launches together, but for `longest_way`.
struct thread_work {
  std::uint64_t launches = 0;
  std::uint64_t longest_way = 0;  ///< Of one thread: basic blocks that it begins, and accesses.
  /// From shared memory, by threads that have asynchronous copies under way to it.
  std::uint64_t loads_beside_copies = 0;
};

/// Runs `work` and returns how threads shared it. Nothing where the device does not count.
std::optional<thread_work> count_thread_work(const std::function<void()>& work);

}  // namespace tutorial
