// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Processes that work together, on one machine or several: who they are, how they meet, and how each learns
// that another one has ended.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tutorial {

/// What a launcher has said wrongly, or a process that does not come or has ended. what() is one line.
class meeting_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// This process among all, as launchers say it in the environment.
struct rank_place {
  int rank = 0, size = 1;
  int local_rank = 0;                 ///< Among those on this machine: says which device to use.
  std::string address = "127.0.0.1";  ///< Of rank 0's machine.
  int port = 29500;
  double seconds = 10;  ///< How long ranks wait for each other to come.
};

/// From RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT, as torchrun sets them, or, where there is
/// no RANK, from what Open MPI's mpirun or Slurm's srun sets; MEETING_SECONDS is the time limit. Throws
/// meeting_error for what is missing or no number.
rank_place rank_from_environment();

/// The connections: one from each rank to rank 0.
class meeting {
 public:
  /// Returns when all ranks have come. Throws meeting_error, which names who has not, after place.seconds.
  explicit meeting(const rank_place& place);
  ~meeting();
  meeting(const meeting&) = delete;
  meeting& operator=(const meeting&) = delete;

  // In all of these a rank that has ended ends the call: a meeting_error names it.
  /// Rank 0's bytes, to all.
  void share(void* bytes, std::size_t size);
  /// Returns when all ranks have called it.
  void all_here();
  /// The same for the end of the work: rank 0 calls `finish` when all have come. The others return when that
  /// is done, and are not needed any more.
  void all_done(const std::function<void()>& finish);

  /// While one exists, a thread looks after the connections: `lost` is called, in that thread, with a line
  /// that says which rank has ended. Nothing else may use the meeting meanwhile.
  class watch {
   public:
    watch(meeting& of, std::function<void(const std::string&)> lost);
    ~watch();
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;

   private:
    int stop_[2];  // a pipe: closed to end the thread
    std::thread thread_;
  };

 private:
  void wait_for_all();
  void go_to_first();
  [[noreturn]] void tell_lost(int rank);
  void receive(int rank, void* bytes, std::size_t size);
  void wait_for_notes();
  void hear_first();
  void tell_first();

  rank_place place_;
  std::vector<int> sockets_;  // rank 0: to each rank, -1 for itself; others: one, to rank 0
};

}  // namespace tutorial
