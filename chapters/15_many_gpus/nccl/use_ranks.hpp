// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// For the exercises with NCCL: a rank on each device, each in a thread, and an end to what would wait for
// ever.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "15_many_gpus/host/devices.hpp"
#include "15_many_gpus/host/threads.hpp"
#include "15_many_gpus/nccl/check_nccl.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/movement_counts.hpp"
#include "common/device/stream.hpp"

namespace tutorial {

/// What a rank works with.
struct rank_at_work {
  int rank, ranks;
  ncclComm_t comm;
  device_buffer<float>& memory;
  cudaStream_t stream;
};

/// On each device: memory with those values, then use(...), then what is in the memory. Empty where the ranks
/// have not finished after some seconds. Throws what the first rank has thrown, when all have ended.
inline std::vector<std::vector<float>> use_ranks(const std::vector<std::vector<float>>& values,
                                                 const std::function<void(const rank_at_work&)>& use) {
  std::vector<int> devices;
  for (int r = 0; r < int(values.size()); ++r) devices.push_back(r);
  nccl_ranks comms(devices);
  std::atomic<int> waiting = comms.size();
  std::atomic<bool> given_up = false;
  // Where a rank throws, this thread is stopped and waited for, too.
  std::jthread watch([&](const std::stop_token& end) {
    for (int i = 0; i < 500 && waiting > 0 && !end.stop_requested(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (waiting == 0 || end.stop_requested()) return;
    given_up = true;
    comms.abort();
  });
  std::vector<std::vector<float>> results(values.size());
  in_threads(int(values.size()), [&](int r) {
    check(cudaSetDevice(r));
    device_buffer<float> memory(values[std::size_t(r)]);
    const stream work;
    check(cudaDeviceSynchronize());
    use({r, int(values.size()), comms[r], memory, work});
    work.wait();
    --waiting;
    if (!given_up) results[std::size_t(r)] = memory.to_host();
  });
  watch.join();
  if (given_up) results.clear();
  return results;
}

/// How often the host waits in use(...), on all ranks together. Nothing where the device does not count.
inline std::optional<std::uint64_t> waits_of(const std::vector<std::vector<float>>& values,
                                             const std::function<void(const rank_at_work&)>& use) {
  const auto with = count_movements([&] { use_ranks(values, use); });
  const auto without = count_movements([&] { use_ranks(values, [](const rank_at_work&) {}); });
  if (!with) return std::nullopt;
  return with->waits - without->waits;
}

}  // namespace tutorial
