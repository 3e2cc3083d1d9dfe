// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exchanges between neighbors, with no kernel between them: what they cost by themselves.
#include <initializer_list>
#include <memory>
#include <vector>

#include "15_many_gpus/host/devices.hpp"
#include "15_many_gpus/host/threads.hpp"
#include "check_nccl.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/measure.hpp"
#include "common/device/stream.hpp"
#include "exchange_price.hpp"

namespace tutorial {
namespace {

/// What a rank has: room for what it gives to each neighbor, and for what it gets.
struct end_of_line {
  end_of_line(std::size_t samples) : give(2 * samples), get(2 * samples) { check(cudaDeviceSynchronize()); }
  device_buffer<float> give, get;
  stream work;
};

}  // namespace

std::optional<timing> exchange_price(std::span<const int> devices, std::size_t samples, int times) {
  const nccl_ranks comms(devices);
  const int ranks = comms.size();
  std::vector<std::unique_ptr<end_of_line>> all;
  for (const int device : devices) {
    const current_device_guard at(device);
    all.push_back(std::make_unique<end_of_line>(samples));
  }
  const auto exchange = [&](int r) {
    check(cudaSetDevice(devices[std::size_t(r)]));
    end_of_line& mine = *all[std::size_t(r)];
    for (int i = 0; i < times; ++i) {
      nccl_group group;
      for (const int side : {0, 1}) {
        const int peer = side == 0 ? r - 1 : r + 1;
        if (peer < 0 || peer >= ranks) continue;
        check(ncclSend(mine.give.data() + std::size_t(side) * samples, samples, ncclFloat, peer, comms[r],
                       mine.work));
        check(ncclRecv(mine.get.data() + std::size_t(side) * samples, samples, ncclFloat, peer, comms[r],
                       mine.work));
      }
      group.end();
    }
    mine.work.wait();
  };
  timing time = measure_host([&](int) { in_threads(ranks, exchange); });
  for (double* each : {&time.median_ms, &time.min_ms, &time.max_ms}) *each /= times;
  return time;
}

}  // namespace tutorial
