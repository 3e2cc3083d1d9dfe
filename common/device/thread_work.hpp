// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How the threads of kernels share the work: counted on the emulated device, for checks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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

/// The launches of one kernel. Of those with 64 accesses or more: in how many one thread made all,
/// and in how many they were shared.
struct kernel_work {
  std::string kernel;
  unsigned launches = 0, alone = 0, shared = 0;
};

/// Runs `work` and returns the kernels that it launched, by name. Empty where the device does not count.
std::vector<kernel_work> count_kernel_work(const std::function<void()>& work);

}  // namespace tutorial
