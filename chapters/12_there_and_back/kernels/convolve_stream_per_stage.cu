// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// A stream for each stage. Each engine of the device, up, compute and down, then has one queue of its own,
/// in the order of the chunks; events hand a chunk from one to the next.
#include <cstdint>

#include "stage_ring.hpp"
#include "there_and_back.hpp"

namespace tutorial {

template <class T>
void convolve_stream_per_stage(std::span<const T> x, std::span<const T> h, std::span<T> y,
                               convolution_mode mode, const chunking& how) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const signal_chunks all(x.size(), h.size(), mode, how.outputs);
  stage_ring<T> ring(h, all, how.buffers);
  for (std::size_t c = 0; c < all.count(); ++c) {
    const signal_chunk chunk = all[c];
    ring.enqueue(chunk, x.data() + chunk.first_sample, y.data() + chunk.first_output);
  }
  ring.wait();
}

TUTORIAL_INSTANTIATE_THERE_AND_BACK(convolve_stream_per_stage, const chunking&);

}  // namespace tutorial
