// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How one operating-system thread runs blocks. The threads of a block run one after the other, by plain
// calls on one stack. Only a thread that must wait (for a barrier, for the lanes of its warp) keeps its
// stack, and another stack goes on with the threads that are left: a kernel without barriers costs no
// switch.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device_turns.hpp"
#include "emulator/threads/synchronization.hpp"
#include "fibers.hpp"
#include "in_kernel.hpp"
#include "memory/shared_memory.hpp"
#include "shared_barriers.hpp"
#include "watch/launch_state.hpp"
#include "watch/observer.hpp"

namespace cuda_emulator {
namespace ptx {
struct fragment_memory;  // matrices.cpp
}

constexpr int lanes_per_warp = 32;
constexpr int most_warps_per_block = most_threads_per_block / lanes_per_warp;

/// What is kept of a thread while it waits.
struct thread_slot {
  fiber* where = nullptr;    ///< The stack that it waits on; null: not started, running or finished.
  uint3 index{};             ///< threadIdx
  const void* pc = nullptr;  ///< Where in the kernel it waits.
  std::uint64_t value = 0, result = 0;
  unsigned mask = 0;
  int parameter = 0, width = 32;
  unsigned column = 0;       ///< Where in its line a shuffle stands.
  bool may_give_up = false;  ///< It waits for a barrier in shared memory only as long as others can go on.
  // What threads of a wide tile hand to each other: see tile_exchange().
  const void* give = nullptr;
  void* take = nullptr;
  warp_operation operation{};
};

/// What a lane brings to warp_operation::together. The last lane to come does it for all, with all the work
/// of the 32 lanes in their order.
struct warp_work {
  void (*run)(warp_work* const* lanes);
  const char* name;  ///< Of the instruction, for findings.
};

/// One bit per lane.
struct warp_state {
  unsigned alive = 0;          ///< Not finished.
  unsigned runnable = 0;       ///< Not started, or free to go on.
  unsigned at_barrier = 0;     ///< Waits for the block.
  unsigned at_collective = 0;  ///< Waits for other lanes of the warp.
  unsigned met = 0;            ///< Has done so before.
  unsigned at_tile = 0;        ///< Waits for a tile of several warps.
  unsigned at_grid = 0;        ///< Waits for all blocks.
  unsigned at_object = 0;      ///< Waits for a barrier in shared memory.
  unsigned yielded = 0;        ///< Lets others go first.
  unsigned paused = 0;         ///< Lets the other lanes of the warp go first.
};

struct running_thread {
  std::uint64_t block;
  int thread;
  std::uint64_t pc;                ///< Of the basic block that it began last; means nothing without checks.
  const volatile void* looked_at;  ///< What it looked at last that others may change.
  std::uint64_t looks;             ///< How often the worker has done that.
  std::uint64_t accesses;          ///< What it has loaded and stored in all; 0 without checks.
};

class worker final : public observed {
 public:
  /// Runs kernels of `device`. `number` is below most_workers, and different for each.
  worker(unsigned number, int device);

  /// Runs blocks of the launch until none is left or the launch is aborted.
  void work(launch_state& launch);

  // For a thread of a kernel that runs now.
  int block_barrier(block_vote vote, bool predicate, const void* pc);
  std::uint64_t warp_collective(warp_operation operation, unsigned mask, std::uint64_t value, int parameter,
                                int width, unsigned column, const void* pc);
  void tile_exchange(unsigned size, const void* give, void* take, unsigned bytes, int source, const void* pc);
  /// Waits for all threads of a cooperative launch.
  void grid_barrier(const void* pc);
  /// Until wake(), or, with `may_give_up`, until no other thread can go on: then false.
  bool wait_for_barrier(bool may_give_up, const void* pc);
  void wake(int thread);
  /// A barrier in shared memory has changed: those who try again and again may succeed.
  void something_happened() { vain_rounds_ = 0; }
  /// A bulk copy of the thread that runs reads its source now, unless it has done so.
  void read_source(copy_under_way& copy);
  /// Lets the other threads of the block go first.
  void yield();
  /// Lets the other lanes of the warp catch up.
  void pause();
  /// The thread is about to look at what others may change; null: to change it. Lets kernels of other devices
  /// go on, where one of them waits.
  void look_at_flag(const volatile void* address) {
    looked_at_.store(address, std::memory_order_relaxed);
    looks_.store(looks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (launch_->several_devices) [[unlikely]]
      device_looks[launch_->device].store(true, std::memory_order_relaxed);
    if (turn_wanted.load(std::memory_order_relaxed)) [[unlikely]]
      launch_->my_turn->offer();
  }
  [[noreturn]] void abandon() override;

  bool on_stack(const void* address) const override { return fibers_.contains(address); }
  launch_state& launch() { return *launch_; }
  std::uint64_t block() const { return block_; }
  /// Different for each block, and for what comes between two barriers of the grid.
  std::uint64_t block_position() const { return launch_->gate.phase * launch_->blocks + position_in_grid_; }
  int thread() const { return current_; }
  const thread_slot& slot(int thread) const { return threads_[static_cast<std::size_t>(thread)]; }
  uint3 block_index() const;
  /// For other operating-system threads: what runs here at about this moment.
  std::optional<running_thread> running() const;
  /// Null without checks.
  observer* watcher() { return watching_ ? &observer_ : nullptr; }

  shared_arena shared;
  copies_under_way copies;
  shared_barriers barriers;
  /// What wmma's functions remember of the warps; made when the first is called.
  std::shared_ptr<ptx::fragment_memory> fragments;
  /// Printed by kernels: kept until the launch has ended, to be shown in the order of the blocks.
  print_buffer printed;
  std::uint32_t atomics_in_a_row = 0;

 private:
  static constexpr int nobody = -1;

  /// A block that waits for the grid.
  struct parked_block {
    std::uint64_t block, position;
    uint3 index;
    int alive;
    std::uint64_t random;
    std::vector<thread_slot> threads{};
    std::vector<warp_state> warps{};
    std::vector<fiber_pool::kept_stack> stacks{};
    shared_arena::contents shared{};
    std::vector<observer::warp_work_seen> seen{};
  };
  parked_block park();
  void bring_back(parked_block p);
  void count_block(bool waits);
  bool wait_for_grid(std::uint64_t phase);
  parked_block next_parked(std::vector<parked_block>& blocks);
  void run_cooperating_blocks();
  void run_from_base();

  static void fiber_entry(boost::context::detail::transfer_t transfer);
  void run_threads();
  void run_thread();
  void prepare(launch_state& launch);
  bool begin_block();
  int next_thread();
  bool next_round();
  int pick(unsigned lanes);
  void shuffle_warps();
  void go_on_with(int thread, fiber& me);
  void wait_here();
  void become(int thread);
  void release_barrier();
  void finish_if_complete(int warp, unsigned mask, warp_operation operation);
  void finish_collective(int warp, unsigned lanes, warp_operation operation);
  void record_collective(int warp, unsigned lanes, warp_operation operation);
  void check_shuffle(int warp, unsigned lanes);
  int other_call(int warp, unsigned lanes) const;
  bool try_in_vain();
  void end_bulk_copies();
  void report_never_completed(const shared_barrier& barrier);
  bool check_together(int warp, unsigned lanes);
  void check_asked_lanes(int warp, unsigned lanes, unsigned mask);
  [[noreturn]] void stop_unnamed_lane(unsigned mask, const void* pc);
  void check_skipped(int warp, unsigned lanes, unsigned mask);
  bool resolve_active(int warp);
  void finish_tile_if_complete(int thread);
  void check_tile(int first, int last, int waiting);
  void report_deadlock();
  void check_barrier(unsigned warp_state::*waiting, int arrived);

  launch_state* launch_ = nullptr;
  std::uint64_t block_ = 0;             // index in the grid
  std::uint64_t position_in_grid_ = 0;  // how many blocks came before it in this order
  int thread_count_ = 0, warp_count_ = 0;
  int current_ = 0;  // the thread that runs
  // The same for others to see, without any order.
  std::atomic<std::uint64_t> shown_block_{0};
  std::atomic<int> shown_thread_{nobody};
  std::atomic<const volatile void*> looked_at_{nullptr};
  std::atomic<std::uint64_t> looks_{0};
  int warp_position_ = 0;  // which one of warp_order_ has its turn
  int alive_ = 0, at_barrier_ = 0, at_tile_ = 0, at_grid_ = 0;
  std::uint64_t diverged_ = ~0ull;  // the block, once its threads have met at different barriers
  bool parking_ = false;            // all threads of the block wait for the grid
  int vain_rounds_ = 0;  // in which threads have only tried whether a barrier in shared memory is complete
  block_vote vote_ = block_vote::none;
  std::uint64_t random_ = 1;
  bool shape_known_ = false;
  bool watching_ = false;  // the block that runs
  dim3 shape_;

  fiber base_;
  fiber* running_ = nullptr;
  fiber_pool fibers_;
  worker** ran_on_ = nullptr;         // which thread that was, by the place of its current_worker
  std::vector<thread_slot> threads_;  // as many as the largest block so far has in its warps
  warp_state warps_[most_warps_per_block];
  int warp_order_[most_warps_per_block];
  observer observer_;
};

}  // namespace cuda_emulator

/// The block that runs on this operating-system thread is not checked: kernels go on in code that does not
/// tell what it does (see translator/needless_calls.hpp).
extern "C" EMULATOR_API thread_local bool cuda_emulator_unwatched __attribute__((tls_model("initial-exec")));
