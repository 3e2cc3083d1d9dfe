// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <stop_token>
#include <thread>

#include "15_many_gpus/host/threads.hpp"
#include "15_many_gpus/nccl/check_nccl.hpp"
#include "broken.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {
namespace {

enum class nccl_mistake { sends_first, half_received, no_group, overwritten };

constexpr std::size_t count = 1024;

/// Each rank gives `count` numbers to the next one, around a ring, with that mistake. Returns how many
/// numbers are wrong or have not come after some seconds: on a GPU, ranks may wait forever.
std::size_t passed_around(nccl_mistake made) {
  std::vector<int> devices = devices_in_turn(device_count());
  nccl_ranks comms(devices);
  const int ranks = comms.size();
  struct rank_memory {
    std::vector<float> values;
    device_buffer<float> mine, theirs;
    stream work;
  };
  std::vector<std::unique_ptr<rank_memory>> all;
  for (int r = 0; r < ranks; ++r) {
    const current_device_guard at(r);
    auto values = random_whole_numbers<float>(count, std::uint64_t(r));
    all.push_back(std::make_unique<rank_memory>(
        rank_memory{values, device_buffer<float>(values), device_buffer<float>(count), {}}));
    check(cudaDeviceSynchronize());
  }
  const auto send = [&](int r) {
    check(ncclSend(all[std::size_t(r)]->mine.data(), count, ncclFloat, (r + 1) % ranks, comms[r],
                   all[std::size_t(r)]->work));
  };
  const auto receive = [&](int r) {
    check(ncclRecv(all[std::size_t(r)]->theirs.data(),
                   made == nccl_mistake::half_received ? count / 2 : count, ncclFloat,
                   (r + ranks - 1) % ranks, comms[r], all[std::size_t(r)]->work));
  };
  // On a GPU, ranks that never meet would wait forever. Where one throws, this thread is stopped, too.
  std::atomic<int> waiting = ranks;
  std::jthread watch([&](const std::stop_token& end) {
    for (int i = 0; i < 500 && waiting > 0 && !end.stop_requested(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (waiting > 0 && !end.stop_requested()) comms.abort();
  });
  std::vector<std::size_t> wrong(std::size_t(ranks), count);
  const auto compare = [&](int r) {
    rank_memory& its = *all[std::size_t(r)];
    its.work.wait();
    --waiting;
    const std::vector<float> got = its.theirs.to_host(),
                             &wanted = all[std::size_t((r + ranks - 1) % ranks)]->values;
    for (std::size_t i = 0; i < count; ++i) wrong[std::size_t(r)] -= got[i] == wanted[i];
  };
  if (made == nccl_mistake::no_group)  // one thread for all, and each rank's calls in a group of their own
    for (int r = 0; r < ranks; ++r) {
      nccl_group own;
      send(r), receive(r);
      own.end();
    }
  in_threads(ranks, [&](int r) {
    check(cudaSetDevice(r));
    if (made != nccl_mistake::no_group) {
      std::optional<nccl_group> group;
      if (made != nccl_mistake::sends_first) group.emplace();
      send(r), receive(r);
      if (group) group->end();
    }
    if (made == nccl_mistake::overwritten)  // in a stream that does not wait
      check(cudaMemsetAsync(all[std::size_t(r)]->mine.data(), 0, count * sizeof(float), stream()));
    compare(r);
  });
  watch.join();
  return std::accumulate(wrong.begin(), wrong.end(), std::size_t{0});
}

}  // namespace

std::vector<shown_mistake> shown_nccl_mistakes() {
  using enum nccl_mistake;
  return shown<nccl_mistake>(
      passed_around,
      {{sends_first, "broken: every rank sends before it receives, without a group",
        "ranks wait for each other forever"},
       {half_received, "broken: half of what is sent is received",
        "a message is sent and received in different sizes"},
       {no_group, "broken: one thread makes the calls of all ranks, without a group around them",
        "ranks wait for each other forever"},
       {overwritten, "broken: what is sent is overwritten in a stream that does not wait",
        "nothing orders two operations on the same memory"}});
}

}  // namespace tutorial::broken
