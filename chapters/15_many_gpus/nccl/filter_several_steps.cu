// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// An exchange for several steps. The halo is as many times wider; in each step, what is right of it shrinks
// by the width of one, and a part computes what is left of it itself.
#include <algorithm>

#include "15_many_gpus/host/threads.hpp"
#include "filters.hpp"

namespace tutorial {

// [several]
/// What a part computes in a step after which `later` steps follow until the next exchange: its own outputs,
/// and those of others that they will need.
inline sample_range outputs_for_later(const signal_split& split, int p, const halo_widths& step,
                                      std::size_t later) {
  const sample_range own = split.owned(p);
  if (own.empty()) return own;
  return {own.begin - std::min(own.begin, later * step.left),
          own.end + std::min(split.samples() - own.end, later * step.right)};
}

template <class T>
void filter_several_steps(spread_signal<T>& signal, const nccl_ranks& ranks, int steps) {
  require_ranks(signal, ranks);
  in_threads(signal.parts(), [&](int p) {
    signal_part<T>& mine = signal.part(p);
    check(cudaSetDevice(mine.device()));
    const std::size_t each = signal.steps_each();
    for (int s = 0; s < steps; ++s) {
      const std::size_t since = std::size_t(s) % each;
      const int x = (signal.buffer() + s) % 2;
      if (since == 0) exchange_halos(mine, p, signal.split(), x, ranks[p], mine.work);
      mine.filter(x, outputs_for_later(signal.split(), p, signal.halo_of_step(), each - 1 - since),
                  mine.work);
    }
    mine.work.wait();
  });
  for (int s = 0; s < steps; ++s) signal.swap_buffers();
}
// [several]

TUTORIAL_INSTANTIATE_SPREAD(filter_several_steps, const nccl_ranks&, int);

}  // namespace tutorial
