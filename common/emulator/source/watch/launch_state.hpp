// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One launch, as all workers see it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "counts.hpp"
#include "device/settings.hpp"
#include "emulator/launch.hpp"
#include "memory/shared_memory.hpp"
#include "raw_finding.hpp"
#include "touched_pages.hpp"

namespace cuda_emulator {

class device_turn;  // see run/device_turns.hpp
class work;         // see order/work.hpp
struct operation;   // see order/operation.hpp

struct printed_piece {
  std::uint64_t block_position;
  std::string text;
};
using print_buffer = std::vector<printed_piece>;

/// A kernel that a kernel launches: it runs when all blocks of that one have ended.
struct child_launch {
  std::uint64_t block_position;  ///< Of the block that launches it.
  bool is_tail;                  ///< After all others.
  std::function<void(work&)> run;
};

/// What is asked about flags in memory, where there are several devices; order/flags.hpp answers.
struct flag_calls {
  unsigned (*release)(const operation& op, const volatile void* address) = nullptr;
  unsigned (*hear)(const operation& op, const volatile void* address) = nullptr;
  std::uint64_t (*changes)() = nullptr;
};

inline constexpr std::uint64_t no_block = ~std::uint64_t{0};

/// Where the blocks of a cooperative launch wait for each other.
struct grid_gate {
  std::mutex mutex{};
  std::condition_variable opens{};
  std::uint64_t waiting = 0, finished = 0;  ///< Blocks.
  std::atomic<std::uint64_t> phase{0};      ///< How often all have met.
};

struct launch_state {
  const launch_request& request;
  const kernel_record& kernel;
  std::uint32_t id;  ///< Different for each launch.
  std::uint64_t blocks;
  int threads_per_block;
  settings_record settings;
  int device = 0;
  int depth = 0;                   ///< 1: launched by a kernel that the host has launched; and so on.
  device_turn* my_turn = nullptr;  ///< Among the devices.
  bool several_devices = false;
  const operation* op = nullptr;  ///< Null where nobody looks at what comes before what.
  flag_calls flags{};

  std::atomic<std::uint64_t> next_block{0};
  std::atomic<bool> aborted{false};
  shared_layout shared{id};
  grid_gate gate{};

  std::mutex mutex{};                 ///< Guards what follows.
  cudaError_t error = cudaSuccess;    ///< Reported by the next call that waits; sticky.
  cudaError_t refused = cudaSuccess;  ///< Reported as if the launch had not begun.
  std::vector<printed_piece> printed{};
  std::vector<child_launch> children{};
  count_totals counts{};
  std::vector<raw_finding> findings{};
  std::uint64_t traced_block = no_block;
  bool notes_touches = false;                             ///< Which bytes kernels touch is asked for.
  std::vector<std::unique_ptr<touched_pages>> touched{};  ///< One for each worker that touched any.
  std::size_t step_values = 0;  ///< Its trace has steps, too, with at most so many values; 0: it has none.
  std::string trace{};  ///< Of that block, once the launch has ended; empty where it did not come to that.

  dim3 grid() const { return request.shape.grid; }
  dim3 block() const { return request.shape.block; }

  /// Keeps a finding. Of those that say the same (kind and places) the one of the first block and thread
  /// stays; of races one of two blocks, if there is any.
  void note(const raw_finding& finding);
  /// A race that was noted with these places, of writes of the same value so far, is one of different
  /// values.
  void values_differ(std::uint64_t pc, std::uint64_t other_pc);
  /// Ends the launch without an error of CUDA's: a finding says more.
  void abandon() { aborted = true; }
  /// The first reason counts.
  void abort(cudaError_t reason) {
    const std::lock_guard lock(mutex);
    if (error == cudaSuccess) error = reason;
    aborted = true;
  }
  void refuse(cudaError_t reason) {
    const std::lock_guard lock(mutex);
    if (refused == cudaSuccess) refused = reason;
    aborted = true;
  }

  bool samples = false;  ///< Not all blocks are checked.
  bool skipped = false;  ///< None is: the kernel runs again and again.
  /// The first ones, the last ones, which often hang over, and some between them: with this step they come
  /// into every column of the grid.
  bool checks(std::uint64_t position) const {
    if (!samples) return settings.checking;
    return !skipped && (position < 8 || position + 8 >= blocks || position % sample_step == 0);
  }

  /// Which block comes at `position` in the order that was asked for: each exactly once.
  std::uint64_t block_at(std::uint64_t position) const;
};

}  // namespace cuda_emulator
