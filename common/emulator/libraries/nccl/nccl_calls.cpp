// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// NCCL's functions.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <thread>

#include "device/devices.hpp"
#include "device/errors.hpp"
#include "device/libraries.hpp"
#include "device/settings.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/variables.hpp"
#include "nccl_comm.hpp"
#include "order/graph.hpp"
#include "tell/findings.hpp"
#include "tell/named_memory.hpp"

namespace cuda_emulator::nccl {
namespace {

struct queued_call {
  ncclComm* comm;
  cudaStream_t stream;
  CUstream_st* found;
  call what;
};

/// Groups of this thread of the host.
struct group {
  int depth = 0;
  std::string begun_at{};
  std::vector<queued_call> calls{};
  std::vector<ncclComm*> joining{};  // that wait for the other ranks at its end
  ncclResult_t failed = ncclSuccess;
};
thread_local group mine;

// Groups that threads have begun and not ended; for the end of the program.
std::mutex& open_mutex = *new std::mutex;
std::map<pid_t, std::pair<std::string, std::size_t>>& open_groups =
    *new std::map<pid_t, std::pair<std::string, std::size_t>>;

thread_local std::string last_nccl_error;

ncclResult_t refuse(ncclResult_t code, const std::string& why) {
  last_nccl_error = why;
  const std::string place = line_of(caller_outside());
  std::fprintf(stderr, "%s: note: NCCL refuses this call: %s\n", place.empty() ? "somewhere" : place.c_str(),
               why.c_str());
  if (mine.depth > 0 && mine.failed == ncclSuccess) mine.failed = code;
  return code;
}

std::string here() {
  const std::string place = line_of(caller_outside());
  return place.empty() ? "somewhere" : place;
}

void found(finding_kind kind, const std::string& text) {
  if (!settings().checking) return;
  mine = {};  // where the program goes on at all, it does so without this group
  {
    const std::lock_guard lock(open_mutex);
    open_groups.erase(this_thread().thread);
  }
  conclude({finding(kind, text)});
}

// ---- communicators

std::map<std::string, std::weak_ptr<opened_board>>& opened =
    *new std::map<std::string, std::weak_ptr<opened_board>>;
std::mutex& opened_mutex = *new std::mutex;

std::shared_ptr<opened_board> board_of(const ncclUniqueId& id) {
  const std::string name(id.internal, strnlen(id.internal, sizeof id.internal));
  const std::lock_guard lock(opened_mutex);
  if (auto known = opened[name].lock()) return known;
  int file = -1;
  board* const found =
      name.compare(0, 20, "/cuda_emulator_nccl_") == 0 ? open_shared_board(name, file) : nullptr;
  if (found == nullptr) return nullptr;
  auto made = std::make_shared<opened_board>(found, file, name);
  opened[name] = made;
  return made;
}

/// The rank is on its board from now on; others may not be yet.
ncclResult_t join(const std::shared_ptr<opened_board>& on, int ranks, int rank, int device,
                  ncclComm_t* comm) {
  board& b = *on->shown;
  const std::string place = here();
  std::string wrong;
  {
    const hold lock(b);
    member& self = b.members[rank];
    if (b.ranks == 0) b.ranks = ranks;
    if (b.ranks != ranks)
      wrong = "the communicator has " + std::to_string(b.ranks) + " ranks where another rank made it, and " +
              std::to_string(ranks) + " here";
    else if (self.state != presence::expected)
      wrong = "rank " + std::to_string(rank) + " has come before, at " + self.came_at +
              ": an id is for one communicator, and each rank comes once";
    for (int r = 0; r < ranks && wrong.empty(); ++r)
      if (r != rank && b.members[r].state == presence::here && b.members[r].device == device)
        wrong = "ranks " + std::to_string(std::min(r, rank)) + " and " + std::to_string(std::max(r, rank)) +
                " both use device " + std::to_string(device) +
                " (duplicate GPU): cudaSetDevice() before ncclCommInitRank() says which one a rank uses" +
                (device_count() == 1 ? ", and EMULATOR_DEVICES how many there are" : "");
    if (wrong.empty()) {
      self.state = presence::here;
      self.device = device;
      self.driver = this_thread();
      std::snprintf(self.came_at, sizeof self.came_at, "%s", place.c_str());
      std::snprintf(self.last, sizeof self.last, "the making of the communicator at %s", place.c_str());
      if (++b.arrived == ranks && !on->name.empty()) remove_name(on->name);
      ++b.changes;
    } else {
      b.fail(place + ": error: a communicator cannot be made\n  " + wrong);
    }
  }
  if (!wrong.empty()) return refuse(ncclInvalidUsage, wrong);
  *comm = new ncclComm{on, rank, ranks, device, caller_outside()};
  add_comm(*comm);
  return ncclSuccess;
}

/// Waits for all ranks.
ncclResult_t wait_for_ranks(ncclComm& comm) {
  board& b = comm.board();
  const std::uint64_t begin = now_ms();
  while (true) {
    std::string failure;
    {
      const hold lock(b);
      if (b.failed) failure = b.why;
      if (b.arrived == comm.ranks && failure.empty()) return ncclSuccess;
      for (int r = 0; r < comm.ranks && failure.empty(); ++r)
        if (const member& m = b.members[r];
            m.state == presence::here && !lives(m.driver) && m.driver.process != getpid())
          failure = "rank " + std::to_string(r) + " (process " + std::to_string(m.driver.process) +
                    ") has ended before all ranks had come";
      if (failure.empty() && static_cast<double>(now_ms() - begin) / 1000 > settings().wait) {
        for (int r = 0; r < comm.ranks; ++r)
          if (b.members[r].state == presence::expected)
            failure += (failure.empty() ? "rank " : ", rank ") + std::to_string(r);
        char seconds[40];
        std::snprintf(seconds, sizeof seconds, "%g", settings().wait);
        failure +=
            std::string(" of ") + std::to_string(comm.ranks) + " has not come for " + seconds +
            " seconds. One thread that makes several ranks puts the calls between\n  ncclGroupStart() and "
            "ncclGroupEnd(). (EMULATOR_WAIT in the environment is the number of seconds.)";
      }
      if (!failure.empty() && !b.failed)
        b.fail(std::string(comm.self().came_at) + ": error: a communicator is not complete\n  " + failure);
    }
    if (!failure.empty()) {
      if (!comm.on->name.empty()) remove_name(comm.on->name);
      conclude_failure(*comm.on);
      return ncclRemoteError;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

ncclResult_t leave(ncclComm_t comm, const char* function) {
  {
    board& b = comm->board();
    const hold lock(b);
    member& self = comm->self();
    self.state = presence::left;
    std::snprintf(self.left_at, sizeof self.left_at, "%s (%s)", here().c_str(), function);
    ++b.changes;
  }
  remove_comm(comm);
  release(comm);
  return ncclSuccess;
}

// ---- calls

std::string who(const ncclComm& comm, const call& c, const char* does) {
  return "rank " + std::to_string(comm.rank) + " " + does + " " + std::to_string(c.count) + " " +
         name_of(c.type);
}

/// "4 bytes before "
std::string beside(const char* begin, const allocation& near) {
  const char* const end = near.begin + near.size;
  return begin < near.begin ? bytes(static_cast<std::uint64_t>(near.begin - begin)) + " before "
                            : bytes(static_cast<std::uint64_t>(begin - end)) + " behind the end of ";
}

/// Is all of the buffer memory that the device of the communicator has? What is not is found at the call.
bool check_buffer(const ncclComm& comm, const call& c, const char* does, const void* pointer,
                  std::uint64_t size) {
  if (size == 0) return true;
  const std::string title = c.place + ": error: ", function = std::string(function_of(c.what)) + "()";
  device_memory& memory = device_memory::instance();
  const auto* const begin = static_cast<const char*>(pointer);
  if (memory.contains(pointer)) {
    const auto at = memory.find(pointer);
    if (!at) {
      const auto freed = memory.freed(pointer);
      const auto near = memory.near(pointer);
      found(freed ? finding_kind::use_after_free : finding_kind::out_of_bounds,
            title + (freed ? "use of freed memory by " : "access out of bounds by ") + function + "\n  " +
                who(comm, c, does) + ", and the buffer is in " +
                (freed  ? allocated(*freed, 0) + ", which has been freed"
                 : near ? "no allocation; it begins " + beside(begin, *near) + allocated(*near, 0)
                        : "no allocation") +
                "\n  Usual cause: an index that is negative, or a buffer of another size.");
      return false;
    }
    const auto rest = static_cast<std::uint64_t>(at->begin + at->size - begin);
    if (size > rest) {
      found(finding_kind::out_of_bounds, title + "access out of bounds by " + function + "\n  " +
                                             who(comm, c, does) + ", which is " + bytes(size) +
                                             ", but from the pointer on there are\n  only " + bytes(rest) +
                                             " in " + allocated(*at, size_of(c.type)) +
                                             "\n  Usual cause: a halo that was not allocated, "
                                             "or a count in bytes where elements are meant.");
      return false;
    }
    if (at->kind == allocation_kind::device && memory.device_of(pointer) != comm.device) {
      found(finding_kind::other_device, title + "memory of another device given to " + function + "\n  " +
                                            who(comm, c, does) + ". It uses " + device_text(comm.device) +
                                            ", and the buffer is " + allocated(*at, 0) + ",\n  of " +
                                            device_text(memory.device_of(pointer)) +
                                            "\n  Usual cause: the wrong device was current for cudaMalloc(), "
                                            "or the communicator is another rank's.");
      return false;
    }
    return true;
  }
  if (find_variable(pointer) != nullptr || registered_at(pointer)) return true;
  found(finding_kind::host_pointer,
        title + "host memory given to " + function + "\n  " + who(comm, c, does) +
            ", and the buffer is ordinary memory of the host\n  NCCL sends memory of devices: "
            "copy it there by cudaMemcpy() first.");
  return false;
}

bool overlap(const void* a, std::uint64_t a_size, const void* b, std::uint64_t b_size) {
  const auto *x = static_cast<const char*>(a), *y = static_cast<const char*>(b);
  return a_size != 0 && b_size != 0 && x < y + b_size && y < x + a_size;
}

/// Reductions and gathers may be in place; nothing else may overlap.
bool check_overlap(const ncclComm& comm, const call& c) {
  const std::uint64_t in = c.bytes_in(comm), out = c.bytes_out(comm);
  if (is_message(c.what) || !overlap(c.from, in, c.to, out)) return true;
  const std::uint64_t own = static_cast<std::uint64_t>(comm.rank) * c.count * size_of(c.type);
  const auto *from = static_cast<const char*>(c.from), *to = static_cast<const char*>(c.to);
  if (c.what == action::all_gather       ? from == to + own
      : c.what == action::reduce_scatter ? to == from + own
                                         : from == to)
    return true;
  found(finding_kind::message,
        c.place + ": error: " + function_of(c.what) + "() with buffers that overlap\n  " +
            who(comm, c, "sends") + ", and what it receives lies partly at the same place\n  In place is: " +
            (c.what == action::all_gather       ? "the sent elements at recvbuff + rank * count."
             : c.what == action::reduce_scatter ? "the received elements at sendbuff + rank * count."
                                                : "both buffers the same.") +
            " On a GPU the result is anything.");
  return false;
}

ncclResult_t give_batches(std::vector<queued_call>&& calls);

ncclResult_t add(ncclComm_t comm, cudaStream_t stream, call c) {
  c.place = here();
  if (!is_living(comm))
    return refuse(ncclInvalidArgument, "this is no communicator, or it has been destroyed");
  if (comm->finalized) return refuse(ncclInvalidUsage, "the communicator has been finalized");
  if (size_of(c.type) == 0)
    return refuse(ncclInvalidArgument,
                  c.type == ncclFloat8e4m3 || c.type == ncclFloat8e5m2
                      ? "numbers of 8 bits (ncclFloat8e4m3, ncclFloat8e5m2) are not emulated"
                      : "this is no type");
  if (reduces(c.what) && (c.operation < ncclSum || c.operation > ncclAvg))
    return refuse(ncclInvalidArgument, "this is no operation");
  const bool has_peer = is_message(c.what) || c.what == action::reduce || c.what == action::broadcast;
  if (has_peer && (c.peer < 0 || c.peer >= comm->ranks))
    return refuse(ncclInvalidArgument,
                  "there is no rank " + std::to_string(c.peer) + " among " + std::to_string(comm->ranks));
  const std::uint64_t in = c.bytes_in(*comm), out = c.bytes_out(*comm);
  if ((in != 0 && c.from == nullptr) || (out != 0 && c.to == nullptr))
    return refuse(ncclInvalidArgument, "a buffer is a null pointer");
  CUstream_st* const at = find_stream(stream);
  if (at == nullptr) return refuse(ncclInvalidArgument, "there is no such stream");
  if (at->device != comm->device) {
    found(finding_kind::other_device,
          c.place + ": error: " + function_of(c.what) + "() in a stream of another device\n  rank " +
              std::to_string(comm->rank) + " uses " + device_text(comm->device) +
              ", and the stream is one of " + device_text(at->device) +
              "\n  Usual cause: stream 0 while another device is current, or the stream of another rank. "
              "NCCL refuses it.");
    return refuse(ncclInvalidUsage, "the stream is one of " + device_text(at->device));
  }
  if (settings().checking && !(check_buffer(*comm, c, "sends", c.from, in) &&
                               check_buffer(*comm, c, "receives", c.to, out) && check_overlap(*comm, c)))
    return ncclInvalidArgument;
  note_driver(*comm, std::string(function_of(c.what)) + "() at " + c.place);
  if (mine.depth > 0) {
    mine.calls.push_back({comm, stream, at, std::move(c)});
    const std::lock_guard lock(open_mutex);
    open_groups[this_thread().thread].second = mine.calls.size();
    return ncclSuccess;
  }
  std::vector<queued_call> one;
  one.push_back({comm, stream, at, std::move(c)});
  return give_batches(std::move(one));
}

/// What one rank gives to one stream.
struct planned {
  ncclComm* comm;
  CUstream_st* stream;
  std::vector<call> calls;

  std::string function() const {
    return calls.size() == 1 ? function_of(calls.front().what) : "ncclGroupEnd";
  }
};

/// Within a group nothing is in any order: what one call receives, no other one may use.
bool check_group(const planned& plan) {
  const ncclComm& comm = *plan.comm;
  for (const call& a : plan.calls)
    for (const call& b : plan.calls) {
      if (&a == &b || !(overlap(a.to, a.bytes_out(comm), b.from, b.bytes_in(comm)) ||
                        overlap(a.to, a.bytes_out(comm), b.to, b.bytes_out(comm))))
        continue;
      found(finding_kind::message, a.place + ": error: buffers of one group overlap\n  " +
                                       who(comm, a, "receives") + ": " + function_of(a.what) + "() at " +
                                       a.place + "\n  " +
                                       who(comm, b, b.bytes_in(comm) != 0 ? "sends" : "receives") + ": " +
                                       function_of(b.what) + "() at " + b.place +
                                       "\n  The calls of a group run in any order, or at the same time. "
                                       "Receive into memory of its own,\n"
                                       "  or end the group between the two.");
      return false;
    }
  return true;
}

/// Has rank `other` made the call that belongs to this one of `rank`?
bool has_made(const member& other, int rank, const call& c) {
  return (c.what == action::send      ? other.received[rank]
          : c.what == action::receive ? other.sent[rank]
                                      : other.collectives) > c.sequence;
}

/// One thread that makes the calls of several devices makes them in a group: a call may wait for the others.
bool check_alone(const std::vector<planned>& plans) {
  const host_thread me = this_thread();
  for (const planned& plan : plans)
    for (const held_comm& other : living_comms()) {
      board& b = plan.comm->board();
      if (other.get() == plan.comm || &other->board() != &b) continue;
      std::string text;
      {
        const hold lock(b);
        for (const auto& [c, thread] : other->alone) {
          const bool concerned = !is_message(c.what) || c.peer == plan.comm->rank;
          if (!(thread == me) || !concerned || has_made(b.members[plan.comm->rank], other->rank, c)) continue;
          text = c.place + ": error: ranks wait for each other forever\n  rank " +
                 std::to_string(other->rank) + " comes to " + function_of(c.what) + "() at " + c.place +
                 ", and waits for rank " + std::to_string(plan.comm->rank) + "\n  rank " +
                 std::to_string(plan.comm->rank) + " comes to " + function_of(plan.calls.front().what) +
                 "() at " + plan.calls.front().place +
                 ", by the same thread of the host, behind that call\n  A call may wait for the other ranks, "
                 "and NCCL lets it pass now and then. "
                 "Put the calls for all devices between\n  ncclGroupStart() and ncclGroupEnd().";
          b.fail(text);
          break;
        }
      }
      if (text.empty()) continue;
      conclude_failure(*plan.comm->on);
      return false;
    }
  return true;
}

/// The calls are known to be made.
void note_alone(ncclComm& comm, const batch& made) {
  board& b = comm.board();
  const hold lock(b);
  const auto complete = [&](const auto& each) {
    const call& c = each.first;
    for (int r = 0; r < comm.ranks; ++r)
      if (r != comm.rank && (!is_message(c.what) || r == c.peer) && !has_made(b.members[r], comm.rank, c))
        return false;
    return true;
  };
  for (const call& c : made.calls()) comm.alone.emplace_back(c, this_thread());
  std::erase_if(comm.alone, complete);
}

/// Each launch of the graph has calls of its own, which meet those of the other ranks' graphs, or of other
/// nodes of this one.
graph_node captured_node(const planned& plan) {
  graph_node node{.type = cudaGraphNodeTypeKernel};
  node.op.what = plan.function() + "()";
  node.op.launched_at = plan.calls.front().place;
  node.body = [](work&) {};
  node.prepare = [plan](const vector_clock& start, work_body& body) {
    auto now = std::make_shared<batch>(plan.comm, plan.calls);
    now->begins(start);
    body = [now](work& of) { now->run(of); };
    return now;
  };
  return node;
}

ncclResult_t give_batches(std::vector<queued_call>&& calls) {
  std::vector<planned> plans;
  for (queued_call& each : calls) {
    const auto same = std::find_if(plans.begin(), plans.end(), [&](const planned& p) {
      return p.comm == each.comm && p.stream == each.found;
    });
    planned& plan = same != plans.end() ? *same : plans.emplace_back(planned{each.comm, each.found, {}});
    plan.calls.push_back(std::move(each.what));
  }
  if (settings().checking)
    for (const planned& plan : plans)
      if (!check_group(plan)) return ncclInvalidUsage;
  if (stuck() != cudaSuccess) return ncclUnhandledCudaError;
  if (settings().checking && !check_alone(plans)) return ncclInvalidUsage;

  const auto capturing = std::count_if(plans.begin(), plans.end(),
                                       [](const planned& p) { return p.stream->capturing != nullptr; });
  if (capturing != 0 && std::size_t(capturing) != plans.size())
    return refuse(ncclInvalidUsage,
                  "some streams of the group are captured, and others are not: what runs now would wait for "
                  "what runs when the graph is launched. Capture all of them");
  if (capturing != 0) {
    for (const planned& plan : plans)
      if (add_captured(*plan.stream, captured_node(plan)) != cudaSuccess) return ncclUnhandledCudaError;
    return ncclSuccess;
  }
  for (planned& plan : plans) {
    if (check_default_stream(*plan.stream) != cudaSuccess) return ncclUnhandledCudaError;
    const std::string function = plan.function();
    work of(*plan.stream, {.function = function.c_str(), .kept = true});
    const auto what = std::make_shared<batch>(plan.comm, std::move(plan.calls));
    note_alone(*plan.comm, *what);
    what->begins(of.op()->start);
    const work_body body = [what](work& mine) { what->run(mine); };
    give(std::move(of), {.until = what}, body, [&] { return body; });
  }
  return ncclSuccess;
}

}  // namespace

namespace {

/// Communicators that were not destroyed and groups that were not ended.
std::vector<left_by_library> left_at_the_end() {
  std::vector<left_by_library> left;
  for (const held_comm& each : living_comms()) {
    left.push_back({.place = line_of(each->made_at),
                    .what = "a communicator of NCCL (rank " + std::to_string(each->rank) + " of " +
                            std::to_string(each->ranks) +
                            ") was never destroyed (ncclCommDestroy() is missing)",
                    .is_error = true});
  }
  const std::lock_guard lock(open_mutex);
  for (const auto& [thread, begun] : open_groups)
    left.push_back({.place = begun.first,
                    .what = "a group of NCCL was never ended (ncclGroupEnd() is missing), and its " +
                            std::to_string(begun.second) + (begun.second == 1 ? " call has" : " calls have") +
                            " not run",
                    .is_error = true});
  return left;
}

/// A call that waits: not within a group that has calls.
void check_no_group(const char* function) {
  if (mine.depth == 0 || mine.calls.empty() || !settings().checking) return;
  const queued_call& first = mine.calls.front();
  const std::string place = line_of(caller_outside());  // empty for a call that only the library knows
  found(finding_kind::message,
        mine.begun_at + ": error: the group of NCCL that begins here is not ended\n  " +
            (mine.calls.size() == 1 ? "Its call has"
                                    : "Its " + std::to_string(mine.calls.size()) + " calls have") +
            " not run: they run at ncclGroupEnd() only. The first one is " + function_of(first.what.what) +
            "() at " + first.what.place + ".\n  " + function + "()" + (place.empty() ? "" : " at " + place) +
            " comes before that, and does not wait for them. Missing: ncclGroupEnd() before it.");
}

constinit const library nccl_library{.left = left_at_the_end, .host_waits = check_no_group};
__attribute__((constructor)) void be_known() { add_library(nccl_library); }

}  // namespace
}  // namespace cuda_emulator::nccl

using namespace cuda_emulator;
using namespace cuda_emulator::nccl;

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  if (version == nullptr) return refuse(ncclInvalidArgument, "the pointer is null");
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  if (id == nullptr) return refuse(ncclInvalidArgument, "the pointer is null");
  const std::string name = new_shared_board();
  if (name.empty()) return refuse(ncclSystemError, "no room in the shared memory of this machine (/dev/shm)");
  *id = {};
  std::memcpy(id->internal, name.data(), name.size());
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  if (comm == nullptr) return refuse(ncclInvalidArgument, "the pointer is null");
  *comm = nullptr;
  if (config != nullptr && (config->magic != 0xcafebeef || config->size != sizeof(ncclConfig_t)))
    return refuse(ncclInvalidArgument, "the configuration was not made by NCCL_CONFIG_INITIALIZER");
  if (config != nullptr && config->blocking == 0)
    return refuse(ncclInvalidArgument,
                  "calls that return before they are done (blocking = 0) are not emulated");
  if (ranks < 1 || rank < 0 || rank >= ranks)
    return refuse(ncclInvalidArgument,
                  "there is no rank " + std::to_string(rank) + " among " + std::to_string(ranks));
  if (ranks > most_ranks)
    return refuse(ncclInvalidArgument,
                  "a communicator has up to " + std::to_string(most_ranks) + " ranks here");
  const auto on = board_of(id);
  if (on == nullptr)
    return refuse(
        ncclInvalidArgument,
        "this is no id that ncclGetUniqueId() has made on this machine, or all its ranks have come");
  if (const ncclResult_t code = join(on, ranks, rank, current_device(), comm); code != ncclSuccess)
    return code;
  if (mine.depth > 0) {
    mine.joining.push_back(*comm);
    return ncclSuccess;
  }
  return wait_for_ranks(**comm);
}
ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  return ncclCommInitRankConfig(comm, ranks, id, rank, nullptr);
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int count, const int* devices) {
  if (comms == nullptr || count < 1) return refuse(ncclInvalidArgument, "there are no communicators to make");
  if (count > device_count())
    return refuse(ncclInvalidArgument,
                  "there are " + std::to_string(device_count()) + " devices, and " + std::to_string(count) +
                      " ranks want one each" +
                      (device_count() == 1 ? " (EMULATOR_DEVICES=N in the environment gives N)" : ""));
  for (int r = 0; r < count; ++r) {
    const int device = devices != nullptr ? devices[r] : r;
    if (!is_device(device)) return refuse(ncclInvalidArgument, "there is no " + device_text(device));
    for (int other = 0; other < r; ++other)
      if (devices != nullptr && devices[other] == device)
        return refuse(ncclInvalidUsage, device_text(device) + " is named twice (duplicate GPU)");
  }
  board* const made = private_board();
  if (made == nullptr) return refuse(ncclSystemError, "the system gives no memory");
  const auto on = std::make_shared<opened_board>(made, -1, "");
  for (int r = 0; r < count; ++r)
    if (const ncclResult_t code = join(on, count, r, devices != nullptr ? devices[r] : r, &comms[r]);
        code != ncclSuccess)
      return code;
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  if (!is_living(comm))
    return refuse(ncclInvalidArgument, "this is no communicator, or it has been destroyed");
  comm->finalized = true;
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (comm == nullptr) return ncclSuccess;
  if (!is_living(comm))
    return refuse(ncclInvalidArgument, "this is no communicator, or it has been destroyed");
  return leave(comm, "ncclCommDestroy()");
}
ncclResult_t ncclCommAbort(ncclComm_t comm) {
  if (comm == nullptr) return ncclSuccess;
  if (!is_living(comm))
    return refuse(ncclInvalidArgument, "this is no communicator, or it has been destroyed");
  comm->aborted = true;
  return leave(comm, "ncclCommAbort()");
}

ncclResult_t ncclCommCount(const ncclComm_t comm, int* count) {
  if (!is_living(comm) || count == nullptr)
    return refuse(ncclInvalidArgument, "this is no communicator, or the pointer is null");
  *count = comm->ranks;
  return ncclSuccess;
}
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int* device) {
  if (!is_living(comm) || device == nullptr)
    return refuse(ncclInvalidArgument, "this is no communicator, or the pointer is null");
  *device = comm->device;
  return ncclSuccess;
}
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int* rank) {
  if (!is_living(comm) || rank == nullptr)
    return refuse(ncclInvalidArgument, "this is no communicator, or the pointer is null");
  *rank = comm->rank;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError:
      return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError:
      return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument:
      return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage:
      return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError:
      return "remote process exited or there was a network error";
    case ncclInProgress:
      return "NCCL operation in progress";
    default:
      return "unknown result code";
  }
}
const char* ncclGetLastError(ncclComm_t) { return last_nccl_error.c_str(); }
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  if (!is_living(comm) || error == nullptr)
    return refuse(ncclInvalidArgument, "this is no communicator, or the pointer is null");
  const hold lock(comm->board());
  *error = comm->board().failed ? ncclRemoteError : ncclSuccess;
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  if (mine.depth++ == 0) {
    mine.begun_at = here();
    const std::lock_guard lock(open_mutex);
    open_groups[this_thread().thread] = {mine.begun_at, 0};
  }
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (mine.depth == 0) return refuse(ncclInvalidUsage, "there is no group: ncclGroupStart() is missing");
  if (--mine.depth > 0) return ncclSuccess;
  {
    const std::lock_guard lock(open_mutex);
    open_groups.erase(this_thread().thread);
  }
  group ended;
  std::swap(ended, mine);
  if (ended.failed != ncclSuccess) return ended.failed;
  for (ncclComm* const each : ended.joining)
    if (const ncclResult_t code = wait_for_ranks(*each); code != ncclSuccess) return code;
  return ended.calls.empty() ? ncclSuccess : give_batches(std::move(ended.calls));
}

ncclResult_t ncclSend(const void* data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return add(comm, stream, {.what = action::send, .type = type, .peer = peer, .from = data, .count = count});
}
ncclResult_t ncclRecv(void* data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return add(comm, stream, {.what = action::receive, .type = type, .peer = peer, .to = data, .count = count});
}
ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, {action::all_reduce, type, operation, 0, from, to, count});
}
ncclResult_t ncclReduce(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t operation,
                        int root, ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, {action::reduce, type, operation, root, from, to, count});
}
ncclResult_t ncclBroadcast(const void* from, void* to, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, {action::broadcast, type, ncclSum, root, from, to, count});
}
ncclResult_t ncclBcast(void* data, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  return ncclBroadcast(data, data, count, type, root, comm, stream);
}
ncclResult_t ncclAllGather(const void* from, void* to, size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream) {
  return add(comm, stream, {action::all_gather, type, ncclSum, 0, from, to, count});
}
ncclResult_t ncclReduceScatter(const void* from, void* to, size_t count, ncclDataType_t type,
                               ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, {action::reduce_scatter, type, operation, 0, from, to, count});
}

}  // extern "C"
