// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A stream for each stage. Each engine of the device, up, compute and down, then has one queue of its own,
// in the order of the chunks; events hand a chunk from one to the next.
#include <memory>

#include "12_there_and_back/host/stage_ring.hpp"
#include "there_and_back.hpp"

namespace tutorial {

template <class T>
journey<T> prepare_stream_per_stage(std::span<const T> h, std::size_t samples, convolution_mode mode,
                                    const chunking& how) {
  const signal_chunks all(samples, h.size(), mode, how.outputs);
  const auto ring = std::make_shared<stage_ring<T>>(h, all, how.buffers);
  return settled([=](std::span<const T> x, std::span<T> y) {
    all.require_lengths(x.size(), y.size());
    for (std::size_t c = 0; c < all.count(); ++c) {
      const signal_chunk chunk = all[c];
      ring->enqueue(chunk, x.data() + chunk.first_sample, y.data() + chunk.first_output);
    }
    ring->wait();
  });
}

TUTORIAL_INSTANTIATE_JOURNEY(prepare_stream_per_stage, const chunking&);

}  // namespace tutorial
