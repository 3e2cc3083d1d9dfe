// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How the calls of ranks find each other, and what they do then.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

#include "memory/shadow.hpp"
#include "nccl_comm.hpp"
#include "run/launch_log.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator::nccl {
namespace {

/// What a post of this process comes after, by its address; guarded by the board's mutex.
std::map<const post*, vector_clock>& starts() {
  static auto& all = *new std::map<const post*, vector_clock>;
  return all;
}
std::mutex& starts_mutex = *new std::mutex;

bool brings(const call& c, int rank) {
  return c.what != action::receive && (c.what != action::broadcast || c.peer == rank);
}
bool gets(const call& c, int rank) {
  return c.what != action::send && (c.what != action::reduce || c.peer == rank);
}

std::string elements(const post& p) { return std::to_string(p.count) + " " + name_of(p.type); }

/// What two posts that belong together must agree on, beyond their number; empty where they do.
std::string disagreement(int a_rank, const post& a, int b_rank, const post& b) {
  const std::string both = "\n  " + text_of(a_rank, a) + "\n  " + text_of(b_rank, b);
  const std::string title = std::string(a.place) + ": error: ";
  if (is_message(a.what)) {
    const post &sent = a.what == action::send ? a : b, &received = a.what == action::send ? b : a;
    if (a.type != b.type)
      return title + "a message is sent as one type and received as another one" + both +
             "\n  NCCL does not compare types: it moves bytes. Use the same type on both sides.";
    if (sent.count == received.count) return "";
    return title + "a message is sent and received in different sizes" + both +
           (received.count < sent.count
                ? "\n  NCCL does not say so: the call ends well, and the rest of the buffer stays as it was."
                : "\n  NCCL does not say so: the receiver waits for the rest forever.") +
           (std::max(sent.count, received.count) == size_of(a.type) * std::min(sent.count, received.count)
                ? " Usual cause: a count\n  of bytes. NCCL counts elements, each of " +
                      std::to_string(size_of(a.type)) + " bytes."
                : " Usual cause: a halo or an uneven\n  last part, for which the two ranks compute different "
                  "counts.");
  }
  const auto apart = [&](const std::string& what, const char* cause) {
    return title + what + both + "\n  " + cause;
  };
  if (a.what != b.what)
    return apart(
        "ranks come to different collective calls, each in its call number " +
            std::to_string(a.sequence + 1) + " of the communicator",
        "On a GPU this hangs, or mixes up data. All ranks make the same collective calls in the same order.");
  const char* const same = "On a GPU this hangs, or gives wrong results. All ranks pass the same values.";
  if (a.count != b.count) return apart("ranks disagree on the count of a collective call", same);
  if (a.type != b.type) return apart("ranks disagree on the type of a collective call", same);
  if (reduces(a.what) && a.operation != b.operation)
    return apart("ranks disagree on the operation of a collective call", same);
  const bool has_root = a.what == action::broadcast || a.what == action::reduce;
  if (has_root && a.peer != b.peer) return apart("ranks disagree on the root of a collective call", same);
  return "";
}

}  // namespace

std::uint64_t call::bytes_in(const ncclComm& comm) const {
  if (!brings(*this, comm.rank)) return 0;
  return count * size_of(type) *
         (what == action::reduce_scatter ? static_cast<std::uint64_t>(comm.ranks) : 1);
}
std::uint64_t call::bytes_out(const ncclComm& comm) const {
  if (!gets(*this, comm.rank)) return 0;
  return count * size_of(type) * (what == action::all_gather ? static_cast<std::uint64_t>(comm.ranks) : 1);
}

std::string text_of(int rank, const post& p) {
  const std::string where = std::string(": ") + function_of(p.what) + "() at " + p.place;
  std::string text = "rank " + std::to_string(rank);
  const std::string root = " (root " + std::to_string(p.peer) + ")";
  switch (p.what) {
    case action::send:
      return text + " sends " + elements(p) + " to rank " + std::to_string(p.peer) + where;
    case action::receive:
      return text + " receives " + elements(p) + " from rank " + std::to_string(p.peer) + where;
    case action::broadcast:
      return text + " broadcasts " + elements(p) + root + where;
    case action::all_gather:
      return text + " gathers " + elements(p) + " of each rank" + where;
    case action::all_reduce:
    case action::reduce:
    case action::reduce_scatter:
      text += std::string(p.what == action::reduce_scatter ? " reduces and scatters " : " reduces ") +
              elements(p) + " by " + name_of(p.operation);
      return text + (p.what == action::reduce ? root : "") + where;
    case action::none:
      break;
  }
  return text;
}

std::uint64_t link_bytes(const ncclComm& comm, const call& c) {
  const std::uint64_t bytes = c.count * size_of(c.type), others = static_cast<std::uint64_t>(comm.ranks) - 1;
  switch (c.what) {
    case action::send:
      return c.peer == comm.rank ? 0 : bytes;
    case action::all_reduce:
      return 2 * others * bytes / static_cast<std::uint64_t>(comm.ranks);
    case action::all_gather:
    case action::reduce_scatter:
      return others * bytes;
    case action::broadcast:
    case action::reduce:
      return comm.rank == c.peer ? 0 : bytes;
    case action::receive:
    case action::none:
      break;
  }
  return 0;
}

// Numbers are given in the order of the calls, whatever the streams do.
batch::batch(ncclComm* comm, std::vector<call> calls) : comm_(comm), calls_(std::move(calls)) {
  ++comm_->users;
  const hold lock(comm_->board());
  member& self = comm_->self();
  for (call& c : calls_)
    c.sequence = c.what == action::send      ? self.sent[c.peer]++
                 : c.what == action::receive ? self.received[c.peer]++
                                             : self.collectives++;
}

namespace {

/// Takes down what everybody has used; all of it is gone at once.
void clean_up(ncclComm& comm) {
  member& self = comm.self();
  std::erase_if(comm.given, [&](int number) {
    post& p = self.posts[number];
    const int users = p.what == action::send ? 2 : p.what == action::receive ? 1 : comm.ranks;
    if (!p.arrived || p.taken < users) return false;
    p = post{};
    const std::lock_guard also(starts_mutex);
    starts().erase(&p);
    return true;
  });
  if (comm.given.empty() && comm.next_byte != 0) {
    shrink(comm.board(), comm.on->file, comm.rank, comm.next_byte);
    comm.next_byte = 0;
  }
}

}  // namespace

void batch::put_up() {
  is_up_ = true;
  ncclComm& comm = *comm_;
  const hold lock(comm.board());
  clean_up(comm);
  member& self = comm.self();
  for (call& c : calls_) {
    int number = 0;
    while (number < most_posts && self.posts[number].what != action::none) ++number;
    if (number == most_posts)
      return comm.board().fail(
          c.place + ": error: too many calls at once for the emulated device\n  A rank has up to " +
          std::to_string(most_posts) +
          " calls under way here; let the stream finish some, or make smaller groups.");
    post& p = self.posts[number];
    p.type = c.type;
    p.operation = c.operation;
    p.peer = c.peer;
    p.count = c.count;
    p.sequence = c.sequence;
    p.bytes = c.bytes_in(comm);
    p.data = comm.next_byte;
    p.taken = 0;
    p.arrived = false;
    std::snprintf(p.place, sizeof p.place, "%s", c.place.c_str());
    if (!grow(comm.board(), comm.on->file, comm.rank, p.data, p.bytes))
      return comm.board().fail(c.place + ": error: no room for a message\n  " + std::to_string(p.bytes) +
                               " bytes do not fit into the shared memory of this machine (/dev/shm).");
    std::memcpy(comm.board().data_of(comm.rank) + p.data, c.from, p.bytes);
    comm.next_byte += (p.bytes + 4095) / 4096 * 4096;
    p.what = c.what;  // now it is there
    {
      const std::lock_guard also(starts_mutex);
      starts()[&p] = start_;
    }
    c.number = number;
    comm.given.push_back(number);
  }
  ++comm.board().changes;
}

const post* batch::find(int rank, action what, const call& c) const {
  for (const post& p : comm_->board().members[rank].posts) {
    if (p.what == action::none || p.sequence != c.sequence) continue;
    if (is_message(c.what) ? p.what == what && p.peer == comm_->rank : !is_message(p.what)) return &p;
  }
  return nullptr;
}

bool batch::arrives(call& c) {
  board& b = comm_->board();
  post& mine = comm_->self().posts[c.number];
  if (mine.arrived) return true;
  if (is_message(c.what)) {
    auto* const other =
        const_cast<post*>(find(c.peer, c.what == action::send ? action::receive : action::send, c));
    if (other == nullptr) return false;
    if (const std::string wrong = disagreement(comm_->rank, mine, c.peer, *other); !wrong.empty())
      b.fail(wrong);
    mine.arrived = other->arrived = true;
    ++b.changes;
    return true;
  }
  bool all = true;
  for (int r = 0; r < comm_->ranks; ++r) {
    const post* const other = find(r, c.what, c);
    all = all && other != nullptr;
    if (other == nullptr) continue;
    if (const std::string wrong = disagreement(comm_->rank, mine, r, *other); !wrong.empty()) b.fail(wrong);
  }
  mine.arrived = all;
  if (all) ++b.changes;
  return all;
}

bool batch::open() {
  if (comm_->aborted) return true;
  if (!is_up_) put_up();
  board& b = comm_->board();
  const hold lock(b);
  if (b.failed) return true;
  bool all = true;
  for (call& c : calls_) all = arrives(c) && all;
  return all || b.failed;
}

void batch::finish(call& c) {
  ncclComm& comm = *comm_;
  board& b = comm.board();
  const std::uint64_t out = c.bytes_out(comm), bytes = c.count * size_of(c.type);
  auto* const to = static_cast<char*>(c.to);
  const auto data = [&](int rank, const post& p) { return b.data_of(rank) + p.data; };
  std::vector<char> sum;
  const auto each_rank = [&](auto&& use) {
    for (int r = 0; r < comm.ranks; ++r) use(r, *find(r, c.what, c));
  };
  switch (c.what) {
    case action::send:
    case action::none:
      break;
    case action::receive: {
      const post& sent = *find(c.peer, action::send, c);
      std::memcpy(to, data(c.peer, sent), bytes);
      break;
    }
    case action::broadcast:
      std::memcpy(to, data(c.peer, *find(c.peer, c.what, c)), bytes);
      break;
    case action::all_gather:
      each_rank([&](int r, const post& p) {
        std::memcpy(to + static_cast<std::uint64_t>(r) * bytes, data(r, p), bytes);
      });
      break;
    case action::all_reduce:
    case action::reduce:
    case action::reduce_scatter: {
      if (out == 0) break;
      const std::uint64_t skipped =
          c.what == action::reduce_scatter ? static_cast<std::uint64_t>(comm.rank) * bytes : 0;
      each_rank([&](int r, const post& p) {
        const char* const from = data(r, p) + skipped;
        if (r == 0)
          sum.assign(from, from + bytes);
        else
          combine(c.type, c.operation, sum.data(), from, c.count);
      });
      if (c.operation == ncclAvg) divide(c.type, sum.data(), c.count, comm.ranks);
      std::memcpy(to, sum.data(), bytes);
      break;
    }
  }
  if (out != 0) mark_defined(c.to, out);
}

void batch::run(work& mine) {
  if (comm_->aborted) return;
  ncclComm& comm = *comm_;
  board& b = comm.board();
  {
    const hold lock(b);
    if (!b.failed) {
      for (call& c : calls_) {
        finish(c);
        const auto use = [&](int rank) {
          auto* const p = const_cast<post*>(find(rank, is_message(c.what) ? action::send : c.what, c));
          ++p->taken;
          const bool waits_for =
              c.what == action::broadcast ? rank == c.peer : c.what != action::reduce || comm.rank == c.peer;
          const std::lock_guard also(starts_mutex);
          if (const auto known = starts().find(p); waits_for && known != starts().end())
            after_.join(known->second);
        };
        if (is_message(c.what)) ++comm.self().posts[c.number].taken;
        if (c.what == action::receive) use(c.peer);
        if (!is_message(c.what))
          for (int r = 0; r < comm.ranks; ++r) use(r);
      }
      ++b.changes;
      clean_up(comm);
    }
  }
  if (b.failed) return conclude_failure(*comm.on);
  look_again();
  mine.came_after(after_);
  for (const call& c : calls_) {
    if (const std::uint64_t in = c.bytes_in(comm); in != 0) mine.reads_at_once(c.from, in);
    if (const std::uint64_t out = c.bytes_out(comm); out != 0) mine.writes(c.to, out);
  }
  for (const call& c : calls_)
    log_library_call(std::string(function_of(c.what)) + "()" +
                         (c.what == action::send      ? " to rank " + std::to_string(c.peer)
                          : c.what == action::receive ? " from rank " + std::to_string(c.peer)
                                                      : "") +
                         " (not counted)",
                     link_bytes(comm, c));
}

}  // namespace cuda_emulator::nccl
