// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "host_threads.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <system_error>

namespace cuda_emulator {
namespace {

// Never destroyed: used until the very end.
std::mutex& threads_mutex = *new std::mutex;
std::set<pid_t>& threads_of_device = *new std::set<pid_t>;
std::set<pid_t>& waiting_threads = *new std::set<pid_t>;

pid_t this_thread_id() { return static_cast<pid_t>(syscall(SYS_gettid)); }

/// What the kernel of the system says of this thread: the call that it is in, with its arguments.
bool waits_for_another_thread(const std::string& folder) {
  std::ifstream state(folder + "/stat");
  std::string text;
  if (!std::getline(state, text)) return true;  // it has ended
  if (const std::size_t name = text.rfind(')');
      name != text.npos && name + 2 < text.size() && (text[name + 2] == 'Z' || text[name + 2] == 'X'))
    return true;
  std::ifstream call(folder + "/syscall");
  long number = 0;
  if (!(call >> number)) return false;  // it runs, or nothing is said
  std::uint64_t arguments[4];
  for (std::uint64_t& each : arguments) {
    std::string word;
    call >> word;
    each = std::strtoull(word.c_str(), nullptr, 16);
  }
  if (!call || number != SYS_futex) return false;
  const auto operation = static_cast<int>(arguments[1]) & FUTEX_CMD_MASK;
  if (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET) return false;
  return arguments[3] == 0 && !is_shared_by_processes(reinterpret_cast<const void*>(arguments[0]));
}

}  // namespace

void is_thread_of_device() {
  const std::lock_guard lock(threads_mutex);
  threads_of_device.insert(this_thread_id());
}

waits_for_device::waits_for_device() {
  const std::lock_guard lock(threads_mutex);
  waiting_threads.insert(this_thread_id());
}

waits_for_device::~waits_for_device() {
  const std::lock_guard lock(threads_mutex);
  waiting_threads.erase(this_thread_id());
}

bool other_thread_may_act(pid_t except) {
  const std::lock_guard lock(threads_mutex);
  std::error_code error;
  std::filesystem::directory_iterator tasks("/proc/self/task", error);
  if (error) return true;
  for (; tasks != std::filesystem::directory_iterator(); tasks.increment(error)) {
    if (error) return true;
    const auto thread = static_cast<pid_t>(std::atol(tasks->path().filename().c_str()));
    if (thread == except || threads_of_device.count(thread) != 0 || waiting_threads.count(thread) != 0)
      continue;
    if (!waits_for_another_thread(tasks->path().string())) return true;
  }
  return false;
}

bool is_shared_by_processes(const volatile void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  bool any = false;
  for (std::string line; std::getline(maps, line); any = true) {
    unsigned long begin = 0, end = 0;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights) == 3 && wanted >= begin &&
        wanted < end)
      return rights[3] == 's';
  }
  return !any;
}

}  // namespace cuda_emulator
