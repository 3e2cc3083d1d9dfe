// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Communicators, and what a rank gives to a stream: a batch of calls that are done together.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "code/call_stack.hpp"
#include "nccl_board.hpp"
#include "order/pending.hpp"

namespace cuda_emulator::nccl {

/// The board as this process has mapped it, for all its ranks.
struct opened_board {
  board* shown;
  int file = -1;
  std::string name{};             ///< Empty for one of this process alone.
  std::atomic<bool> said{false};  ///< What has failed, by this process.

  opened_board(board* shown, int file, std::string name) : shown(shown), file(file), name(std::move(name)) {}
  opened_board(const opened_board&) = delete;
  ~opened_board() { close_board(shown, file); }
};

struct call {
  action what;
  ncclDataType_t type;
  ncclRedOp_t operation = ncclSum;
  int peer = 0;  ///< Or the root.
  const void* from = nullptr;
  void* to = nullptr;
  std::uint64_t count = 0;
  std::string place{};
  std::uint64_t sequence = 0;
  int number = -1;  ///< Of its post.

  /// What this rank brings, and what it gets.
  std::uint64_t bytes_in(const ncclComm& comm) const;
  std::uint64_t bytes_out(const ncclComm& comm) const;
};

}  // namespace cuda_emulator::nccl

struct ncclComm {
  std::shared_ptr<cuda_emulator::nccl::opened_board> on;
  int rank, ranks, device;
  cuda_emulator::call_stack made_at;
  bool finalized = false;
  std::atomic<bool> aborted{false};  ///< Its calls end, and do nothing.
  std::atomic<int> users{1};         ///< Itself until it is destroyed, and each batch that has not ended.
  // What it has put up, and others have not all used yet. Guarded by the board's mutex.
  std::vector<int> given{};
  std::uint64_t next_byte = 0;  ///< Of its part of the board.
  /// Calls for which not all others have made theirs, and who made them.
  std::vector<std::pair<cuda_emulator::nccl::call, cuda_emulator::nccl::host_thread>> alone{};

  cuda_emulator::nccl::board& board() const { return *on->shown; }
  cuda_emulator::nccl::member& self() const { return board().members[rank]; }
};

namespace cuda_emulator::nccl {

/// One user less; the last one frees it.
inline void release(ncclComm* comm) {
  if (--comm->users == 0) delete comm;
}

/// "rank 0 sends 16 ncclFloat32 to rank 1: ncclSend() at a.cu:12"
std::string text_of(int rank, const post& p);

class batch : public gate {
 public:
  batch(ncclComm* comm, std::vector<call> calls);
  ~batch() override { release(comm_); }
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;
  ncclComm& comm() const { return *comm_; }
  const std::vector<call>& calls() const { return calls_; }

  /// What comes before it in its stream.
  void begins(const vector_clock& start) { start_ = start; }
  /// Puts it up if that has not been done, and says whether all that it waits for is there. Also true where
  /// something has gone wrong: run() then says what.
  bool open() override;
  /// Somebody waits for it, and nothing happens: looks whether that will ever end.
  void waited_for() override;
  /// Does the work.
  void run(work& mine);

 private:
  void put_up();
  bool arrives(call& c);
  const post* find(int rank, action what, const call& c) const;
  void finish(call& c);

  ncclComm* comm_;
  std::vector<call> calls_;
  bool is_up_ = false;
  std::mutex waiting_{};
  vector_clock start_, after_;
  std::uint64_t seen_changes_ = ~0ull, still_since_ = 0, stuck_since_ = 0, looked_at_ = 0,
                processor_then_ = 0;
};

struct releases {
  void operator()(ncclComm* comm) const { release(comm); }
};
/// Has a user in its owner: another thread may destroy the communicator, and it stays until then.
using held_comm = std::unique_ptr<ncclComm, releases>;
/// All that live in this process, for those who look for the end of a wait.
std::vector<held_comm> living_comms();
bool is_living(const ncclComm* comm);
void add_comm(ncclComm* comm);
void remove_comm(ncclComm* comm);

/// The thread makes a call for this rank.
void note_driver(const ncclComm& comm, const std::string& what);
/// This thread of the host waits for others, or does no longer.
void note_waiting(bool waits);

/// Ends the program with what the board says has failed, or throws it.
void conclude_failure(opened_board& of);

/// to = to OP from, for each element; `last`: and an average is complete after so many.
void combine(ncclDataType_t type, ncclRedOp_t operation, void* to, const void* from, std::uint64_t count);
void divide(ncclDataType_t type, void* to, std::uint64_t count, int by);

/// Bytes over the link for one rank's part in a call, by a ring.
std::uint64_t link_bytes(const ncclComm& comm, const call& c);

}  // namespace cuda_emulator::nccl
