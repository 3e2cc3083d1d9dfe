// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "pending.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

#include "device/devices.hpp"
#include "device/errors.hpp"
#include "device/host_threads.hpp"
#include "device/settings.hpp"
#include "movements.hpp"
#include "order_state.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator {
namespace {

using namespace std::chrono_literals;

/// So many launches a GPU keeps before the next one waits.
constexpr std::size_t most_kept_operations = 1024, most_kept_bytes = 64 << 20;
std::atomic<std::size_t> bytes_kept{0};

// Never destroyed: used until the very end.
std::mutex& one_runs = *new std::mutex;
std::condition_variable& something_ran = *new std::condition_variable;
std::atomic<bool> program_ends{false};
/// Counts what the host does with the runtime: a thread that only waits for memory to change does nothing.
std::atomic<std::uint64_t> activity{0};
std::atomic<bool> host_polls{false};  ///< Since work was given last, the host has looked at a flag.
thread_local bool runs_now = false;
/// The thread of a device has found something, and is about to say so.
std::atomic<bool> concluding{false};

bool deferring() { return settings().order != thread_order::forward; }

std::uint64_t next_random() {
  static std::uint64_t state = 0, seed = ~0ull;  // with the lock of all streams
  if (seed != settings().seed) state = seed = settings().seed;
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state >> 33;
}

using stream_of_work = std::map<std::uint32_t, std::deque<kept_work>>::iterator;

/// Can the first operation that a stream keeps run on this device?
bool can_run(const order_state& order, const kept_work& first, int device) {
  if (first.mine.device() != device || !order.done.covers(first.mine.op()->start)) return false;
  if (program_ends && first.how.calls_host) return false;
  return first.how.until == nullptr || first.how.until->open();
}

/// Which of the operations that can run is next: null where none can. `target`: what it is needed for.
stream_of_work next(order_state& order, const vector_clock* target, int device) {
  std::vector<stream_of_work> can;
  for (auto each = order.kept.begin(); each != order.kept.end(); ++each)
    if (can_run(order, each->second.front(), device)) can.push_back(each);
  const auto number = [](const stream_of_work& s) { return s->second.front().mine.op()->number; };
  const auto earlier = [&](const stream_of_work& a, const stream_of_work& b) {
    return number(a) < number(b);
  };
  if (can.empty()) return order.kept.end();
  const std::uint64_t first = number(*std::min_element(can.begin(), can.end(), earlier));
  std::erase_if(can,
                [&](const stream_of_work& s) { return s->second.front().how.frees && number(s) != first; });
  if (settings().order == thread_order::random) return can[next_random() % can.size()];
  if (target != nullptr) {
    const auto needed = [&](const stream_of_work& s) {
      return target->covers(s->second.front().mine.op()->at);
    };
    if (std::any_of(can.begin(), can.end(), needed))
      std::erase_if(can, [&](const stream_of_work& s) { return !needed(s); });
  }
  return settings().order == thread_order::forward ? *std::min_element(can.begin(), can.end(), earlier)
                                                   : *std::max_element(can.begin(), can.end(), earlier);
}

/// What an operation is while it runs: at its end, however that comes, it is done.
class turn {
 public:
  explicit turn(const work& mine) : op_(mine.op()) {
    if (op_ == nullptr) return;
    order_state& order = the_order();
    const std::lock_guard lock(order.mutex);
    order.begins(*op_);
  }
  turn(const turn&) = delete;
  ~turn() {
    if (op_ == nullptr) return;
    order_state& order = the_order();
    {
      const std::lock_guard lock(order.mutex);
      order.ends(*op_);
      order.done.reach(op_->at);
      order.open.erase(op_->number);
      ++order_version;
    }
    something_ran.notify_all();
  }

 private:
  std::shared_ptr<const operation> op_;
};

/// Runs one operation, if one can run. The caller is the one who runs things.
bool run_one(const vector_clock* target, int device, held_findings& found) {
  order_state& order = the_order();
  std::optional<kept_work> one;
  {
    const std::lock_guard lock(order.mutex);
    const stream_of_work from = next(order, target, device);
    if (from == order.kept.end()) return false;
    one.emplace(std::move(from->second.front()));
    from->second.pop_front();
    if (from->second.empty()) order.kept.erase(from);
    --kept_count;
  }
  ++activity;
  found.number = one->mine.op()->number;
  const turn now(one->mine);
  // After a kernel that failed nothing is done any more.
  if (failed() != cudaSuccess && found.all.empty()) return true;
  const with_device on(device);
  one->body(one->mine);
  one->mine.conclude();
  if (!found.all.empty() && device_count() > 1) concluding = true;
  return true;
}

/// Says what was found, after all has run that may explain it: uninitialized memory is often memory
/// that is not initialized yet.
void conclude_held(int device, held_findings& found) {
  while (run_one(nullptr, device, found)) continue;
  std::vector<finding> all = found.sorted();
  found.all.clear();
  conclude_later(std::move(all));
}

/// The thread that runs what is kept of one of several devices. Its kernels may wait for flags that kernels
/// of other devices raise, and those may not even have been launched.
class device_thread {
 public:
  /// Runs one operation, and returns when it has ended, or looks at flags again and again. False where
  /// nothing can run, or something still runs.
  static bool run(int device, const vector_clock* target) {
    if (!anything_to_run(device)) return false;  // who waits for a message asks again and again
    static auto* const all = new std::atomic<device_thread*>[most_devices] {};
    static auto& making = *new std::mutex;
    device_thread* mine = all[device];
    if (mine == nullptr) {
      const std::lock_guard lock(making);
      mine = all[device];
      if (mine == nullptr) all[device] = mine = new device_thread(device);  // never destroyed
    }
    return mine->run_next(target);
  }

 private:
  explicit device_thread(int device) : device_(device) { std::thread(&device_thread::work, this).detach(); }

  static bool anything_to_run(int device) {
    order_state& order = the_order();
    const std::lock_guard lock(order.mutex);
    return std::any_of(order.kept.begin(), order.kept.end(),
                       [&](const auto& each) { return can_run(order, each.second.front(), device); });
  }

  bool run_next(const vector_clock* target) {
    std::unique_lock lock(mutex_);
    if (busy_) return false;
    busy_ = true;
    target_.reset();
    if (target != nullptr) target_ = *target;
    device_looks[device_] = false;
    const std::uint64_t mine = ++round_;
    changed_.notify_all();
    for (bool looked = false;;) {
      if (changed_.wait_for(lock, 20ms, [&] { return round_ != mine || !busy_; }))
        return round_ != mine || ran_;
      if (std::exchange(looked, device_looks[device_].exchange(false)) && looked) return true;
    }
  }

  [[noreturn]] void work() {
    is_thread_of_device();
    runs_now = true;
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return round_ != seen; });
      seen = round_;
      const std::optional<vector_clock> target = target_;
      lock.unlock();
      const bool ran = run_of(target ? &*target : nullptr);
      lock.lock();
      ran_ = ran;
      busy_ = false;
      changed_.notify_all();
    }
  }

  bool run_of(const vector_clock* target) {
    held_findings found;
    const bool ran = run_one(target, device_, found);
    if (!found.all.empty()) {
      conclude_held(device_, found);
      concluding = false;
    }
    return ran;
  }

  const int device_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t round_ = 0;
  bool busy_ = false, ran_ = false;
  std::optional<vector_clock> target_;
};

/// While it lives, this thread is the one who runs what is kept.
class runner {
 public:
  runner() {
    if (device_count() == 1) lock_ = std::unique_lock(one_runs);
    runs_now = true;
  }
  runner(const runner&) = delete;
  ~runner() { runs_now = false; }
  bool run(const vector_clock* target) {
    if (device_count() == 1) return run_of(0, target);
    for (int d = 0; d < device_count(); ++d)
      if (device_thread::run(d, target)) return true;
    return false;
  }
  /// Of one device only. Who has more to give must not be kept by a kernel that waits for what it gives next.
  bool run_on(int device) {
    return device_count() == 1 ? run_of(0, nullptr) : device_thread::run(device, nullptr);
  }

 private:
  bool run_of(int device, const vector_clock* target) {
    const bool ran = run_one(target, device, found_);
    if (!found_.all.empty()) conclude_held(device, found_);
    return ran;
  }

  std::unique_lock<std::mutex> lock_;
  held_findings found_;
};

/// Before the first wait: what can run, or a part of it by chance.
void run_before_wait(int device) {
  runner one;
  const auto goes_on = [&] {
    switch (settings().order) {
      case thread_order::forward:
        return true;
      case thread_order::reverse:
        break;
      case thread_order::random:
        const std::lock_guard lock(the_order().mutex);
        if (next_random() % 2 == 0) return true;
        break;
    }
    return kept_count > most_kept_operations || bytes_kept > most_kept_bytes;
  };
  while (goes_on() && one.run_on(device)) continue;
}

/// A program may wait for work without calling the runtime: for a flag, or for a function that a stream
/// calls. Where the host has called nothing for a while, what is kept runs.
void run_what_nobody_waits_for() {
  is_thread_of_device();
  constexpr auto long_silence = 500ms;
  auto silence_of_program = long_silence;
  std::uint64_t seen = 0;
  for (;;) {
    // A host that polls a flag runs what is kept before each look. Here it would run between a look and the
    // load, and the host would not have heard of it.
    const auto silence = host_polls ? long_silence : silence_of_program;
    std::this_thread::sleep_for(silence / 5);
    if (!anything_kept() || program_ends) continue;
    const std::uint64_t now = activity;
    if (std::exchange(seen, now) != now) continue;
    for (int i = 0; i < 4 && activity == now; ++i) std::this_thread::sleep_for(silence / 5);
    if (activity != now) continue;
    run_kept();
    silence_of_program = 20ms;  // it is one that does this
  }
}

void begin_to_keep() {
  static const bool begun = [] {
    std::atexit([] {
      program_ends = true;
      run_kept();
    });
    std::thread(run_what_nobody_waits_for).detach();
    return true;
  }();
  static_cast<void>(begun);
}

}  // namespace

std::shared_ptr<char[]> kept_bytes(std::size_t size) {
  bytes_kept += size;
  return {new char[size], [size](char* bytes) {
            delete[] bytes;
            bytes_kept -= size;
          }};
}

bool anything_kept() { return kept_count.load(std::memory_order_relaxed) != 0; }

void look_again() { something_ran.notify_all(); }

bool is_done(const vector_clock& clock) {
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  return order.done.covers(clock);
}

namespace {

/// Who goes on has read what was found; what runs before that may wait forever.
void let_conclude() {
  const auto end = std::chrono::steady_clock::now() + 5s;
  while (concluding && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
}

/// Another thread runs something, or gates are closed: those are told that somebody waits for them.
void wait_for_gates(const vector_clock& clock) {
  const waits_for_device this_thread;
  std::vector<std::shared_ptr<gate>> closed;
  {
    order_state& order = the_order();
    std::unique_lock lock(order.mutex);
    if (order.done.covers(clock)) return;
    something_ran.wait_for(lock, 2ms);
    for (auto& [timeline, all] : order.kept)
      if (const kept_work& first = all.front();
          first.how.until != nullptr && order.done.covers(first.mine.op()->start) && !first.how.until->open())
        closed.push_back(first.how.until);
  }
  for (const auto& each : closed) each->waited_for();
}

void run_all_until(const vector_clock& clock) {
  while (!is_done(clock)) {
    {
      runner mine;
      while (!is_done(clock) && mine.run(&clock)) continue;
    }
    wait_for_gates(clock);
  }
}

/// Since when this thread of the host has only asked whether something is done, while nothing could run.
thread_local std::optional<std::chrono::steady_clock::time_point> asks_since;

}  // namespace

void let_devices_conclude() {
  if (runs_now || device_count() == 1) return;
  let_conclude();
  throw_kept_finding();
}

void run_until(const vector_clock& clock) {
  ++activity;
  asks_since.reset();
  if (runs_now) return;  // called by what runs
  run_all_until(clock);
  let_conclude();
}

void run_kept() {
  if (!anything_kept() || runs_now) return;
  runner mine;
  while (mine.run(nullptr)) continue;
}

void run_some_kept() {
  ++activity;
  host_polls = true;
  if (!anything_kept() || runs_now) return;
  runner mine;
  mine.run(nullptr);
}

bool run_some(const vector_clock& clock) {
  ++activity;
  if (is_done(clock)) {
    asks_since.reset();
    return true;
  }
  if (runs_now) return false;
  {
    runner mine;
    if (mine.run(&clock)) asks_since.reset();
  }
  const auto now = std::chrono::steady_clock::now();
  if (!asks_since) asks_since = now;
  if (now - *asks_since > std::chrono::duration<double>(settings().wait)) wait_for_gates(clock);
  return false;
}

void give(work&& mine, const manner& how, const work_body& now, const std::function<work_body()>& keep) {
  ++activity;
  host_polls = false;
  asks_since.reset();
  const int device = mine.device();
  if (mine.at_once(how.host_waits || !deferring()) && how.until == nullptr && !how.may_wait) {
    const turn this_one(mine);
    now(mine);
    if (how.host_waits) mine.host_waits();
    mine.conclude();
  } else {
    const vector_clock finished = mine.finished();
    begin_to_keep();
    work_body body = keep();
    {
      order_state& order = the_order();
      const std::lock_guard lock(order.mutex);
      const operation& op = *mine.op();
      order.open.emplace(op.number, order.host);
      std::deque<kept_work>& all = order.kept[op.at.timeline];
      // Of two threads that give work to one stream, the later one may come first to here.
      auto behind = all.end();
      while (behind != all.begin() && std::prev(behind)->mine.op()->at.tick > op.at.tick) --behind;
      all.insert(behind, {std::move(mine), std::move(body), how});
      ++kept_count;
    }
    if (how.host_waits) {
      note_wait();
      run_until(finished);
      order_state& order = the_order();
      const std::lock_guard lock(order.mutex);
      order.host_reaches(finished);
      return;
    }
  }
  if (anything_kept() && !runs_now) run_before_wait(device);
  if (how.may_wait && !runs_now && settings().order == thread_order::forward) throw_kept_finding();
}

}  // namespace cuda_emulator
