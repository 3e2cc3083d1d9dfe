// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Most outputs need no halo. They are computed in one stream while the halo is on its way in another one,
// which then computes the outputs at both edges.
#include <algorithm>

#include "15_many_gpus/host/threads.hpp"
#include "filters.hpp"

namespace tutorial {
namespace {

// [beside]
template <class T>
void step_beside_interior(signal_part<T>& mine, int p, const signal_split& split, int x, ncclComm_t comm) {
  const sample_range own = mine.owned();
  const std::size_t left = std::min(own.size(), split.halo().left),
                    right = std::min(own.size() - left, split.halo().right);
  const sample_range interior = {own.begin + left, own.end - right};
  // Each stream waits for what the other stream was given in the previous step.
  check(cudaStreamWaitEvent(mine.aside, mine.computed));
  check(cudaStreamWaitEvent(mine.work, mine.copied[0]));
  exchange_halos(mine, p, split, x, comm, mine.aside);
  mine.filter(x, interior, mine.work);
  mine.filter(x, {own.begin, interior.begin}, mine.aside);
  mine.filter(x, {interior.end, own.end}, mine.aside);
  check(cudaEventRecord(mine.computed, mine.work));
  check(cudaEventRecord(mine.copied[0], mine.aside));
}
// [beside]

}  // namespace

template <class T>
void filter_beside_interior(spread_signal<T>& signal, const nccl_ranks& ranks, int steps) {
  require_ranks(signal, ranks);
  in_threads(signal.parts(), [&](int p) {
    signal_part<T>& mine = signal.part(p);
    check(cudaSetDevice(mine.device()));
    for (int s = 0; s < steps; ++s)
      step_beside_interior(mine, p, signal.split(), (signal.buffer() + s) % 2, ranks[p]);
    mine.work.wait();
    mine.aside.wait();
  });
  for (int s = 0; s < steps; ++s) signal.swap_buffers();
}

TUTORIAL_INSTANTIATE_SPREAD(filter_beside_interior, const nccl_ranks&, int);

}  // namespace tutorial
