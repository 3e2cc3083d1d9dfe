// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where the ranks of a communicator put up what they send, receive and reduce. It is one piece of memory
// that all processes of the communicator map: nothing in it is a pointer, and all that changes is guarded by
// its mutex. What is sent is copied when its turn in the stream has come, into the part of the board that
// belongs to the sender, and is copied out of there by those who receive it.
//
// The board of several processes is a file in /dev/shm. The unique id carries its name, and the name goes as
// soon as all ranks have come: then the memory ends with the processes, however they do.
#pragma once

#include <nccl.h>
#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cuda_emulator::nccl {

constexpr int most_ranks = 64;
constexpr int most_posts = 512;  ///< Of one rank at a time.

enum class action : std::uint8_t {
  none,
  send,
  receive,
  all_reduce,
  reduce,
  broadcast,
  all_gather,
  reduce_scatter
};
const char* function_of(action what);
inline bool is_message(action what) { return what == action::send || what == action::receive; }
inline bool reduces(action what) {
  return what == action::all_reduce || what == action::reduce || what == action::reduce_scatter;
}
std::size_t size_of(ncclDataType_t type);
const char* name_of(ncclDataType_t type);
const char* name_of(ncclRedOp_t operation);

/// One call, put up by its rank when everything before it in its stream is done.
struct post {
  action what = action::none;
  ncclDataType_t type = ncclInt8;
  ncclRedOp_t operation = ncclSum;
  int peer = 0;                       ///< Of a message; the root of a collective.
  std::uint64_t count = 0;            ///< Elements, as the call says.
  std::uint64_t sequence = 0;         ///< Of messages between these two in this direction, or of collectives.
  std::uint64_t data = 0, bytes = 0;  ///< In the rank's part of the board. 0 bytes: this rank brings none.
  int taken = 0;                      ///< How many have used it.
  bool arrived = false;               ///< What it waits for is there: its rank goes on.
  char place[120] = {};               ///< "a.cu:12"
};

/// A thread of some process on this machine.
struct host_thread {
  pid_t process = 0, thread = 0;
  std::uint64_t born = 0;  ///< Of the process: the same number may be given to another one.
  bool operator==(const host_thread& other) const {
    return process == other.process && thread == other.thread && born == other.born;
  }
};
host_thread this_thread();
/// Does its process live? Of threads of this process: does the thread?
bool lives(const host_thread& thread);
/// Processor time that its process has used, in clock ticks.
std::uint64_t processor_time(const host_thread& thread);

enum class presence : std::uint8_t { expected, here, left };

struct member {
  presence state = presence::expected;
  int device = -1;
  host_thread driver;          ///< Who made its last call.
  std::uint64_t waits_at = 0;  ///< When its driver was last seen to wait, in ms of the machine.
  std::uint64_t collectives = 0;
  std::uint64_t sent[most_ranks] = {}, received[most_ranks] = {};
  char came_at[120] = {}, left_at[120] = {}, last[160] = {};
  post posts[most_posts];
};

struct board {
  static constexpr std::uint64_t right_magic = 0x6563'6c63'6e5f'7563;
  static constexpr std::uint64_t bytes_of_each = std::uint64_t{1} << 34;

  std::uint64_t magic = right_magic;
  int ranks = 0;  ///< 0: nobody has come.
  int arrived = 0, gone = 0;
  std::atomic<std::uint64_t> changes{0};
  pthread_mutex_t mutex;
  bool failed = false;
  char why[8000] = {};
  member members[most_ranks];

  char* data_of(int rank) {
    return reinterpret_cast<char*>(this) + header_bytes() + static_cast<std::uint64_t>(rank) * bytes_of_each;
  }
  static std::uint64_t header_bytes();
  static std::uint64_t all_bytes();

  void fail(const std::string& text);
};

/// Holds the mutex, also after a process that held it has died.
class hold {
 public:
  explicit hold(board& of);
  ~hold();
  hold(const hold&) = delete;

 private:
  board& board_;
};

/// A board of this process alone. Null where the system gives no memory.
board* private_board();
/// A new one under a name, for an id; the name is empty where that fails.
std::string new_shared_board();
/// Null where there is none of this name. `file` stays open for grow().
board* open_shared_board(const std::string& name, int& file);
void remove_name(const std::string& name);
void close_board(board* which, int file);
/// Makes sure that these bytes of a rank's part can be written. False where the machine's shared memory is
/// full.
bool grow(board& which, int file, int rank, std::uint64_t offset, std::uint64_t bytes);
/// Gives the memory of a rank's part back.
void shrink(board& which, int file, int rank, std::uint64_t bytes);

std::uint64_t now_ms();

}  // namespace cuda_emulator::nccl
