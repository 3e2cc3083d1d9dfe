// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a device does with its part: chapter 13's one pass where that is the fastest way, else chapter 12's
// filter of a chunk.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>

#include "12_there_and_back/host/chunk_filter.hpp"
#include "13_one_pass/convolve_one_pass.hpp"
#include "common/device/device_memory.hpp"

namespace tutorial {

/// By which transforms a part with so many outputs is filtered.
struct part_transform {
  std::size_t length = 0;  ///< 0: products are added up.
  bool one_pass = false;   ///< By chapter 13, else by chapter 07.
  bool operator==(const part_transform&) const = default;
};
/// What chapter 13 chooses for `taps` taps and so many outputs of one part: its prices decide.
part_transform part_transform_of(std::size_t taps, std::size_t outputs, element_type type);

/// As chunk_filter, but for that.
template <class T>
class part_filter {
 public:
  /// Prepares h for `outputs` outputs, and waits until all that the device was given is done.
  part_filter(std::span<const T> h, std::size_t outputs);
  /// out[j] = sum over k of h[k] in[taps - 1 + j - k]. Launches in the stream and does not wait.
  void operator()(device_span<const T> in, device_span<T> out, cudaStream_t stream);

 private:
  std::optional<std::conditional_t<std::is_integral_v<T>, std::monostate, one_pass_convolver<T>>> one_pass_;
  std::optional<chunk_filter<T>> chunk_;
};

}  // namespace tutorial
