// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The signal lives on the host, so the host has every halo: chapter 12's chunks, shared out to devices.
#include "from_host.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "12_there_and_back/host/stage_ring.hpp"
#include "15_many_gpus/host/devices.hpp"
#include "15_many_gpus/host/split.hpp"
#include "15_many_gpus/host/threads.hpp"
#include "common/device/ceil_div.hpp"

namespace tutorial {

// [from_host]
template <class T>
journey<T> prepare_from_host(std::span<const T> h, std::size_t samples, convolution_mode mode,
                             std::span<const int> devices, const chunking& how) {
  const std::size_t each =
      ceil_div(output_length(samples, h.size(), mode), std::max(devices.size(), std::size_t{1}));
  const signal_chunks all(samples, h.size(), mode, std::min(how.outputs, each));
  const signal_split shares(all.count(), int(devices.size()), {});  // of chunks
  struct worker {
    int device;
    stage_ring<T> ring;
  };
  std::vector<std::shared_ptr<worker>> workers;
  for (const int device : devices) {
    const current_device_guard at(device);
    workers.push_back(std::make_shared<worker>(worker{device, stage_ring<T>(h, all, how.buffers)}));
  }
  return [=](std::span<const T> x, std::span<T> y) {
    all.require_lengths(x.size(), y.size());
    in_threads(shares.parts(), [&](int p) {
      worker& mine = *workers[std::size_t(p)];
      check(cudaSetDevice(mine.device));
      settled([&](std::span<const T> x, std::span<T> y) {  // waits for this device also where it throws
        for (std::size_t c = shares.owned(p).begin; c < shares.owned(p).end; ++c) {
          const signal_chunk chunk = all[c];
          mine.ring.enqueue(chunk, x.data() + chunk.first_sample, y.data() + chunk.first_output);
        }
        mine.ring.wait();
      })(x, y);
    });
  };
}
// [from_host]

TUTORIAL_INSTANTIATE_JOURNEY(prepare_from_host, std::span<const int>, const chunking&);

}  // namespace tutorial
