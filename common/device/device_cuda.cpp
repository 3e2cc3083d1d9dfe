// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <map>
#include <mutex>

#include "check.hpp"
#include "device.hpp"
#include "movement_counts.hpp"
#include "thread_work.hpp"

namespace tutorial {
namespace {

/// What takes milliseconds to ask a device for and does not change: all but the free memory.
device_facts constant_facts(int device) {
  static std::mutex mutex;
  static std::map<int, device_facts> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(device); found != known.end()) return found->second;
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, device));
  device_facts facts;
  facts.name = properties.name;
  facts.multiprocessors = properties.multiProcessorCount;
  facts.l2_bytes = std::size_t(properties.l2CacheSize);
  known.emplace(device, facts);
  return facts;
}

}  // namespace

device_facts current_device() {
  int device = 0;
  check(cudaGetDevice(&device));
  device_facts facts = constant_facts(device);
  std::size_t total = 0;
  check(cudaMemGetInfo(&facts.free_bytes, &total));
  return facts;
}

std::string why_failed(int) { return ""; }
bool trace_launches(const std::filesystem::path&) { return false; }
bool report_launches(const std::filesystem::path&) { return false; }

std::string places_on_the_way() { return ""; }
void forget_errors() { (void)cudaGetLastError(); }

std::uint64_t next_launch() { return 0; }
void keep_launches() {}
std::vector<shown_launch> show_launches(std::uint64_t, std::uint64_t, const std::string&, const std::string&,
                                        const std::filesystem::path&) {
  return {};
}
std::string short_write(const std::string&) { return ""; }
void begin_timeline() {}
void hear_findings(void (*)(const device_finding&)) {}
void hear_notes(void (*)(const char*, const char*, const char*)) {}
unseen_launches::unseen_launches() {}
unseen_launches::~unseen_launches() {}

bool counts_launches() { return false; }
std::optional<thread_work> count_thread_work(const std::function<void()>& work) {
  work();
  return std::nullopt;
}

std::vector<kernel_work> count_kernel_work(const std::function<void()>& work) {
  work();
  return {};
}

std::vector<launch_counts> count_launches(const std::function<void()>& work, counted_blocks) {
  work();
  check(cudaDeviceSynchronize());
  return {};
}

std::vector<moved_operation> list_movements(const std::function<void()>& work) {
  work();
  check(cudaDeviceSynchronize());
  return {};
}

std::optional<movement_counts> count_movements(const std::function<void()>& work) {
  work();
  check(cudaDeviceSynchronize());
  return std::nullopt;
}

}  // namespace tutorial
