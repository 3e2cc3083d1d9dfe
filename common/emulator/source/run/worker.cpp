// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "worker.hpp"

#include <bit>
#include <cstring>
#include <utility>

#include "device/builtins.hpp"
#include "emulator/control.hpp"
#include "memory/device_memory.hpp"

namespace cuda_emulator {

constinit thread_local worker* current_worker __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace cuda_emulator

thread_local bool cuda_emulator_unwatched __attribute__((tls_model("initial-exec"))) = false;

namespace cuda_emulator {

// As identifying in launch.cpp.
thread_local std::uint64_t switches __attribute__((tls_model("initial-exec"))) = 0;

namespace {
std::atomic<std::uint64_t> all_switches{0};

constexpr unsigned lanes_mask(int lanes) { return lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1; }

const char* name_of(block_vote vote) {
  switch (vote) {
    case block_vote::none:
      return "__syncthreads()";
    case block_vote::count:
      return "__syncthreads_count()";
    case block_vote::all:
      return "__syncthreads_and()";
    case block_vote::any:
      return "__syncthreads_or()";
  }
  return "";
}

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x7fb5d329728ea185ull;
  x ^= x >> 27;
  x *= 0x81dadef4bc2dd44dull;
  return x ^ x >> 33;
}
}  // namespace

std::uint64_t fiber_switches() { return all_switches; }

worker::worker(unsigned number, int device)
    : shared(device_memory::instance().next_arena()),
      fibers_(&worker::fiber_entry),
      observer_(*this, shared, copies, number, device) {}

bool in_kernel() { return current_worker != nullptr; }
void* chosen(void* device, void* host) { return in_kernel() ? device : host; }

uint3 worker::block_index() const { return blockIdx; }

std::optional<running_thread> worker::running() const {
  const int thread = shown_thread_.load(std::memory_order_relaxed);
  if (thread == nobody) return std::nullopt;
  return running_thread{shown_block_.load(std::memory_order_relaxed),
                        thread,
                        observer_.last_step(),
                        looked_at_.load(std::memory_order_relaxed),
                        looks_.load(std::memory_order_relaxed),
                        observer_.accesses()};
}

void worker::prepare(launch_state& launch) {
  launch_ = &launch;
  const dim3 block = launch.block();
  gridDim = launch.grid();
  blockDim = block;
  thread_count_ = launch.threads_per_block;
  warp_count_ = (thread_count_ + lanes_per_warp - 1) / lanes_per_warp;
  const auto lanes = static_cast<std::size_t>(warp_count_ * lanes_per_warp);
  if (threads_.size() < lanes) threads_.resize(lanes);
  if (!shape_known_ || shape_.x != block.x || shape_.y != block.y || shape_.z != block.z) {
    int t = 0;
    for (unsigned z = 0; z < block.z; ++z)
      for (unsigned y = 0; y < block.y; ++y)
        for (unsigned x = 0; x < block.x; ++x) threads_[t++].index = {x, y, z};
    shape_ = block;
    shape_known_ = true;
  }
}

void worker::work(launch_state& launch) {
  prepare(launch);
  current_worker = this;
  // Another thread of the host may launch now. A fiber that goes on where it was left may still know where
  // the variables of the thread lie that it was left by.
  if (std::exchange(ran_on_, &current_worker) != &current_worker) fibers_.reset();
  const bool checking = launch.settings.checking;
  if (checking) observer_.begin_launch(launch);
  switches = 0;
  parking_ = false;
  if (begin_block()) {
    if (launch.request.shape.cooperative)
      run_cooperating_blocks();
    else
      run_from_base();
  }
  current_worker = nullptr;
  current_observer = nullptr;
  cuda_emulator_unwatched = false;
  shown_thread_ = nobody;
  all_switches += switches;
  if (launch.aborted) {
    fibers_.reset();
    for (thread_slot& t : threads_) t.where = nullptr;
  }
  const std::lock_guard lock(launch.mutex);
  if (checking) launch.counts.add(observer_.end_launch());
  for (printed_piece& piece : printed) launch.printed.push_back(std::move(piece));
  printed.clear();
}

/// Goes on with the block until its threads, and those of the blocks that it begins, can go no further.
void worker::run_from_base() {
  const int first = next_thread();
  if (first == nobody) return;
  fiber* const to = std::exchange(threads_[first].where, nullptr);
  running_ = to != nullptr ? to : fibers_.take();
  become(first);
  fibers_.jump(base_, *running_);
}

void worker::fiber_entry(boost::context::detail::transfer_t transfer) {
  fiber_pool::arrived(transfer);
  current_worker->run_threads();
}

void worker::run_threads() {
  fiber& me = *running_;
  for (;;) {
    run_thread();
    const int next = next_thread();
    if (next == nobody) {
      fibers_.give_back(&me);
      fibers_.jump(me, base_);
    } else if (threads_[next].where != nullptr) {
      fibers_.give_back(&me);
      go_on_with(next, me);
    } else {
      become(next);
    }
  }
}

void worker::run_thread() {
  atomics_in_a_row = 0;
  launch_->request.call(launch_->request.closure);
  current_observer = nullptr;  // until the next kernel has been entered
  if (watching_) observer_.note_return(current_);
  if (copies.to_global.used()) end_bulk_copies();
  const int warp = current_ / lanes_per_warp;
  const unsigned lane = 1u << current_ % lanes_per_warp;
  warp_state& w = warps_[warp];
  w.alive &= ~lane;
  --alive_;
  // Lanes that wait for this one need not wait any longer: as on a GPU, who has exited counts as arrived.
  for (unsigned lanes = w.at_collective; lanes != 0; lanes &= lanes - 1) {
    const thread_slot& waiting = threads_[warp * lanes_per_warp + std::countr_zero(lanes)];
    if (waiting.operation != warp_operation::active)
      finish_if_complete(warp, waiting.mask, waiting.operation);
  }
  for (int w = 0; at_tile_ != 0 && w < warp_count_; ++w)
    if (warps_[w].at_tile != 0)
      finish_tile_if_complete(w * lanes_per_warp + std::countr_zero(warps_[w].at_tile));
}

bool worker::begin_block() {
  if (turn_wanted.load(std::memory_order_relaxed) && launch_->my_turn->stopping()) launch_->my_turn->offer();
  const std::uint64_t position = launch_->next_block.fetch_add(1, std::memory_order_relaxed);
  if (position >= launch_->blocks) return false;
  position_in_grid_ = position;
  block_ = launch_->block_at(position);
  shown_block_.store(block_, std::memory_order_relaxed);
  const dim3 grid = launch_->grid();
  blockIdx = {static_cast<unsigned>(block_ % grid.x), static_cast<unsigned>(block_ / grid.x % grid.y),
              static_cast<unsigned>(block_ / grid.x / grid.y)};
  for (int w = 0; w < warp_count_; ++w) {
    warps_[w] = {};
    warps_[w].alive = warps_[w].runnable = lanes_mask(thread_count_ - w * lanes_per_warp);
  }
  alive_ = thread_count_;
  at_barrier_ = at_tile_ = at_grid_ = 0;
  diverged_ = ~0ull;
  random_ = mix(launch_->settings.seed * 0x9e3779b97f4a7c15ull + block_ + 1) | 1;
  shuffle_warps();
  shared.begin_block(launch_->request.shape.dynamic_shared);
  copies.begin_block();
  barriers.begin_block();
  vain_rounds_ = 0;
  watching_ = launch_->checks(position);
  cuda_emulator_unwatched = !watching_;
  if (watching_)
    observer_.begin_block(block_);
  else if (launch_->samples)
    observer_.settle(0);
  return true;
}

void worker::shuffle_warps() {
  warp_position_ = 0;
  const thread_order order = launch_->settings.order;
  for (int i = 0; i < warp_count_; ++i)
    warp_order_[i] = order == thread_order::reverse ? warp_count_ - 1 - i : i;
  if (order != thread_order::random) return;
  for (int i = warp_count_ - 1; i > 0; --i) {
    random_ = mix(random_ + 0x9e3779b97f4a7c15ull);
    std::swap(warp_order_[i], warp_order_[random_ % static_cast<unsigned>(i + 1)]);
  }
}

int worker::pick(unsigned lanes) {
  switch (launch_->settings.order) {
    case thread_order::forward:
      return std::countr_zero(lanes);
    case thread_order::reverse:
      return 31 - std::countl_zero(lanes);
    case thread_order::random:
      break;
  }
  random_ = mix(random_ + 0x9e3779b97f4a7c15ull);
  for (auto skip = random_ % static_cast<unsigned>(std::popcount(lanes)); skip > 0; --skip)
    lanes &= lanes - 1;
  return std::countr_zero(lanes);
}

int worker::next_thread() {
  for (;;) {
    if (launch_->aborted.load(std::memory_order_relaxed)) return nobody;
    // One warp goes on until none of its lanes can; only then the next.
    for (; warp_position_ < warp_count_; ++warp_position_) {
      const int warp = warp_order_[warp_position_];
      warp_state& w = warps_[warp];
      if (w.runnable == 0 && w.paused != 0) {
        observer_.leave_warp(warp);
        w.runnable = std::exchange(w.paused, 0);
      }
      if (w.runnable == 0 && w.at_collective != 0) resolve_active(warp);
      if (w.runnable != 0) {
        const int lane = pick(w.runnable);
        w.runnable &= ~(1u << lane);
        return warp * lanes_per_warp + lane;
      }
      if (watching_) observer_.leave_warp(warp);
    }
    if (!next_round()) return nobody;
  }
}

/// After every warp has gone as far as it can. False: there is nothing left to do.
bool worker::next_round() {
  // Of a cooperative launch each block that has ended is counted: see grid_barrier.cpp.
  if (alive_ == 0) return !launch_->request.shape.cooperative && begin_block();
  if (at_grid_ == alive_) {
    parking_ = true;
    return false;
  }
  if (at_barrier_ == alive_) {
    release_barrier();
    return true;
  }
  bool somebody = false;
  for (int w = 0; w < warp_count_; ++w) {
    // Lanes that a tile of several warps has set free are there already.
    warps_[w].runnable |= std::exchange(warps_[w].yielded, 0);
    somebody |= warps_[w].runnable != 0;
  }
  if (somebody || try_in_vain()) {
    shuffle_warps();
    return true;
  }
  report_deadlock();
  return false;
}

/// Those that only try whether a barrier is complete are told that it is not. Their loops may end in
/// another way: but not after so many rounds in which nobody else has done anything.
bool worker::try_in_vain() {
  constexpr int most_rounds = 4096;
  if (++vain_rounds_ > most_rounds) return false;
  bool somebody = false;
  for (int w = 0; w < warp_count_; ++w) {
    for (unsigned lanes = warps_[w].at_object; lanes != 0; lanes &= lanes - 1) {
      const int thread = w * lanes_per_warp + std::countr_zero(lanes);
      if (!threads_[thread].may_give_up) continue;
      wake(thread);
      threads_[thread].result = 0;
      somebody = true;
    }
  }
  return somebody;
}

bool worker::wait_for_barrier(bool may_give_up, const void* pc) {
  thread_slot& t = threads_[current_];
  t.pc = pc;
  t.may_give_up = may_give_up;
  t.result = 0;
  warps_[current_ / lanes_per_warp].at_object |= 1u << current_ % lanes_per_warp;
  wait_here();
  return t.result != 0;
}

void worker::wake(int thread) {
  warp_state& w = warps_[thread / lanes_per_warp];
  const unsigned lane = 1u << thread % lanes_per_warp;
  w.at_object &= ~lane;
  w.runnable |= lane;
  threads_[thread].result = 1;
}

void worker::read_source(copy_under_way& copy) {
  if (copy.is_read) return;
  if (watching_) observer_.collect(copy);
  std::memcpy(copy.to, copy.from, copy.size);
  copy.is_read = true;
}

/// Of the thread that has returned. What has been read is written in any case; but the shared memory of a
/// block that ends is another one's.
void worker::end_bulk_copies() {
  for (copy_under_way& c : copies.to_global.take(current_, 0, [](const copy_under_way&) { return true; })) {
    if (!c.is_read && watching_) {
      raw_finding f{.kind = finding_kind::asynchronous_copy};
      f.block = f.other_block = block_;
      f.thread = f.other_thread = current_;
      f.address = c.from;
      f.size = c.size;
      f.shared_offset = shared.offset_of(c.from);
      f.pc = c.pc;
      f.copy = copy_fault::never_waited;
      launch_->note(f);
    }
    read_source(c);
    if (watching_) observer_.land_bulk_copy(c);
  }
}

void worker::become(int thread) {
  current_ = thread;
  shown_thread_.store(thread, std::memory_order_relaxed);
  threadIdx = threads_[thread].index;
  if (watching_) observer_.become(thread);
}

void worker::go_on_with(int thread, fiber& me) {
  fiber* to = std::exchange(threads_[thread].where, nullptr);
  if (to == nullptr) to = fibers_.take();
  become(thread);
  running_ = to;
  ++switches;
  fibers_.jump(me, *to);
}

void worker::wait_here() {
  fiber& me = *running_;
  const int waiting = current_;
  observer* const watcher =
      std::exchange(current_observer, nullptr);  // another thread may be only about to begin
  threads_[waiting].where = &me;
  const int next = next_thread();
  if (next == nobody) {
    fibers_.jump(me, base_);  // comes back where the block has waited for others
  } else if (next == waiting) {
    threads_[waiting].where = nullptr;
    become(waiting);
  } else {
    go_on_with(next, me);
  }
  current_observer = watcher;
}

void worker::abandon() {
  fiber& me = *running_;
  fibers_.jump(me, base_);
  __builtin_unreachable();
}

void worker::yield() {
  warps_[current_ / lanes_per_warp].yielded |= 1u << current_ % lanes_per_warp;
  wait_here();
}

void worker::pause() {
  warps_[current_ / lanes_per_warp].paused |= 1u << current_ % lanes_per_warp;
  wait_here();
}

int worker::block_barrier(block_vote vote, bool predicate, const void* pc) {
  thread_slot& t = threads_[current_];
  t.pc = pc;
  t.value = predicate;
  vote_ = vote;
  if (watching_) observer_.settle(0);
  if (watching_ && observer_.records_steps())
    observer_.note_barrier(name_of(vote), reinterpret_cast<std::uint64_t>(pc));
  warps_[current_ / lanes_per_warp].at_barrier |= 1u << current_ % lanes_per_warp;
  ++at_barrier_;
  wait_here();
  return static_cast<int>(t.result);
}

void worker::release_barrier() {
  if (watching_) {
    check_barrier(&warp_state::at_barrier, at_barrier_);
    observer_.barrier();
  }
  std::uint64_t result = 0;
  if (vote_ != block_vote::none) {
    std::uint64_t count = 0;
    for (int w = 0; w < warp_count_; ++w)
      for (unsigned lanes = warps_[w].at_barrier; lanes != 0; lanes &= lanes - 1)
        count += threads_[w * lanes_per_warp + std::countr_zero(lanes)].value;
    const auto all = static_cast<std::uint64_t>(at_barrier_);
    result = vote_ == block_vote::count ? count : vote_ == block_vote::all ? count == all : count != 0;
    for (int i = 0; i < thread_count_; ++i) threads_[i].result = result;
  }
  for (int w = 0; w < warp_count_; ++w) warps_[w].runnable = std::exchange(warps_[w].at_barrier, 0);
  at_barrier_ = 0;
  shuffle_warps();
}

}  // namespace cuda_emulator
