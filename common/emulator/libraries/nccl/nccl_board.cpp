// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "nccl_board.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <new>
#include <random>
#include <set>
#include <sstream>

#include "device/system_page.hpp"

namespace cuda_emulator::nccl {

const char* function_of(action what) {
  switch (what) {
    case action::send:
      return "ncclSend";
    case action::receive:
      return "ncclRecv";
    case action::all_reduce:
      return "ncclAllReduce";
    case action::reduce:
      return "ncclReduce";
    case action::broadcast:
      return "ncclBroadcast";
    case action::all_gather:
      return "ncclAllGather";
    case action::reduce_scatter:
      return "ncclReduceScatter";
    case action::none:
      break;
  }
  return "nothing";
}

std::size_t size_of(ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
    case ncclUint8:
      return 1;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
      return 4;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64:
      return 8;
    default:
      return 0;
  }
}

const char* name_of(ncclDataType_t type) {
  constexpr const char* names[] = {"ncclInt8",   "ncclUint8",   "ncclInt32",   "ncclUint32",  "ncclInt64",
                                   "ncclUint64", "ncclFloat16", "ncclFloat32", "ncclFloat64", "ncclBfloat16"};
  return type >= ncclInt8 && type <= ncclBfloat16 ? names[type] : "no type";
}

const char* name_of(ncclRedOp_t operation) {
  constexpr const char* names[] = {"ncclSum", "ncclProd", "ncclMax", "ncclMin", "ncclAvg"};
  return operation >= ncclSum && operation <= ncclAvg ? names[operation] : "no operation";
}

namespace {

constexpr const char* prefix = "cuda_emulator_nccl_";

/// The fields of /proc/N/stat behind the name, from the state on; empty where there is no such process.
std::string stat_of(pid_t process, pid_t thread) {
  const std::string path =
      thread == 0 ? "/proc/" + std::to_string(process) + "/stat"
                  : "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat";
  std::ifstream in(path);
  std::string text;
  std::getline(in, text);
  const std::size_t name_end = text.rfind(')');
  return name_end == text.npos ? "" : text.substr(name_end + 2);
}

std::uint64_t field(const std::string& stat, int number) {  // as proc(5) numbers them
  std::istringstream in(stat);
  std::string word;
  for (int i = 3; i <= number; ++i) in >> word;
  return std::strtoull(word.c_str(), nullptr, 10);
}

std::uint64_t birth_of(pid_t process) { return field(stat_of(process, 0), 22); }

void prepare(board& made) {
  new (&made) board;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&made.mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

board* map(int file) {
  const int how = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* const memory =
      mmap(nullptr, board::all_bytes(), PROT_READ | PROT_WRITE, how | MAP_NORESERVE, file, 0);
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, board::all_bytes(), MADV_DONTDUMP);
  return static_cast<board*>(memory);
}

/// Names that this process has made and nobody has removed yet.
std::set<std::string>& names() {
  static auto& all = *new std::set<std::string>;
  return all;
}
std::mutex& names_mutex = *new std::mutex;
pid_t maker = 0;

void remove_all_names() {
  const std::lock_guard lock(names_mutex);
  if (maker != getpid()) return;
  for (const std::string& each : names()) shm_unlink(each.c_str());
  names().clear();
}

/// What processes have left that were killed before all ranks had come.
void remove_names_of_the_dead() {
  DIR* const folder = opendir("/dev/shm");
  if (folder == nullptr) return;
  while (const dirent* const entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name.compare(0, std::strlen(prefix), prefix) != 0) continue;
    const pid_t process = std::atoi(name.c_str() + std::strlen(prefix));
    if (process > 0 && kill(process, 0) != 0 && errno == ESRCH) shm_unlink(("/" + name).c_str());
  }
  closedir(folder);
}

}  // namespace

host_thread this_thread() {
  static thread_local host_thread mine;
  if (mine.process != getpid())
    mine = {getpid(), static_cast<pid_t>(syscall(SYS_gettid)), birth_of(getpid())};
  return mine;
}

bool lives(const host_thread& thread) {
  const bool own = thread.process == getpid();
  const std::string stat = stat_of(thread.process, own ? thread.thread : 0);
  if (stat.empty() || stat[0] == 'Z' || stat[0] == 'X') return false;
  return own || field(stat, 22) == thread.born;
}

std::uint64_t processor_time(const host_thread& thread) {
  const std::string stat = stat_of(thread.process, 0);
  return stat.empty() ? 0 : field(stat, 14) + field(stat, 15);
}

std::uint64_t board::header_bytes() {
  return (sizeof(board) + largest_page - 1) / largest_page * largest_page;
}
std::uint64_t board::all_bytes() { return header_bytes() + most_ranks * bytes_of_each; }

void board::fail(const std::string& text) {
  if (failed) return;
  failed = true;
  std::snprintf(why, sizeof why, "%s", text.c_str());
  ++changes;
}

hold::hold(board& of) : board_(of) {
  if (pthread_mutex_lock(&board_.mutex) == EOWNERDEAD) pthread_mutex_consistent(&board_.mutex);
}
hold::~hold() { pthread_mutex_unlock(&board_.mutex); }

board* private_board() {
  board* const made = map(-1);
  if (made != nullptr) prepare(*made);
  return made;
}

std::string new_shared_board() {
  remove_names_of_the_dead();
  std::random_device random;
  const std::string name =
      std::string("/") + prefix + std::to_string(getpid()) + "_" + std::to_string(random());
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return "";
  const bool sized = ftruncate(file, static_cast<off_t>(board::all_bytes())) == 0 &&
                     posix_fallocate(file, 0, static_cast<off_t>(board::header_bytes())) == 0;
  board* const made = sized ? map(file) : nullptr;
  close(file);
  if (made == nullptr) {
    shm_unlink(name.c_str());
    return "";
  }
  prepare(*made);
  munmap(made, board::all_bytes());
  const std::lock_guard lock(names_mutex);
  if (maker != getpid()) {
    names().clear();
    maker = getpid();
    std::atexit(remove_all_names);
  }
  names().insert(name);
  return name;
}

board* open_shared_board(const std::string& name, int& file) {
  file = shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  board* const found = map(file);
  if (found != nullptr && found->magic == board::right_magic) return found;
  if (found != nullptr) munmap(found, board::all_bytes());
  close(file);
  return nullptr;
}

void remove_name(const std::string& name) {
  shm_unlink(name.c_str());
  const std::lock_guard lock(names_mutex);
  names().erase(name);
}

void close_board(board* which, int file) {
  munmap(which, board::all_bytes());
  if (file >= 0) close(file);
}

bool grow(board& which, int file, int rank, std::uint64_t offset, std::uint64_t bytes) {
  if (offset + bytes > board::bytes_of_each) return false;
  if (file < 0 || bytes == 0) return true;
  const char* const begin = which.data_of(rank) + offset;
  const auto at = static_cast<off_t>(begin - reinterpret_cast<const char*>(&which));
  return posix_fallocate(file, at, static_cast<off_t>(bytes)) == 0;
}

void shrink(board& which, int file, int rank, std::uint64_t bytes) {
  const std::uint64_t whole = (bytes + largest_page - 1) / largest_page * largest_page;
  madvise(which.data_of(rank), whole, file < 0 ? MADV_DONTNEED : MADV_REMOVE);
}

std::uint64_t now_ms() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(
      duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count());
}

}  // namespace cuda_emulator::nccl
