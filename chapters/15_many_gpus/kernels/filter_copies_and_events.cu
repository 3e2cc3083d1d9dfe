// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Each part's stream copies the halo from where it is, then filters. The streams of neighbors are ordered by
// events, twice: nothing is read before it is there, and nothing is overwritten before it has been read.
#include "spread_filters.hpp"

namespace tutorial {

// [copies]
template <class T>
void filter_copies_and_events(spread_signal<T>& signal, int steps) {
  const signal_split& split = signal.split();
  for (int s = 0; s < steps; ++s, signal.swap_buffers()) {
    const int x = signal.buffer(), y = 1 - x;
    for (int p = 0; p < signal.parts(); ++p) {
      signal_part<T>& mine = signal.part(p);
      const current_device_guard at(mine.device());
      for (const halo_message& halo : split.messages_to(p)) {
        signal_part<T>& theirs = signal.part(halo.from);
        check(cudaStreamWaitEvent(mine.work, theirs.computed));  // its previous step has written the samples
        check(cudaMemcpyAsync(mine.at(x, halo.samples.begin), theirs.at(x, halo.samples.begin),
                              halo.samples.size() * sizeof(T), cudaMemcpyDefault, mine.work));
      }
      check(cudaEventRecord(mine.copied[x], mine.work));
    }
    for (int p = 0; p < signal.parts(); ++p) {
      signal_part<T>& mine = signal.part(p);
      const current_device_guard at(mine.device());
      for (const halo_message& halo : split.messages_from(p))
        // In the previous step, it copied from the buffer that is written now.
        check(cudaStreamWaitEvent(mine.work, signal.part(halo.to).copied[y]));
      mine.filter(x);
      check(cudaEventRecord(mine.computed, mine.work));
    }
  }
  signal.wait();
}
// [copies]

TUTORIAL_INSTANTIATE_SPREAD(filter_copies_and_events, int);

}  // namespace tutorial
