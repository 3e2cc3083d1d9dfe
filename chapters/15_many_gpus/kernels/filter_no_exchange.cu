// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A part for each device, and nothing between them: every seam is treated as an end of the signal. What is
// wrong spreads from there by a halo in every step.
#include "spread_filters.hpp"

namespace tutorial {

// [no_exchange]
template <class T>
void filter_no_exchange(spread_signal<T>& signal, int steps) {
  const auto set_halos_to_zero = [&](int p, int buffer) {
    for (const halo_message& each : signal.split().messages_to(p))
      check(cudaMemsetAsync(signal.part(p).at(buffer, each.samples.begin), 0, each.samples.size() * sizeof(T),
                            signal.part(p).work));
  };
  for (int s = 0; s < steps; ++s, signal.swap_buffers())
    for (int p = 0; p < signal.parts(); ++p) {
      const current_device_guard at(signal.part(p).device());
      set_halos_to_zero(p, signal.buffer());
      signal.part(p).filter(signal.buffer());
    }
  signal.wait();
}
// [no_exchange]

TUTORIAL_INSTANTIATE_SPREAD(filter_no_exchange, int);

}  // namespace tutorial
