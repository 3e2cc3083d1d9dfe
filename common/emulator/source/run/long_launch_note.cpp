// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "long_launch_note.hpp"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "code/symbolize.hpp"
#include "device/devices.hpp"
#include "device/host_threads.hpp"
#include "device/standard_error.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator {
namespace {

using steady = std::chrono::steady_clock;

// "12,345"
std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (int i = static_cast<int>(text.size()) - 3; i > 0; i -= 3)
    text.insert(static_cast<std::size_t>(i), ",");
  return text;
}

std::string several(std::uint64_t count, const char* thing) {
  return grouped(count) + " " + thing + (count == 1 ? "" : "s");
}

/// As exact as an estimate can be.
std::string about(double seconds) {
  if (seconds < 90) return several(static_cast<std::uint64_t>(std::max(1.0, std::round(seconds))), "second");
  if (seconds < 5400) return several(static_cast<std::uint64_t>(std::round(seconds / 60)), "minute");
  return several(static_cast<std::uint64_t>(std::round(seconds / 3600)), "hour");
}

/// What the one thread that watches knows. It looks up several times within the time that it waits for, so
/// that launches need not wake it.
class watch {
 public:
  explicit watch(double seconds) : seconds_(seconds) { std::thread(&watch::look, this).detach(); }

  void begin(launch_state& launch, std::span<const std::unique_ptr<worker>> workers) {
    const std::lock_guard lock(mutex_);
    launch_ = &launch;
    launching_thread_ = static_cast<pid_t>(syscall(SYS_gettid));
    workers_ = workers;
    since_ = block_came_ = thread_came_ = steady::now();
    worked_ = seconds_worked();
    blocks_begun_ = 0;
    seen_.clear();
    flag_ = nullptr;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    launch_ = nullptr;
  }

 private:
  using duration = std::chrono::duration<double>;

  [[noreturn]] void look() {
    is_thread_of_device();
    const duration limit(seconds_);
    for (;;) {
      std::this_thread::sleep_for(std::max<duration>(limit / 8, std::chrono::milliseconds(1)));
      const std::lock_guard lock(mutex_);
      if (launch_ == nullptr) continue;
      const steady::time_point now = steady::now();
      see(now);
      // Where others have the processor, a kernel has done less than it seems. One that ends needs no note.
      if (now - since_ < limit || done() == launch_->blocks ||
          (now - since_ < 4 * limit && seconds_worked() - worked_ < seconds_))
        continue;
      const bool block_came = now - block_came_ < limit / 2, thread_came = now - thread_came_ < limit / 2;
      // Threads may take turns in looking at a flag, too.
      const volatile void* const flag = block_came ? nullptr : flag_looked_at().value_or(flag_);
      if (std::exchange(flag_, flag) != flag) flag_since_ = now;
      if (block_came || (thread_came && flag_ == nullptr)) {
        if (is_first(slow_)) say_progress(now, block_came);
      } else {
        if (is_first(stuck_)) say_stuck(now);
        if (flag_ != nullptr && now - flag_since_ > duration(launch_->settings.wait)) end_waiting();
        end_with_findings();
      }
    }
  }

  /// Of all threads of the process.
  static double seconds_worked() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  /// Takes down whether blocks come and go, and threads in them.
  void see(steady::time_point now) {
    const std::uint64_t begun = launch_->next_block.load(std::memory_order_relaxed);
    if (begun != blocks_begun_) block_came_ = now;
    blocks_begun_ = begun;
    std::vector<std::pair<std::uint64_t, int>> threads;
    for (const auto& each : workers_)
      if (const std::optional<running_thread> running = each->running())
        threads.emplace_back(running->block, running->thread);
    if (threads != seen_) thread_came_ = now;
    seen_ = std::move(threads);
  }

  bool is_first(std::vector<const kernel_record*>& noted) const {
    if (std::find(noted.begin(), noted.end(), &launch_->kernel) != noted.end()) return false;
    noted.push_back(&launch_->kernel);
    return true;
  }

  std::uint64_t done() const {
    const std::uint64_t begun = std::min(blocks_begun_, launch_->blocks);
    return begun - std::min<std::uint64_t>(begun, seen_.size());
  }

  /// "file.cu:12: note: kernel k has been running for 10 seconds"
  std::string beginning(steady::time_point now) const {
    const kernel_record& kernel = launch_->kernel;
    char seconds[40];
    const double passed = duration(now - since_).count();
    std::snprintf(seconds, sizeof seconds, "%g second%s",
                  passed < 2 * seconds_ ? seconds_ : std::round(passed),
                  seconds_ == 1 && passed < 2 ? "" : "s");
    return shown(kernel.file) + ":" + std::to_string(kernel.line) + ": note: kernel " + kernel.name +
           " has been running for " + seconds;
  }

  /// "5 of 64 blocks are done"
  std::string blocks_done() const {
    if (launch_->blocks == 1) return "its only block is not done";
    return std::string(done() == 0 ? "none" : grouped(done())) + " of its " + grouped(launch_->blocks) +
           " blocks " + (done() == 1 ? "is" : "are") + " done";
  }

  /// What those that run look at again and again, while it stays as it is and they do nothing else; null
  /// where they do not. On a busy machine they may not have run meanwhile: then nothing is known.
  std::optional<const volatile void*> flag_looked_at() const {
    const volatile void* flag = nullptr;
    for (const auto& each : workers_) {
      const std::optional<running_thread> first = each->running();
      if (!first) continue;
      std::optional<std::uint64_t> value;
      for (int i = 0; i < 10; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const std::optional<running_thread> now = each->running();
        if (!now || now->looked_at == nullptr || now->looked_at != first->looked_at) return nullptr;
        if (now->looks == first->looks) continue;
        const std::uint64_t there = value_around(now->looked_at);
        if (value.value_or(there) != there) return nullptr;
        value = there;
      }
      const std::optional<running_thread> last = each->running(), later = each->running();
      // One may have been begun, but not counted, when the first figures were taken.
      if (!last || !later || last->accesses - first->accesses > later->looks - first->looks + 1)
        return nullptr;
      if (!value) return std::nullopt;
      flag = first->looked_at;
    }
    return flag;
  }

  /// Of the eight bytes among which it is.
  static std::uint64_t value_around(const volatile void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t{7};
    return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(at), __ATOMIC_RELAXED);
  }

  /// With several devices what it waits for may still be launched, and messages have watches of their own.
  /// Other threads of the host may raise the flag, too, and other processes in memory that they share.
  void end_waiting() {
    if (!launch_->settings.checking || throws_findings() || device_count() > 1) return;
    const bool of_device = device_memory::instance().contains(const_cast<const void*>(flag_));
    if (other_thread_may_act(launching_thread_) || (!of_device && is_shared_by_processes(flag_))) {
      if (is_first(waiting_)) say_that_it_waits();
      return;
    }
    for (const auto& each : workers_) {
      const std::optional<running_thread> running = each->running();
      if (!running) continue;
      const std::string text =
          waits_for("error", " waits for what never comes", *each, *running) +
          "\n  (EMULATOR_WAIT in the environment is the number of seconds after which this ends.)";
      finding_facts facts;
      facts.kernel = launch_->kernel.name;
      facts.accesses.push_back({.does = "waits", .place = at_, .called_at = "", .thread = "", .block = ""});
      conclude({finding(finding_kind::deadlock, text, facts)});
    }
  }

  void say_that_it_waits() const {
    for (const auto& each : workers_) {
      const std::optional<running_thread> running = each->running();
      if (!running) continue;
      std::fprintf(stderr, "%s\n",
                   (waits_for("note", " still waits", *each, *running) +
                    "\n  Another thread of the program, or another process, may still write there, so the "
                    "kernel goes on waiting.")
                       .c_str());
      break;
    }
  }

  std::string waits_for(const char* what, const char* does, const worker& of,
                        const running_thread& running) const {
    const kernel_record& kernel = launch_->kernel;
    raw_finding flag{.kind = finding_kind::deadlock};
    flag.address = const_cast<const void*>(flag_);
    return shown(kernel.file) + ":" + std::to_string(kernel.line) + ": " + what + ": kernel " + kernel.name +
           does + "\n  " + name_of(running) + " looks again and again at " + memory_text(flag) +
           lines_of(of) + "\n" + why_it_waits();
  }

  /// Who could write there, and why that does not happen here.
  std::string why_it_waits() const {
    if (const std::string others = blocks_not_begun(); !others.empty()) return others;
    std::string text = one_after_the_other();
    if (const auto variable = device_memory::instance().find(const_cast<const void*>(flag_));
        registered_at(const_cast<const void*>(flag_)) ||
        (variable && variable->kind != allocation_kind::device))
      return text +
             (launch_->settings.order == thread_order::reverse
                  ? "\n  The thread of the host that waits for it cannot write there before it has ended."
                  : "\n  The thread of the host that launched it cannot write there either before it has "
                    "ended. Where that is\n  what it waits for, EMULATOR_ORDER=reverse may help: it begins "
                    "a kernel only when the host waits for it.");
    return text +
           "\n  On a GPU it ends only if both find room at the same time, which CUDA does not promise. Order "
           "them by\n  an event in place of the flag: cudaEventRecord() behind the one, "
           "cudaStreamWaitEvent() before the other.";
  }

  /// Empty where all have begun.
  std::string blocks_not_begun() const {
    const std::uint64_t others = launch_->blocks - std::min(blocks_begun_, launch_->blocks);
    if (others == 0) return "";
    return "  " + several(others, "block") + " of the launch " + (others == 1 ? "has" : "have") +
           " not begun: a block may find no room on a GPU before others end. Blocks can wait\n"
           "  for each other in cooperative launches only, with grid.sync().";
  }

  static std::string one_after_the_other() {
    return "  Kernels of one device run one after the other here, each to its end: what a kernel that is "
           "launched later\n  writes does not come while this one waits.";
  }

  /// "thread (0, 0, 0) of block (1, 0, 0)"
  std::string name_of(const running_thread& running) const {
    const dim3 grid = launch_->grid(), block = launch_->block();
    const auto t = static_cast<unsigned>(running.thread);
    char text[120];
    std::snprintf(text, sizeof text, "thread (%u, %u, %u) of block (%u, %u, %u)", t % block.x,
                  t / block.x % block.y, t / block.x / block.y, static_cast<unsigned>(running.block % grid.x),
                  static_cast<unsigned>(running.block / grid.x % grid.y),
                  static_cast<unsigned>(running.block / grid.x / grid.y));
    return text;
  }

  void say_progress(steady::time_point now, bool block_came) const {
    std::string text = beginning(now) + ": " + blocks_done();
    if (!block_came) {
      text += ", but threads take turns";
      for (const auto& each : workers_)
        if (each->running()) {
          text += lines_of(*each);
          break;
        }
      text +=
          ". A block with much to do looks like this, and so does an endless loop: look at its condition and "
          "step. So does a loop that waits for another block: blocks can wait for each other in cooperative "
          "launches only, with grid.sync().";
    } else if (done() > 0) {
      const double left = static_cast<double>(launch_->blocks - done()) / static_cast<double>(done());
      text += ", the others need about " + about(left * duration(now - since_).count()) + " more.";
      if (launch_->settings.checking && !launch_->settings.sampling && launch_->blocks > 10 * sample_step)
        text += "\n  EMULATOR_CHECK=sample checks one block in " + std::to_string(sample_step) +
                ", and the others run much faster.";
    } else {
      text += " yet.";
    }
    std::fprintf(stderr, "%s\n", text.c_str());
    tell_note("long_kernel", block_came ? "" : at_, text);
  }

  void say_stuck(steady::time_point now) const {
    std::string text = beginning(now) + ", and nothing advances: " + blocks_done();
    for (const auto& each : workers_) {
      const std::optional<running_thread> running = each->running();
      if (!running) continue;
      text += ", and " + name_of(*running) + " goes on and on" + lines_of(*each);
      break;
    }
    if (flag_ == nullptr)
      text += ". This may be an endless loop: look at its condition and step. Ctrl-C ends the program.";
    else
      text += ". It looks at one variable again and again.\n" +
              (blocks_not_begun().empty() ? one_after_the_other() : blocks_not_begun());
    std::fprintf(stderr, "%s\n", text.c_str());
    tell_note("long_kernel", at_, text);
  }

  /// What was found stays true, however long the launch would last: errors end the program now.
  void end_with_findings() const {
    if (throws_findings()) return;
    const std::lock_guard lock(launch_->mutex);
    conclude(*launch_);
  }

  /// " in lines 12 to 14 of file.cu": where the thread is, asked many times; empty where that is not known.
  std::string lines_of(const worker& running) const {
    at_.clear();
    if (!launch_->settings.checking || launch_->samples) return "";
    std::set<std::uint64_t> pcs;
    for (int i = 0; i < 50; ++i) {
      if (const std::optional<running_thread> thread = running.running()) pcs.insert(thread->pc);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    std::string file;
    int first = 0, last = 0;
    for (const std::uint64_t pc : pcs) {
      const source_place place = place_of(pc);
      if (place.line == 0 || (!file.empty() && place.file != file)) continue;
      first = file.empty() ? place.line : std::min(first, place.line);
      last = std::max(last, place.line);
      file = place.file;
    }
    if (file.empty()) return "";
    at_ = source_place{file, first}.text();
    if (first == last) return " in line " + std::to_string(first) + " of " + shown(file);
    return " in lines " + std::to_string(first) + " to " + std::to_string(last) + " of " + shown(file);
  }

  const double seconds_;
  mutable std::string at_;  // the line that lines_of() has told of
  std::mutex mutex_;
  launch_state* launch_ = nullptr;
  pid_t launching_thread_ = 0;
  std::span<const std::unique_ptr<worker>> workers_;
  steady::time_point since_, block_came_, thread_came_;
  double worked_ = 0;  // as seconds_worked() was then
  std::uint64_t blocks_begun_ = 0;
  const volatile void* flag_ = nullptr;  // what all that run look at again and again
  steady::time_point flag_since_;
  std::vector<std::pair<std::uint64_t, int>> seen_;           // block and thread of each worker that runs one
  std::vector<const kernel_record*> slow_, stuck_, waiting_;  // those that have been talked about
};

watch& watcher(double seconds) {
  static watch* const the_one = new watch(seconds);  // its thread goes on until the process ends
  return *the_one;
}

}  // namespace

long_launch_note::long_launch_note(launch_state& launch, std::span<const std::unique_ptr<worker>> workers)
    : watching_(launch.settings.seconds_to_note > 0) {
  if (watching_) watcher(launch.settings.seconds_to_note).begin(launch, workers);
}

long_launch_note::~long_launch_note() {
  if (watching_) watcher(0).end();
}

}  // namespace cuda_emulator
