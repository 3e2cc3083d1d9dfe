// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Blocks of a cooperative launch wait for each other. A block of which all threads wait for the grid is put
// aside, with what its stacks and its shared memory hold, and the worker goes on with another block. When all
// blocks of the grid wait, each worker brings its own blocks back, to the same addresses.
#include <chrono>
#include <string>
#include <utility>

#include "code/symbolize.hpp"
#include "device/builtins.hpp"
#include "tell/findings.hpp"
#include "worker.hpp"

namespace cuda_emulator {

void worker::grid_barrier(const void* pc) {
  if (!launch_->request.shape.cooperative) {
    raw_finding f{.kind = finding_kind::crash};
    f.block = block_;
    f.thread = current_;
    f.pc = reinterpret_cast<std::uint64_t>(pc);
    f.text = "grid.sync() in a launch that is not cooperative";
    f.cause = "Nothing says that all blocks run at the same time. Launch by cudaLaunchCooperativeKernel().";
    launch_->note(f);
    launch_->abandon();
    abandon();
  }
  if (watching_) {
    observer_.settle(0);
    if (observer_.records_steps()) observer_.note_barrier("grid.sync()", reinterpret_cast<std::uint64_t>(pc));
  }
  threads_[current_].pc = pc;
  warps_[current_ / lanes_per_warp].at_grid |= 1u << current_ % lanes_per_warp;
  ++at_grid_;
  wait_here();
}

worker::parked_block worker::park() {
  if (watching_) check_barrier(&warp_state::at_grid, at_grid_);
  parked_block p{
      .block = block_, .position = position_in_grid_, .index = blockIdx, .alive = alive_, .random = random_};
  p.threads.assign(threads_.begin(), threads_.begin() + thread_count_);
  p.warps.assign(warps_, warps_ + warp_count_);
  for (thread_slot& t : p.threads)
    if (t.where != nullptr) p.stacks.push_back(fibers_.keep(*t.where));
  p.shared = shared.keep();
  if (watching_) p.seen = observer_.park();
  for (thread_slot& t : threads_) t.where = nullptr;
  fibers_.reset();
  return p;
}

/// The block goes on with all of its threads.
void worker::bring_back(parked_block p) {
  block_ = p.block;
  position_in_grid_ = p.position;
  blockIdx = p.index;
  alive_ = p.alive;
  random_ = p.random;
  at_barrier_ = at_tile_ = at_grid_ = 0;
  shown_block_.store(block_, std::memory_order_relaxed);
  std::copy(p.threads.begin(), p.threads.end(), threads_.begin());
  std::copy(p.warps.begin(), p.warps.end(), warps_);
  for (int w = 0; w < warp_count_; ++w) warps_[w].runnable = std::exchange(warps_[w].at_grid, 0);
  fibers_.put_back(p.stacks);
  shared.put_back(p.shared);
  if (watching_) observer_.resume(block_, p.seen);
  shuffle_warps();
}

/// A block has come to the barrier, or has returned. Lets all go on if it was the last one.
void worker::count_block(bool waits) {
  grid_gate& gate = launch_->gate;
  const std::lock_guard lock(gate.mutex);
  ++(waits ? gate.waiting : gate.finished);
  if (gate.waiting == 0 || gate.waiting + gate.finished != launch_->blocks) return;
  if (gate.finished != 0) {
    raw_finding f{.kind = finding_kind::deadlock};
    f.text = source_place{launch_->kernel.file, launch_->kernel.line}.text() +
             ": error: deadlock in kernel " + launch_->kernel.name + "\n  " + std::to_string(gate.waiting) +
             " of " + std::to_string(launch_->blocks) +
             " blocks wait at grid.sync(), and the others have returned from the kernel\n  Usual cause: a "
             "return before the barrier, or a barrier inside an if or a loop that not all blocks enter.";
    launch_->note(f);
    launch_->abandon();
  }
  gate.waiting = 0;
  ++gate.phase;
  if (launch_->settings.checking) observer::new_launch(launch_->device);  // orders all that came before
  gate.opens.notify_all();
}

/// Waits until all blocks have come. False: the launch was aborted.
bool worker::wait_for_grid(std::uint64_t phase) {
  grid_gate& gate = launch_->gate;
  std::unique_lock lock(gate.mutex);
  while (gate.phase == phase && !launch_->aborted) gate.opens.wait_for(lock, std::chrono::milliseconds(20));
  return !launch_->aborted;
}

/// Whose turn it is among those that may go on, in the order that was asked for.
worker::parked_block worker::next_parked(std::vector<parked_block>& blocks) {
  std::size_t i = 0;
  if (launch_->settings.order == thread_order::reverse) i = blocks.size() - 1;
  if (launch_->settings.order == thread_order::random) i = blocks[0].random % blocks.size();
  parked_block p = std::move(blocks[i]);
  blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i));
  return p;
}

/// Runs the block that has just begun, and whatever comes after it.
void worker::run_cooperating_blocks() {
  std::vector<parked_block> waiting, free;  // of this worker
  bool begun = true;
  while (!launch_->aborted) {
    run_from_base();
    if (launch_->aborted) return;
    const std::uint64_t phase = launch_->gate.phase;
    const bool waits = std::exchange(parking_, false);
    if (waits) waiting.push_back(park());
    count_block(waits);
    begun = free.empty() && begin_block();
    if (begun) continue;
    if (free.empty()) {
      if (waiting.empty() || !wait_for_grid(phase)) return;
      free.swap(waiting);
    }
    bring_back(next_parked(free));
  }
}

}  // namespace cuda_emulator
