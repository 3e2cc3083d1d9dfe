// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Copy up, kernel, copy down, one after the other: the link idles while the kernel runs, and each way of it
/// while the other is used.
#include <cstdint>

#include "chunk_filter.hpp"
#include "there_and_back.hpp"

namespace tutorial {

// [copies]
template <class T>
void convolve_copy_kernel_copy(std::span<const T> x, std::span<const T> h, std::span<T> y,
                               convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const signal_chunks all(x.size(), h.size(), mode, y.size());  // one chunk
  chunk_slot<T> slot(h, all);
  bring<T>(all[0], x.data(), slot.in, nullptr);
  slot.filter(slot.in, slot.out, nullptr);
  take<T>(all[0], slot.out, y.data(), nullptr);
  check(cudaDeviceSynchronize());
}
// [copies]

TUTORIAL_INSTANTIATE_THERE_AND_BACK(convolve_copy_kernel_copy);

}  // namespace tutorial
