// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A stream for each chunk: within a stream, copy, kernel and copy follow each other; between streams,
// nothing waits. So while one chunk is copied up, another one is computed, and a third one copied down.
#include <memory>
#include <stdexcept>
#include <vector>

#include "12_there_and_back/host/chunk_filter.hpp"
#include "there_and_back.hpp"

namespace tutorial {
namespace {

template <class T>
struct streamed_slot : chunk_slot<T> {
  using chunk_slot<T>::chunk_slot;
  stream work;
};

}  // namespace

// [streams]
template <class T>
journey<T> prepare_stream_per_chunk(std::span<const T> h, std::size_t samples, convolution_mode mode,
                                    const chunking& how) {
  if (how.buffers < 1) throw std::invalid_argument("chunks need at least one buffer");
  const signal_chunks all(samples, h.size(), mode, how.outputs);
  const auto slots = std::make_shared<std::vector<streamed_slot<T>>>();
  for (int i = 0; i < how.buffers; ++i) slots->emplace_back(h, all);

  return settled([=](std::span<const T> x, std::span<T> y) {
    all.require_lengths(x.size(), y.size());
    for (std::size_t c = 0; c < all.count(); ++c) {
      const signal_chunk chunk = all[c];
      streamed_slot<T>& slot = (*slots)[c % slots->size()];  // its previous chunk is earlier in its stream
      bring<T>(chunk, x.data() + chunk.first_sample, slot.in, slot.work);
      slot.filter(slot.in, slot.out, slot.work);
      take<T>(chunk, slot.out, y.data() + chunk.first_output, slot.work);
    }
    for (const streamed_slot<T>& slot : *slots) slot.work.wait();
  });
}
// [streams]

TUTORIAL_INSTANTIATE_JOURNEY(prepare_stream_per_chunk, const chunking&);

}  // namespace tutorial
