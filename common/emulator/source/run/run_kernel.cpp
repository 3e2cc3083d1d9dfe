// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "run_kernel.hpp"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <thread>
#include <unordered_map>
#include <utility>

#include "device/devices.hpp"
#include "device/errors.hpp"
#include "device/failed_calls.hpp"
#include "device/host_threads.hpp"
#include "device_turns.hpp"
#include "faults.hpp"
#include "launch_log.hpp"
#include "long_launch_note.hpp"
#include "order/flags.hpp"
#include "order/movements.hpp"
#include "tell/findings.hpp"
#include "tell/report.hpp"
#include "tell/trace.hpp"
#include "worker.hpp"

namespace cuda_emulator {
namespace {

/// The threads that help the launching one. They sleep between launches and end with the process.
class crew {
 public:
  /// Of one device. `first`: the number of its first worker.
  crew(int device, unsigned first) : device_(device), first_(first) {}

  /// Works on the launch with up to `threads` threads, this one among them, and waits for all.
  void work(launch_state& launch, int threads) {
    while (static_cast<int>(workers_.size()) < threads) {
      workers_.push_back(std::make_unique<worker>(first_ + static_cast<unsigned>(workers_.size()), device_));
      if (workers_.size() > 1) std::thread(&crew::help, this, workers_.size() - 1).detach();
    }
    device_turn mine(device_, threads);
    launch.my_turn = &mine;
    const long_launch_note watched(launch, workers_);
    if (threads > 1) {
      const std::lock_guard lock(mutex_);
      launch_ = &launch;
      wanted_ = busy_ = threads - 1;
      ++round_;
      begin_.notify_all();
    }
    catch_faults();
    workers_[0]->work(launch);
    mine.leave();
    if (threads > 1) {
      std::unique_lock lock(mutex_);
      end_.wait(lock, [this] { return busy_ == 0; });
    }
  }

 private:
  void help(std::size_t index) {
    is_thread_of_device();
    unsigned seen = 0;
    for (;;) {
      launch_state* launch = nullptr;
      {
        std::unique_lock lock(mutex_);
        begin_.wait(lock, [&] { return round_ != seen; });
        seen = round_;
        if (static_cast<int>(index) <= wanted_) launch = launch_;
      }
      if (launch == nullptr) continue;
      catch_faults();
      workers_[index]->work(*launch);
      launch->my_turn->leave();
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) end_.notify_one();
    }
  }

  const int device_;
  const unsigned first_;
  std::vector<std::unique_ptr<worker>> workers_;
  std::mutex mutex_;
  std::condition_variable begin_, end_;
  launch_state* launch_ = nullptr;
  int wanted_ = 0, busy_ = 0;
  unsigned round_ = 0;
};

void show_printed(launch_state& launch) {
  std::stable_sort(launch.printed.begin(), launch.printed.end(),
                   [](const auto& a, const auto& b) { return a.block_position < b.block_position; });
  for (const printed_piece& piece : launch.printed)
    std::fwrite(piece.text.data(), 1, piece.text.size(), stdout);
}

/// Of a kernel that runs again and again, the first launches are checked, and then one in so many.
bool is_one_of_many(const kernel_record& kernel) {
  static std::mutex mutex;
  static auto& counts = *new std::unordered_map<const kernel_record*, unsigned>;
  const std::lock_guard lock(mutex);
  const unsigned number = counts[&kernel]++;
  return number >= 8 && number % sample_step != 0;
}

/// How many kernels on this thread wait for their children: 0 for what the host launches.
thread_local int levels = 0;

/// Runs what the blocks of `launch` have launched: by the order of the blocks, and what was given to
/// cudaStreamTailLaunch at the end. The children of each come before the next.
void run_children(launch_state& launch, work& mine) {
  if (launch.children.empty() || launch.error != cudaSuccess) return;
  std::stable_sort(launch.children.begin(), launch.children.end(), [](const auto& a, const auto& b) {
    return std::pair(a.is_tail, a.block_position) < std::pair(b.is_tail, b.block_position);
  });
  ++levels;
  for (const child_launch& child : launch.children) child.run(mine);
  --levels;
}

}  // namespace

void run_kernel(const launch_request& request, const kernel_record& kernel, work& mine) {
  static std::mutex one_at_a_time[most_devices];
  static crew* crews[most_devices] =
      {};  // never destroyed: their threads sleep in them until the process ends
  static std::atomic<std::uint32_t> launches{0};
  std::unique_lock lock(one_at_a_time[mine.device()]);
  const int most_of_each = most_workers / device_count();
  crew*& helpers = crews[mine.device()];
  if (helpers == nullptr)
    helpers = new crew(mine.device(), static_cast<unsigned>(mine.device() * most_of_each));
  const dim3 grid = request.shape.grid, block = request.shape.block;
  launch_state launch{.request = request,
                      .kernel = kernel,
                      .id = ++launches,
                      .blocks = std::uint64_t{grid.x} * grid.y * grid.z,
                      .threads_per_block = static_cast<int>(block.x * block.y * block.z),
                      .settings = settings(),
                      .device = mine.device(),
                      .depth = levels,
                      .several_devices = device_count() > 1,
                      .op = mine.watched() ? mine.op().get() : nullptr,
                      .flags = {release_by_flag, hear_of_flag, flag_changes}};
  const std::uint64_t work = launch.blocks * static_cast<std::uint64_t>(launch.threads_per_block);
  // Waking a helper costs as much as a few thousand simple threads.
  const std::uint64_t worth_it = launch.settings.checking ? 512 : 4096;
  const int most = work < worth_it ? 1 : std::min(launch.settings.threads, most_of_each);
  const std::uint64_t for_trace = traced_block(launch);
  launch.traced_block = for_trace != no_block ? for_trace : reported_block(launch);
  launch.notes_touches = mine.watched();
  launch.step_values = for_trace == no_block ? reported_step_values() : traced_step_values();
  launch.samples = launch.settings.sampling && !request.shape.cooperative && launch.traced_block == no_block;
  launch.skipped = launch.samples && is_one_of_many(kernel);
  report_begin(launch);
  observer::new_launch(launch.device);
  helpers->work(launch,
                static_cast<int>(std::min<std::uint64_t>(launch.blocks, static_cast<std::uint64_t>(most))));

  kernel.static_shared = std::max(kernel.static_shared, launch.shared.bytes());
  show_printed(launch);
  if (launch.refused != cudaSuccess) {
    note_failed_launch(request, launch.refused);
    set_last(launch.refused);
  }
  if (launch.error != cudaSuccess) {
    note_failed_kernel(request);
    fail_later(launch.error);
  }
  if (launch.settings.checking && !launch.samples) log_launch(launch);
  if (for_trace != no_block) write_trace(launch);
  report_launch(launch);
  conclude(launch);
  note_touched(mine.op().get(), launch.touched);
  for (const auto& each : launch.touched) mine.touches(*each);
  lock.unlock();
  run_children(launch, mine);
  mine.conclude();
}

}  // namespace cuda_emulator
