// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "device_turns.hpp"

#include <chrono>

#include "device/devices.hpp"
#include "memory/variables.hpp"

namespace cuda_emulator {
namespace {

using steady = std::chrono::steady_clock;
// A launch that only looks at a variable now and then keeps its turn for so long.
constexpr std::chrono::microseconds shortest{500};

// Never destroyed: helpers sleep in them until the process ends.
std::mutex& turns_mutex = *new std::mutex;
std::condition_variable& changed = *new std::condition_variable;
std::list<const void*>& queue = *new std::list<const void*>;  // who waits, the first one first
const void* holder = nullptr;
steady::time_point since;

/// Waits until it is the turn of `who`.
void take(const void* who, std::unique_lock<std::mutex>& lock) {
  queue.push_back(who);
  turn_wanted = true;
  changed.wait(lock, [&] { return holder == nullptr && queue.front() == who; });
  queue.pop_front();
  turn_wanted = !queue.empty();
  holder = who;
  since = steady::now();
}

}  // namespace

device_turn::device_turn(int device, int workers) : device_(device), running_(workers), all_(workers) {
  if (device_count() == 1) return;
  std::unique_lock lock(turns_mutex);
  wait(lock);
}

void device_turn::wait(std::unique_lock<std::mutex>& lock) {
  take(this, lock);
  mine_ = true;
  ++rounds_;
  stopping_ = false;
  running_ = all_;
  use_variables_of(device_);
  changed.notify_all();
}

void device_turn::pass() {
  mine_ = false;
  holder = nullptr;
  changed.notify_all();
}

// The last worker to stop hands the turn on and waits for the next one for all.
void device_turn::offer() {
  std::unique_lock lock(turns_mutex);
  if (!stopping_ && (queue.empty() || steady::now() - since < shortest)) return;
  stopping_ = true;
  if (--running_ == 0) {
    pass();
    wait(lock);
    return;
  }
  changed.wait(lock, [this, round = rounds_] { return rounds_ != round; });
}

void device_turn::leave() {
  if (device_count() == 1) return;
  std::unique_lock lock(turns_mutex);
  --all_;
  if (--running_ > 0 || !stopping_) return;
  // Those that have stopped were waiting for this one.
  pass();
  if (all_ > 0) wait(lock);
}

device_turn::~device_turn() {
  const std::lock_guard lock(turns_mutex);
  if (mine_) pass();
}

alone_with_variables::alone_with_variables(int device) : used_(device_count() > 1) {
  if (!used_) return;
  std::unique_lock lock(turns_mutex);
  take(this, lock);
  use_variables_of(device);
}

alone_with_variables::~alone_with_variables() {
  if (!used_) return;
  const std::lock_guard lock(turns_mutex);
  holder = nullptr;
  changed.notify_all();
}

}  // namespace cuda_emulator
