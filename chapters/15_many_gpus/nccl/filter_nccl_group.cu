// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// NCCL sends and receives in the parts' own streams, so no event is needed. One thread makes the calls of
// all ranks: only a group lets it come to the receives before the sends have found them.
#include "filters.hpp"

namespace tutorial {

// [group]
template <class T>
void filter_nccl_group(spread_signal<T>& signal, const nccl_ranks& ranks, int steps) {
  require_ranks(signal, ranks);
  for (int s = 0; s < steps; ++s, signal.swap_buffers()) {
    nccl_group all;
    for (int p = 0; p < signal.parts(); ++p)
      exchange_halos(signal.part(p), p, signal.split(), signal.buffer(), ranks[p], signal.part(p).work);
    all.end();
    for (int p = 0; p < signal.parts(); ++p) {
      const current_device_guard at(signal.part(p).device());
      signal.part(p).filter(signal.buffer());
    }
  }
  signal.wait();
}
// [group]

TUTORIAL_INSTANTIATE_SPREAD(filter_nccl_group, const nccl_ranks&, int);

}  // namespace tutorial
