// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Copy up, kernel, copy down, one after the other: the link idles while the kernel runs, and each way of it
// while the other is used.
#include <memory>

#include "12_there_and_back/host/chunk_filter.hpp"
#include "there_and_back.hpp"

namespace tutorial {

// [copies]
template <class T>
journey<T> prepare_copy_kernel_copy(std::span<const T> h, std::size_t samples, convolution_mode mode) {
  const signal_chunks all(samples, h.size(), mode, output_length(samples, h.size(), mode));  // one chunk
  const auto slot = std::make_shared<chunk_slot<T>>(h, all);
  return settled([=](std::span<const T> x, std::span<T> y) {  // also waits if it throws
    all.require_lengths(x.size(), y.size());
    bring<T>(all[0], x.data(), slot->in, nullptr);
    slot->filter(slot->in, slot->out, nullptr);
    take<T>(all[0], slot->out, y.data(), nullptr);
    check(cudaDeviceSynchronize());
  });
}
// [copies]

TUTORIAL_INSTANTIATE_JOURNEY(prepare_copy_kernel_copy);

}  // namespace tutorial
