// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A thread for each device. Each knows its own part only, and makes the calls of its own rank: a process for
// each device, on this machine or another, does the same.
#include "15_many_gpus/host/threads.hpp"
#include "filters.hpp"

namespace tutorial {

// [threads]
template <class T>
void filter_thread_per_device(spread_signal<T>& signal, const nccl_ranks& ranks, int steps) {
  require_ranks(signal, ranks);
  in_threads(signal.parts(), [&](int p) {
    check(cudaSetDevice(signal.part(p).device()));
    filter_as_rank(signal.part(p), p, signal.split(), signal.buffer(), ranks[p], steps);
  });
  for (int s = 0; s < steps; ++s) signal.swap_buffers();
}
// [threads]

TUTORIAL_INSTANTIATE_SPREAD(filter_thread_per_device, const nccl_ranks&, int);

}  // namespace tutorial
