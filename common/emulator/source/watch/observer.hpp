// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Sees every access of the kernels that one worker runs: counts it, and checks it against what is known of
// the memory.
#pragma once

#include <cstdint>

#include <atomic>
#include <memory>
#include <vector>

#include "block_trace.hpp"
#include "copies_under_way.hpp"
#include "device/settings.hpp"
#include "launch_state.hpp"
#include "memory/shared_memory.hpp"
#include "memory/variables.hpp"
#include "raw_finding.hpp"
#include "stamps.hpp"
#include "step_trace.hpp"
#include "thread_clocks.hpp"
#include "warp_trace.hpp"

namespace cuda_emulator {

/// Who runs the kernels that an observer sees.
class observed {
 public:
  virtual bool on_stack(const void* address) const = 0;
  /// Ends the launch from within a kernel: all its threads are forgotten where they stand.
  [[noreturn]] virtual void abandon() = 0;

 protected:
  ~observed() = default;
};

/// Which block a worker was running from when on. Kept for the length of a launch.
struct block_entry {
  std::uint64_t begin;         ///< time of the worker
  std::uint64_t block;         ///< index in the grid
  std::uint32_t first_handed;  ///< the first of its hand_over
};

/// A __threadfence() of a thread, or an atomic or a volatile store behind one, by which others learn of what
/// was done. Before `block_before` is what barriers have ordered before it, of all threads of the block, and
/// before `warp_before` the same of its warp.
struct hand_over {
  std::uint64_t time, block_before, warp_before;
  std::uint16_t thread;
  bool is_fence;
};

class observer {
 public:
  /// `number` is below most_workers, and different for each; `shared` is the memory of the owner's blocks,
  /// `copies` what is under way to it.
  observer(observed& owner, shared_arena& shared, const copies_under_way& copies, unsigned number,
           int device);

  /// Before the workers of a launch begin: what was noted so far by those of its device is of earlier
  /// launches.
  static void new_launch(int device);
  void begin_launch(launch_state& launch);
  void begin_block(std::uint64_t block);
  /// What is kept of a block while it waits for the grid: what each lane of each warp loaded and stored, and
  /// how long its way was.
  struct warp_work_seen {
    std::uint32_t loads[32] = {};
    std::uint32_t stored = 0;
    std::uint64_t way[32] = {};
  };
  std::vector<warp_work_seen> park();
  /// The block goes on; everything that came before is ordered.
  void resume(std::uint64_t block, const std::vector<warp_work_seen>& seen);
  /// All threads of the block have met.
  void barrier();
  /// Those of a tile of several warps have met. Times are kept for the block and for lanes of a warp, not for
  /// such tiles: what came before is now ordered for all threads of the block, so that a race between two
  /// tiles may be missed.
  void tile_barrier();
  /// `lanes` of a warp have met; `everybody`: no lane that is not finished was missing.
  void met(int warp, unsigned lanes, bool everybody, bool orders_memory);
  /// Where `lane` of the warp that runs has accessed memory after it left the way of `others`, on a later
  /// line of the source than `pc`; 0: nowhere since lanes last met.
  std::uint64_t accessed_beyond(int lane, unsigned others, std::uint64_t pc) const {
    return trace_.accessed_beyond(lane, others, pc);
  }
  /// The thread that runs is at `pc`: what it was about to write elsewhere is written.
  void settle(std::uint64_t pc) {
    if (writing_.load(std::memory_order_relaxed) != 0 && writing_at_ != pc)
      writing_.store(0, std::memory_order_release);
    if (unsettled_) [[unlikely]]
      settle_writes(pc);
  }
  /// The warp that ran goes no further for now.
  void leave_warp(int warp) { fold(warp); }
  void become(int thread);
  void fence();
  /// Called with the launch's mutex held.
  count_totals end_launch();

  /// An access of 1, 2, 4, 8 or 16 bytes by the thread that runs. True: let the rest of the warp catch up
  /// first.
  void next_is_volatile() { next_is_volatile_ = true; }
  bool observe(const volatile void* address, unsigned size, access_kind kind, std::uint64_t pc,
               unsigned unit = 0, bool reads = true);

  /// The thread that runs asks for this copy, of which the source has been observed already.
  void begin_copy(copy_under_way& copy);
  /// The copy lands now, for the thread that runs. True as for observe().
  bool land(const copy_under_way& copy);

  /// The same for bulk copies, which are no accesses of lanes: nothing is counted.
  void begin_bulk_copy(copy_under_way& copy);
  /// One to global memory has read its source, for the thread that runs, which waits for that.
  void collect(const copy_under_way& copy) { check_source(copy, access_kind::read); }
  void land_bulk_copy(const copy_under_way& copy);
  /// A copy that a barrier in shared memory completes lands: for those who know what `completed` says.
  void deliver(const copy_under_way& copy, known_times& completed);

  // Barriers in shared memory.
  void use_clocks() { clocks_.use(); }
  /// What the thread that runs has done and knows is told to who will know `times`.
  void release(known_times& times);
  /// `thread` has waited for what `times` says.
  void acquire(int thread, const known_times& times);
  /// For knows(): the thread that runs, now.
  std::uint64_t stamp_here(std::uint64_t pc) const;
  /// Does what this stamps come before what the thread that runs does?
  bool knows(std::uint64_t stamp);

  /// What is observed next at `pc` is a piece of an object of `size` bytes whose type has at most this
  /// alignment. Gaps that alignment leaves in it need not be written.
  void within(const volatile void* object, std::size_t size, unsigned alignment, std::uint64_t pc) {
    object_ = {static_cast<const volatile char*>(object), size, alignment, pc};
  }

  /// A texture function was called.
  void count_fetch() { ++totals_.texture_fetches; }
  /// It will read this texture, of elements of so many bytes, at this point, in texels.
  void begin_fetch(std::uint64_t texture, const double (&point)[3]) {
    if (recorded_ != nullptr) fetch_number_ = recorded_->begin_fetch(texture, point);
  }
  /// It has read what it reads. True: let the rest of the warp catch up first.
  bool end_fetch(unsigned element_bytes, std::uint64_t pc);
  /// One texel that it reads. `may_change`: kernels could write the memory that the texture is bound to.
  struct texel {
    std::uint64_t texture;
    std::int64_t x, y, z;
  };
  void fetch(const void* address, unsigned size, const texel& which, bool may_change, std::uint64_t pc);
  /// A fetch that cannot be done; `why` is the rest of the message.
  void refuse_fetch(finding_kind kind, std::uint64_t texture, const char* why, std::uint64_t pc);

  /// 16 bytes at a multiple of 8: right for a pair of doubles, wrong for a float4, and not to be told apart.
  void note_wide_access(const void* address, access_kind kind, std::uint64_t pc);
  const raw_finding& last_wide_access() const { return last_wide_access_; }

  /// What the thread has looked at is acquired.
  void hear();

  /// The thread that runs begins a basic block. True as above.
  bool step(std::uint64_t pc) {
    settle(pc);
    last_step_.store(pc, std::memory_order_relaxed);
    return trace_.add_step(static_cast<int>(static_cast<unsigned>(current_) % 32), pc);
  }
  /// For other operating-system threads: the basic block that was begun last.
  std::uint64_t last_step() const { return last_step_.load(std::memory_order_relaxed); }
  /// The same for what it has loaded and stored so far, about.
  std::uint64_t accesses() const;

  // Of the block whose steps are recorded; elsewhere they do nothing.
  bool records_steps() const { return steps_ != nullptr; }
  void note_line(std::uint64_t pc);
  void note_numbers(const char* name, long long element, number_type type, const void* value,
                    std::uint64_t pc);
  void note_local_array(const char* name, void* begin, number_type of, std::size_t count, bool initialized,
                        std::uint64_t pc);
  void note_element(const void* element, number_type type, std::uint64_t pc);
  void note_address(const char* name, const volatile void* pointer, number_type of, std::uint64_t pc);
  void note_array(const char* name, const volatile void* begin, number_type of,
                  const std::size_t (&extents)[4]);
  /// What the atomic operation has returned that was observed last.
  void note_atomic(const char* name, std::uint64_t old, unsigned size);
  /// The thread that runs comes to a barrier; `thread` has returned.
  void note_barrier(const char* name, std::uint64_t pc);
  void note_return(int thread);
  /// Not of the thread that runs, but of one that it frees.
  void note_collective(int thread, const step_trace::part_of_collective& part, std::uint64_t pc);
  std::uint64_t next_group() { return steps_->next_group(); }

  std::uint64_t time() const { return time_; }
  const block_entry* entry_at(std::uint64_t time) const;

 private:
  void fold(int warp) {
    if (recorded_ != nullptr) recorded_->of_warp(warp);
    trace_.add_ways(of_warp_[warp].way);
    if (steps_ != nullptr) {
      fold_with_steps(warp);
      return;
    }
    trace_.fold(totals_);
  }
  void fold_with_steps(int warp);
  void add_event(std::uint64_t event) { trace_.add_event(current_ % 32, event); }
  void record_access(const volatile void* address, unsigned size, access_kind kind, std::uint64_t pc);
  void end_block();
  void begin_interval_of_block();
  void record_here();
  struct place {
    space where;
    std::size_t offset;        // into the shadow
    std::uint64_t counted;     // stands for the address when counting
    shadow_range* shadow;      // null: nothing is known of the bytes
    bool initialized = false;  // its bytes are always defined
    bool awaits_copy = false;  // see variable_record
    bool of_peer = false;      // another device's memory
  };
  void note_touch(const volatile void* address, unsigned size, access_kind kind) {
    const touch_kind as = talks_                       ? touch_kind::atomic
                          : only_reads(kind)           ? touch_kind::read
                          : kind == access_kind::write ? touch_kind::write
                                                       : touch_kind::atomic;
    const auto number = reinterpret_cast<std::uintptr_t>(const_cast<const void*>(address));
    if (flags_ != nullptr) [[unlikely]]
      flags_->latest.add(number, size, {as, flags_->heard, 0});
    else
      touched_->add(number, size, {as});
  }
  void talk(const volatile void* address, access_kind kind);
  void end_flags_of_block();
  bool locate(const volatile void* address, unsigned size, place& result);
  void check_copied(const place& p, const volatile void* address, unsigned size, std::uint64_t pc);
  bool locate_peer(const char* address, place& result) const;
  void note_peer(const place& p, const volatile void* address, unsigned size, access_kind kind,
                 std::uint64_t pc);
  [[noreturn]] void foreign(const volatile void* address, unsigned size, access_kind kind, std::uint64_t pc);
  void misaligned(const volatile void* address, unsigned size, access_kind kind, std::uint64_t pc);
  /// False: the access has been reported as one that comes before a copy lands.
  bool check_states(const place& p, const volatile void* address, unsigned size, access_kind kind, bool reads,
                    std::uint64_t pc);
  void report_under_way(const volatile void* address, unsigned size, access_kind kind, std::uint64_t pc);
  void check_source(const copy_under_way& copy, access_kind kind);
  void begin_target(const copy_under_way& copy);
  void begin_source(copy_under_way& copy);
  void check_piece(const char* piece, unsigned size, access_kind kind, std::uint64_t pc);
  bool finish_target(const copy_under_way& copy, place& to);
  bool only_gaps_unwritten(const place& p, const volatile void* address, unsigned size,
                           std::uint64_t pc) const;
  void check_races(const place& p, const volatile void* address, unsigned size, access_kind kind,
                   std::uint16_t site, std::uint64_t pc);
  struct access {
    const volatile void* address;
    unsigned size;
    access_kind kind;
    std::uint64_t pc;
    std::uint64_t mine;  // the stamp
  };
  void check_cell(cell& c, const access& a);
  bool conflicts(stamp other) const;         // in races.cpp, where it is part of every check
  bool could_come_after(stamp other) const;  // the same for other files
  bool ordered_by_fence(stamp other) const;
  bool has_fence(stamp other) const;
  bool handed_over(stamp what) const;
  void hand_over_by(bool fence);
  void note_release();
  bool ordered_by_fence_here(stamp other) const;
  bool flag_after_fence(stamp other) const;
  bool of_other_block(stamp other) const;
  /// Has the other block, which made this access, called __threadfence()?
  bool fenced_elsewhere(stamp other) const;
  bool of_this_launch(stamp other) const;
  void remember_reader(cell& c, std::uint64_t mine);
  void report(finding_kind kind, const volatile void* address, unsigned size, access_kind what,
              std::uint64_t pc, std::uint64_t other = 0, bool same_value = false);
  void report_racing_write(const access& a, std::uint64_t other);
  [[gnu::noinline]] void settle_writes(std::uint64_t pc);
  std::uint64_t wrapped(const volatile void* address, unsigned size) const;
  raw_finding found(finding_kind kind, const volatile void* address, unsigned size, access_kind what,
                    std::uint64_t pc, std::uint64_t other) const;

  observed& owner_;
  shared_arena& shared_;
  const copies_under_way& copies_;
  unsigned number_;
  int device_;
  launch_state* launch_ = nullptr;
  std::uint64_t block_ = 0;  // index in the grid
  const char* device_begin_ = nullptr;
  std::size_t device_first_ = 0, device_span_ = 0;  // the part of the launch's device
  count_totals totals_;
  warp_work_seen of_warp_[32];  // of the block that runs
  bool is_parked_ = false;      // that block waits for the grid and has not ended
  warp_trace trace_;
  std::unique_ptr<touched_pages> touched_;  // null where nobody wants to know
  /// Of the block that runs, where there are several devices: what its flags say to kernels of others.
  struct flags_of_block {
    touched_pages latest, fenced;          // since its last fence; before that, and not released
    std::uint8_t heard = 0, released = 0;  // marks of what comes now
    const volatile void* seen[1024] = {};  // by thread: a flag that it has looked at and not acquired yet
    bool any_seen = false;
    const volatile void* known = nullptr;
    std::uint64_t known_changes = 0;
  };
  std::unique_ptr<flags_of_block> flags_;
  std::unique_ptr<block_trace> recorded_;       // of the block that a trace is wanted of
  std::unique_ptr<step_trace> recorded_steps_;  // likewise, where steps are wanted, too
  step_trace* steps_ = nullptr;                 // the same while that block runs
  shadow_range shared_shadow_;

  // Times (see stamps.hpp).
  std::uint64_t time_ = 1, launch_begin_ = 1, block_begin_ = 1, interval_begin_ = 1;
  std::uint64_t warp_time_[32] = {};
  thread_clocks clocks_;
  std::uint64_t own_time_[1024] = {};  // since when each thread goes on after its last release
  bool partial_[32] = {};              // lanes of this warp have met in parts since the interval began
  struct lane_times {
    std::uint64_t own[32];       // the lane's own time
    std::uint64_t seen[32][32];  // [lane][other]: what the other did before this came before the lane
  };
  lane_times* partial_times_ = nullptr;  // 32 of them, one per warp
  std::uint64_t current_time_ = 1;
  int current_ = 0;
  std::atomic<std::uint64_t> last_step_{0};
  bool in_shared_ = false;           // the access that is looked at
  bool plain_write_ = false;         // as above
  unsigned size_ = 0;                // of the access that is looked at
  bool is_volatile_ = false;         // as above
  bool lands_ = false;               // it is a copy that lands: its thread stands elsewhere
  bool next_is_volatile_ = false;    // the one that comes next
  bool talks_ = false;               // kernels of two devices may hand data on by it
  const texel* fetching_ = nullptr;  // where that is through a texture
  std::uint64_t fetch_number_ = 0;   // as the trace numbers them; 0 without one

  // Who has used atomics since the block began, and may therefore have waited for others.
  bool block_acquired_ = false;
  std::uint32_t acquired_[32] = {};
  std::uint64_t thread_fence_[1024] = {};  // when each thread last called __threadfence()
  // When the last fence of the block was, and for each thread what of it and of barriers came before the last
  // release that is kept.
  std::uint64_t last_fence_ = 0;
  struct {
    std::uint64_t fence, interval;
  } released_[1024] = {};

  block_entry* entries_ = nullptr;
  std::atomic<std::uint32_t> entry_count_{0};
  static constexpr std::uint32_t most_handed = 1 << 24;  // of one launch; each worker remembers its own
  hand_over* handed_ = nullptr;
  std::atomic<std::uint32_t> handed_count_{0};

  // Writes that race with another one, until it is seen whether they change anything.
  struct racing_write {
    int thread;
    unsigned size;
    const void* address;
    std::uint64_t pc, other_pc;
    unsigned char before[16];
  };
  std::vector<racing_write> racing_writes_;
  bool unsettled_ = false;                 // there are some
  std::atomic<std::uint64_t> writing_{0};  // the stamp of the write to global memory that comes next
  std::uint64_t writing_at_ = 0;  // its line: all parts of an object are told of before the first is written
  std::atomic<std::uint64_t> awaited_{0};  // the write of another worker that this one waits for

  const variable_record* last_variable_ = nullptr;
  struct {
    const volatile char* begin = nullptr;
    std::size_t size = 0;
    unsigned alignment = 1;
    std::uint64_t pc = 0;
  } object_;
  raw_finding last_wide_access_{.kind = finding_kind::misaligned};
};

/// The observer of the worker that runs on this operating-system thread; null outside of kernels and without
/// checks.
extern constinit thread_local observer* current_observer __attribute__((tls_model("initial-exec")));
extern observer* observers[most_workers];

}  // namespace cuda_emulator
