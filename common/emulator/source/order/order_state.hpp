// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What streams.cpp, work.cpp and pending.cpp share.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "accesses.hpp"
#include "device/devices.hpp"
#include "looked_at.hpp"
#include "pending.hpp"
#include "streams.hpp"

namespace cuda_emulator {

/// An operation that has not run yet.
struct kept_work {
  work mine;
  work_body body;
  manner how;
};

struct order_state {
  std::mutex mutex;
  CUstream_st default_streams[most_devices];
  vector_clock gone[most_devices];  ///< What streams that were destroyed had to do.
  std::set<CUstream_st*> streams;   ///< All others.
  std::set<const CUevent_st*> events;
  std::vector<std::uint64_t> last;              ///< The last tick of each timeline.
  std::vector<std::uint32_t> free_timelines{};  ///< Of streams that are gone, and whose work is waited for.
  vector_clock host;                            ///< What the host has waited for.
  access_map accesses;
  /// Where nothing can depend on the order, the default stream's work is counted and no more: how much of it
  /// there was, and how much the host has waited for.
  std::uint64_t unnoted_given = 0, unnoted_waited = 0;
  std::uint64_t operations = 0;  ///< That streams were given.
  /// What has run. A stream is one timeline, of which operations run in order.
  vector_clock done;
  std::map<std::uint32_t, std::deque<kept_work>> kept;  ///< By timeline; never an empty one.
  /// What the host had waited for when an operation was given that has not finished, by its number.
  std::map<std::uint64_t, vector_clock> open;
  /// The host's own timeline: where work is kept, its accesses are noted. Between two calls it has one tick.
  static constexpr std::uint32_t of_host = 1;

  /// Operations that end after something that is not in the clock with which they began: the other side of a
  /// message, or what was done before a flag was raised.
  std::vector<std::pair<epoch, vector_clock>> late;
  /// What comes before a flag, by its address.
  std::unordered_map<std::uintptr_t, vector_clock> flags;

  /// Calls of cudaStreamWaitEvent(), the last ones.
  struct wait_call {
    std::shared_ptr<const stream_label> waits, recorded_in;
    call_stack made_at;
    std::uint64_t operations;  ///< That streams had been given.
  };
  std::deque<wait_call> waits;

  order_state();
  std::uint32_t new_timeline();
  /// What an operation in the stream comes after.
  vector_clock before(const CUstream_st& stream) const;
  /// What it comes after because of its own stream and of the host alone.
  vector_clock of_stream_alone(const CUstream_st& stream) const;
  /// What the device was given so far.
  vector_clock all_of(int device) const;
  void host_reaches(const vector_clock& clock);
  void host_reaches(const point& at);
  /// What this thread of the host knows, its own last accesses included.
  vector_clock host_now() const;
  /// The clock, with what all that is in it has heard of others.
  vector_clock with_late(const vector_clock& clock) const;
  /// The same as far as that is done: a kernel that has raised a flag may go on.
  vector_clock with_heard(const vector_clock& clock) const;
  /// The operation begins to run, and has ended.
  void begins(const operation& op);
  void ends(const operation& op);
  /// What every operation that is not done comes after: accesses until then are of no interest any more.
  const vector_clock& settled() const { return open.empty() ? host : open.begin()->second; }
};

/// Never destroyed: programs may use streams until the very end.
order_state& the_order();

/// What this thread began after, which the rest of the host may not have waited for. Null where that is
/// nothing.
extern constinit thread_local const vector_clock* begun_after;

/// There are streams besides the default one: all memory is of interest. Else only what the host can use.
extern std::atomic<bool> several_streams;
/// There is memory that host and device use: pinned, registered or managed.
extern std::atomic<bool> memory_of_both;

}  // namespace cuda_emulator
