// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Ranks that wait: whether what they wait for will ever come, and what to say where it will not.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "device/settings.hpp"
#include "nccl_comm.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator::nccl {
namespace {

// Never destroyed: used until the very end.
std::mutex& mutex = *new std::mutex;
std::vector<ncclComm*>& comms = *new std::vector<ncclComm*>;

constexpr std::uint64_t still_waits = 100;  // ms since a thread was last seen to wait
constexpr std::uint64_t for_another_thread = 1000;
constexpr std::uint64_t certain = 300;  // ms for which nothing may have changed

std::string rank_text(int rank) { return "rank " + std::to_string(rank); }

bool waits_now(const member& m) { return m.waits_at != 0 && now_ms() - m.waits_at < still_waits; }

/// The ranks that have not come to what a post waits for.
std::vector<int> missing(const board& b, int rank, const post& p) {
  std::vector<int> result;
  if (p.what == action::none || p.arrived) return result;
  const auto has = [&](int other, auto&& fits) {
    return std::any_of(std::begin(b.members[other].posts), std::end(b.members[other].posts), fits);
  };
  for (int r = 0; r < b.ranks; ++r) {
    if (is_message(p.what)) {
      const action wanted = p.what == action::send ? action::receive : action::send;
      if (r == p.peer && !has(r, [&](const post& q) {
            return q.what == wanted && q.peer == rank && q.sequence == p.sequence;
          }))
        result.push_back(r);
    } else if (!has(r, [&](const post& q) {
                 return q.what != action::none && !is_message(q.what) && q.sequence == p.sequence;
               })) {
      result.push_back(r);
    }
  }
  return result;
}

/// All boards of this process, each once. Called with the mutex held.
std::vector<board*> boards() {
  std::set<board*> all;
  for (const ncclComm* each : comms) all.insert(&each->board());
  return {all.begin(), all.end()};
}

/// Will this thread never go on? It waits, and all that its ranks wait for would be done by such threads, or
/// by ranks that have left.
/// `perhaps`: a thread of this process has ended, and another one may take over its rank.
bool is_stuck(const host_thread& thread, const host_thread& me, std::vector<host_thread>& seen,
              bool& perhaps) {
  if (std::find(seen.begin(), seen.end(), thread) != seen.end()) return true;
  seen.push_back(thread);
  if (thread.process == me.process && !lives(thread)) return perhaps = true;
  bool waits = thread == me, for_something = false;
  std::vector<host_thread> others;
  for (board* const b : boards()) {
    const hold lock(*b);
    for (int r = 0; r < b->ranks; ++r) {
      const member& m = b->members[r];
      if (m.state != presence::here || !(m.driver == thread)) continue;
      waits = waits || waits_now(m);
      for (const post& p : m.posts)
        for (const int other : missing(*b, r, p)) {
          for_something = true;
          if (b->members[other].state == presence::left) continue;
          others.push_back(b->members[other].driver);
        }
    }
  }
  return waits && for_something && std::all_of(others.begin(), others.end(), [&](const host_thread& other) {
           return is_stuck(other, me, seen, perhaps);
         });
}

/// What each rank is about: "  rank 0 sends ...: ncclSend() at a.cu:12, and waits for rank 1".
std::string all_ranks(const board& b) {
  std::string text;
  for (int r = 0; r < b.ranks; ++r) {
    const member& m = b.members[r];
    bool waits = false;
    for (const post& p : m.posts) {
      const std::vector<int> who = missing(b, r, p);
      if (who.empty()) continue;
      text += "\n  " + text_of(r, p) + ", and waits for";
      for (std::size_t i = 0; i < who.size(); ++i) text += (i == 0 ? " " : ", ") + rank_text(who[i]);
      waits = true;
    }
    if (waits) continue;
    text += "\n  " + rank_text(r);
    if (m.state == presence::expected)
      text += " has not come";
    else if (m.state == presence::left)
      text += " has left the communicator at " + std::string(m.left_at);
    else if (m.last[0] == '\0')
      text += " has made no call";
    else
      text += " came last to " + std::string(m.last);
  }
  return text;
}

/// Of the messages whose other side is missing, the first.
std::string missing_message(const board& b) {
  for (int r = 0; r < b.ranks; ++r)
    for (const post& p : b.members[r].posts)
      if (is_message(p.what) && !missing(b, r, p).empty())
        return "Missing: " + rank_text(p.peer) +
               (p.what == action::send ? " has no ncclRecv() from " : " has no ncclSend() to ") +
               rank_text(r) + " that fits the call at " + p.place + ".";
  return "";
}

std::string advice(const board& b) {
  int sends = 0, receives = 0, collectives = 0, ranks = 0;
  bool same_thread = false,
       together = false;  // calls of one rank between ncclGroupStart() and ncclGroupEnd()
  const host_thread* first = nullptr;
  for (int r = 0; r < b.ranks; ++r) {
    const member& m = b.members[r];
    bool waits = false;
    together = together || std::count_if(std::begin(m.posts), std::end(m.posts),
                                         [](const post& p) { return is_message(p.what); }) > 1;
    for (const post& p : m.posts) {
      if (missing(b, r, p).empty()) continue;
      waits = true;
      sends += p.what == action::send;
      receives += p.what == action::receive;
      collectives += !is_message(p.what);
      for (const int other : missing(b, r, p))
        same_thread = same_thread || (b.members[other].driver == m.driver && other != r);
    }
    ranks += waits;
    if (waits && first == nullptr) first = &m.driver;
  }
  if (same_thread)
    return "\n  One thread of the host makes the calls of these ranks, one after the other, "
           "and the first one waits for the\n"
           "  next. Put the calls for all devices between ncclGroupStart() and ncclGroupEnd().";
  if (collectives == 0 && together)
    return "\n  Each ncclSend() needs an ncclRecv() of the other rank that names this one, and each "
           "ncclRecv() an ncclSend().\n"
           "  " +
           missing_message(b);
  if (ranks > 1 && sends > 0 && receives == 0 && collectives == 0)
    return "\n  Each sends before it receives, and a send may wait for its receiver. "
           "Put both between ncclGroupStart()\n"
           "  and ncclGroupEnd(). (NCCL lets small messages pass now and then, and hangs with larger ones.)";
  if (ranks > 1 && receives > 0 && sends == 0 && collectives == 0)
    return "\n  Each receives before it sends. Put both between ncclGroupStart() and ncclGroupEnd().";
  return "\n  Usual cause: a rank that makes fewer calls, or other ones, than those that wait for it: "
         "an if around the\n"
         "  call, a loop of another length, or another order of two communicators. "
         "A thread that makes calls for several\n"
         "  devices puts them between ncclGroupStart() and ncclGroupEnd().";
}

std::string beginning(const board& b, int rank) {
  for (const post& p : b.members[rank].posts)
    if (!missing(b, rank, p).empty()) return std::string(p.place) + ": error: ";
  return "error: ";
}

}  // namespace

std::vector<held_comm> living_comms() {
  const std::lock_guard lock(mutex);
  std::vector<held_comm> held;
  for (ncclComm* const each : comms) {
    ++each->users;
    held.emplace_back(each);
  }
  return held;
}
bool is_living(const ncclComm* comm) {
  const std::lock_guard lock(mutex);
  return std::find(comms.begin(), comms.end(), comm) != comms.end();
}
void add_comm(ncclComm* comm) {
  const std::lock_guard lock(mutex);
  comms.push_back(comm);
}
void remove_comm(ncclComm* comm) {
  const std::lock_guard lock(mutex);
  std::erase(comms, comm);
}

void note_driver(const ncclComm& comm, const std::string& what) {
  const hold lock(comm.board());
  member& self = comm.self();
  self.driver = this_thread();
  if (!what.empty()) std::snprintf(self.last, sizeof self.last, "%s", what.c_str());
}

void note_waiting(bool waits) {
  const host_thread me = this_thread();
  const std::uint64_t now = waits ? now_ms() : 0;
  const std::lock_guard lock(mutex);
  for (const ncclComm* each : comms) {
    const hold lock(each->board());
    if (member& m = each->self(); m.driver == me) m.waits_at = now;
  }
}

void batch::waited_for() {
  const std::lock_guard one_at_a_time(waiting_);
  note_waiting(true);
  board& b = comm_->board();
  const std::uint64_t now = now_ms();
  if (now - looked_at_ < 5) return;
  looked_at_ = now;
  const auto fail = [&](const std::string& what, const std::string& why) {
    const hold lock(b);
    b.fail(beginning(b, comm_->rank) + what + all_ranks(b) + why);
  };
  // Who has gone?
  std::string gone;
  std::uint64_t processor = 0;
  bool none_left = true;
  {
    const hold lock(b);
    if (b.failed) return;
    if (const std::uint64_t changes = b.changes; seen_changes_ != changes) {
      seen_changes_ = changes;
      still_since_ = now;
      stuck_since_ = processor_then_ = 0;
    }
    for (const call& c : calls_)
      for (const int other : missing(b, comm_->rank, comm_->self().posts[c.number])) {
        const member& m = b.members[other];
        processor += processor_time(m.driver);
        none_left = false;
        if (m.state == presence::here && m.driver.process != getpid() && !lives(m.driver))
          gone = rank_text(other) + " (process " + std::to_string(m.driver.process) + ") has ended";
        else if (m.state == presence::left)
          gone = rank_text(other) + " has left the communicator";
      }
  }
  if (none_left) return;
  if (!gone.empty() && now - still_since_ >= certain)
    return fail("a rank waits for one that will not come: " + gone,
                "\n  On a GPU this hangs. Usual cause: a rank that has failed, "
                "or that makes fewer calls than the others.");
  const double still = static_cast<double>(now - still_since_) / 1000,
               ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  if (processor_then_ == 0) processor_then_ = processor;
  const bool idle = static_cast<double>(processor - processor_then_) / ticks <= still / 10;
  bool stuck = false, perhaps = false;
  {
    const std::lock_guard lock(mutex);
    std::vector<host_thread> seen;
    stuck = is_stuck(this_thread(), this_thread(), seen, perhaps);
  }
  if (!stuck) {
    stuck_since_ = 0;
  } else if (stuck_since_ == 0) {
    stuck_since_ = now;
  } else if (now - stuck_since_ >= (perhaps ? for_another_thread : certain) && (!perhaps || idle)) {
    const hold lock(b);
    return b.fail(beginning(b, comm_->rank) + "ranks wait for each other forever" + all_ranks(b) + advice(b));
  }
  // Nobody can be seen to wait, but nothing happens either: as long as those that are missing compute, all is
  // well.
  if (still < settings().wait) return;
  if (!idle) {
    still_since_ = now;
    processor_then_ = processor;
    return;
  }
  char text[160];
  std::snprintf(text, sizeof text, "a rank has waited for %g seconds, and those it waits for do nothing",
                settings().wait);
  fail(text, "\n  On a GPU this hangs. (EMULATOR_WAIT in the environment is the number of seconds.)");
}

void conclude_failure(opened_board& of) {
  // Where another rank of this process says it, it explains what this one's device finds behind it, too.
  if (of.said.exchange(true) && !holds_findings()) return;
  std::string text;
  {
    const hold lock(*of.shown);
    text = of.shown->why;
  }
  conclude({finding(finding_kind::message, text)});
}

}  // namespace cuda_emulator::nccl
