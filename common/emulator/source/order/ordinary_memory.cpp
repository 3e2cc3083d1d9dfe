// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "ordinary_memory.hpp"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "code/call_stack.hpp"
#include "device/settings.hpp"
#include "emulator/export.hpp"
#include "order_state.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator {

/// A function that has been called and not returned, by where its part of the stack ends.
struct stack_frame {
  void* function;
  std::uintptr_t begin, end;
  bool operator==(const stack_frame& other) const { return function == other.function && end == other.end; }
};

namespace {

std::uintptr_t as_number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// The one in whose part of this thread's stack the address lies.
std::optional<stack_frame> frame_around(std::uintptr_t address) {
  struct walk {
    std::uintptr_t address;
    stack_frame last{};
    std::optional<stack_frame> found{};
  } result{address};
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& w = *static_cast<walk*>(data);
        w.last.end = _Unwind_GetCFA(context);  // where the one that it has called ended
        if (w.last.function != nullptr && w.address >= w.last.begin && w.address < w.last.end)
          w.found = w.last;
        if (w.found) return _URC_END_OF_STACK;
        w.last = {_Unwind_FindEnclosingFunction(reinterpret_cast<void*>(_Unwind_GetIP(context))), w.last.end,
                  0};
        return _URC_NO_REASON;
      },
      &result);
  return result.found;
}

struct stack_of_thread {
  std::uintptr_t begin = 0, size = 0;
  stack_of_thread() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* from = nullptr;
    std::size_t bytes = 0;
    if (pthread_attr_getstack(&attributes, &from, &bytes) == 0) begin = as_number(from), size = bytes;
    pthread_attr_destroy(&attributes);
  }
  ~stack_of_thread();
  bool contains(std::uintptr_t address) const { return address - begin < size; }
};
thread_local stack_of_thread own_stack;

}  // namespace

struct ordinary_memory::state {
  bool freed = false, thread_ended = false;  // with the mutex of all
  call_stack freed_at{};
  std::uintptr_t stack = 0;  // of the thread that has it on its stack
  std::optional<stack_frame> of{};
  vector_clock until{};  // with the lock of all streams
  std::string used_at{};
};

/// All that is watched. Never destroyed.
class watched_memory {
 public:
  static watched_memory& all() {
    static auto& one = *new watched_memory;
    return one;
  }

  void add(ordinary_memory* memory) {
    const busy now(*this);
    memories_.push_back(memory);
    find_bounds();
  }
  void remove(ordinary_memory* memory) {
    const busy now(*this);
    std::erase(memories_, memory);
    find_bounds();
  }
  template <class Work>
  void for_each_in(std::uintptr_t begin, std::size_t size, Work&& work) {
    const busy now(*this);
    for (ordinary_memory* each : memories_)
      if (as_number(each->use_.begin) < begin + size && begin < as_number(each->use_.begin) + each->use_.size)
        work(each->use_, *each->state_);
  }

  static bool may_hold(std::uintptr_t begin, std::size_t size) {
    return begin < end_.load(std::memory_order_relaxed) &&
           begin + size > first_.load(std::memory_order_relaxed);
  }
  static bool any_before(std::uintptr_t address) { return address < end_.load(std::memory_order_relaxed); }
  /// What this thread frees now is this list's.
  static constinit thread_local bool is_busy;

 private:
  class busy {
   public:
    explicit busy(watched_memory& all) : lock_((is_busy = true, all.mutex_)) {}
    busy(const busy&) = delete;
    ~busy() { is_busy = false; }

   private:
    std::lock_guard<std::mutex> lock_;
  };
  void find_bounds() {
    std::uintptr_t first = ~std::uintptr_t{0}, end = 0;
    for (const ordinary_memory* each : memories_) {
      first = std::min(first, as_number(each->use_.begin));
      end = std::max(end, as_number(each->use_.begin) + each->use_.size);
    }
    first_ = first;
    end_ = end;
  }

  std::mutex mutex_;
  std::vector<ordinary_memory*> memories_;
  static constinit std::atomic<std::uintptr_t> first_, end_;
};
constinit thread_local bool watched_memory::is_busy = false;
constinit std::atomic<std::uintptr_t> watched_memory::first_{~std::uintptr_t{0}}, watched_memory::end_{0};

namespace {

stack_of_thread::~stack_of_thread() {
  watched_memory::all().for_each_in(begin, size, [&](const use_of_host&, auto& state) {
    if (state.stack == begin) state.thread_ended = true;
  });
}

/// Called before the program gives memory of its heap back.
void goes(const void* pointer) {
  const std::uintptr_t begin = as_number(pointer);
  if (!watched_memory::any_before(begin) || watched_memory::is_busy) return;
  const std::size_t size = malloc_usable_size(const_cast<void*>(pointer));
  if (!watched_memory::may_hold(begin, size) || !settings().checking) return;
  // What is freed is watched no more: the memory may be this library's own next.
  bool found = false;
  watched_memory::all().for_each_in(
      begin, size, [&](const use_of_host&, auto& state) { found |= !std::exchange(state.freed, true); });
  if (!found) return;
  const call_stack here = caller_outside();
  order_state& order = the_order();
  std::unique_lock lock(order.mutex, std::try_to_lock);  // whoever frees may have it
  std::string too_early;
  watched_memory::all().for_each_in(begin, size, [&](const use_of_host& use, auto& state) {
    if (state.freed_at.pcs[0] != 0) return;
    state.freed_at = here;
    if (lock && !order.host.covers(state.until))
      too_early = "  a node of the graph launched at " + state.used_at + " " + use.verb + " " +
                  std::to_string(use.size) + " bytes there, and the host has not waited for that";
  });
  if (lock) lock.unlock();
  if (too_early.empty()) return;
  run_kept();  // it may still read what is about to go
  const std::string line = line_of(here);
  conclude_in_host_code(
      {finding_kind::use_after_free,
       (line.empty() ? "somewhere" : line) +
           ": error: the host frees memory that a graph still works with\n" + too_early +
           "\n  On a GPU the node may run after this. Missing: cudaStreamSynchronize() before "
           "the memory goes."});
}

using free_function = void (*)(void*);
std::atomic<free_function> next_free{nullptr};

[[gnu::constructor]] void find_next_free() {
  next_free = reinterpret_cast<free_function>(dlsym(RTLD_NEXT, "free"));
}

}  // namespace

ordinary_memory::ordinary_memory(const use_of_host& use) : use_(use), state_(std::make_unique<state>()) {
  if (own_stack.contains(as_number(use.begin))) {
    state_->stack = own_stack.begin;
    state_->of = frame_around(as_number(use.begin));
  }
  watched_memory::all().add(this);
}

ordinary_memory::~ordinary_memory() { watched_memory::all().remove(this); }

void ordinary_memory::used_until(const vector_clock& finished, const std::string& place) {
  if (use_.is_data_of_function) return;
  state_->until = finished;
  state_->used_at = place;
}

std::string ordinary_memory::why_gone() const {
  std::string gone;
  const auto address = as_number(use_.begin);
  if (state_->freed) {
    const std::string line = line_of(state_->freed_at);
    gone = "that was freed" + (line.empty() ? "" : " at " + line);
  } else if (state_->thread_ended) {
    gone = "on the stack of a thread that has ended";
  } else if (state_->of && state_->stack == own_stack.begin) {
    int here = 0;
    const auto now = frame_around(address);
    const bool returned =
        own_stack.contains(as_number(&here)) && (address < as_number(&here) || (now && *now != *state_->of));
    if (returned) gone = "that was a variable of a function that has returned";
  }
  if (gone.empty()) return "";
  return std::string(use_.verb) + " " +
         (use_.is_data_of_function ? "data" : std::to_string(use_.size) + " bytes of host memory") + " " +
         gone;
}

}  // namespace cuda_emulator

extern "C" {
EMULATOR_API void free(void* pointer) noexcept {
  using namespace cuda_emulator;
  if (pointer == nullptr) return;
  goes(pointer);
  if (const free_function next = next_free.load(std::memory_order_relaxed))
    next(pointer);  // else before the program
}
}
