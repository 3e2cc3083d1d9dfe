// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "patience.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "code/symbolize.hpp"

namespace cuda_emulator {
namespace {

using steady = std::chrono::steady_clock;

/// What the one thread that watches knows. It looks up several times within the time that it waits for, so
/// that launches need not wake it.
class watch {
 public:
  explicit watch(double seconds) : seconds_(seconds) { std::thread(&watch::look, this).detach(); }

  void begin(const launch_state& launch, std::span<const std::unique_ptr<worker>> workers) {
    const std::lock_guard lock(mutex_);
    launch_ = &launch;
    workers_ = workers;
    since_ = steady::now();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    launch_ = nullptr;
  }

 private:
  [[noreturn]] void look() {
    const std::chrono::duration<double> patience(seconds_);
    for (;;) {
      std::this_thread::sleep_for(
          std::max<std::chrono::duration<double>>(patience / 8, std::chrono::milliseconds(1)));
      const std::lock_guard lock(mutex_);
      if (launch_ == nullptr || steady::now() - since_ < patience) continue;
      const kernel_record* kernel = &launch_->kernel;
      if (std::find(noted_.begin(), noted_.end(), kernel) != noted_.end()) continue;
      noted_.push_back(kernel);
      say();
    }
  }

  void say() const {
    char where[160] = "";
    for (const auto& each : workers_) {
      const std::optional<running_thread> running = each->running();
      if (!running) continue;
      const dim3 grid = launch_->grid(), block = launch_->block();
      const auto t = static_cast<unsigned>(running->thread);
      std::snprintf(where, sizeof where, " (block (%u, %u, %u), thread (%u, %u, %u))",
                    static_cast<unsigned>(running->block % grid.x),
                    static_cast<unsigned>(running->block / grid.x % grid.y),
                    static_cast<unsigned>(running->block / grid.x / grid.y), t % block.x,
                    t / block.x % block.y, t / block.x / block.y);
      break;
    }
    const kernel_record& kernel = launch_->kernel;
    std::fprintf(stderr,
                 "%s:%d: note: kernel %s has been running for %g second%s%s; if it never ends, look at the "
                 "condition and step of its loops. Ctrl-C ends the program.\n",
                 shown(kernel.file).c_str(), kernel.line, kernel.name, seconds_, seconds_ == 1 ? "" : "s",
                 where);
  }

  const double seconds_;
  std::mutex mutex_;
  const launch_state* launch_ = nullptr;
  std::span<const std::unique_ptr<worker>> workers_;
  steady::time_point since_;
  std::vector<const kernel_record*> noted_;
};

watch& watcher(double seconds) {
  static watch* const the_one = new watch(seconds);  // its thread goes on until the process ends
  return *the_one;
}

}  // namespace

patience::patience(const launch_state& launch, std::span<const std::unique_ptr<worker>> workers)
    : watching_(launch.settings.patience > 0) {
  if (watching_) watcher(launch.settings.patience).begin(launch, workers);
}

patience::~patience() {
  if (watching_) watcher(0).end();
}

}  // namespace cuda_emulator
