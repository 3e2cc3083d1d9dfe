// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the device does with a chunk: the kernels of chapters 03, 06 and 07, in a stream.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>

#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"
#include "12_there_and_back/host/chunks.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/stream.hpp"
#include "common/files/element_type.hpp"

namespace tutorial {

/// The length of the transforms by which chunks are filtered; 0 where products are added up.
std::size_t chunk_transform(std::size_t taps, std::size_t outputs, element_type type);

/// One filter for chunks of one length. Move-only. T is std::int32_t, float or double. The calls of one
/// object must follow each other: they share its memory. Nothing in it is constant memory, so that objects of
/// several streams work at the same time.
template <class T>
class chunk_filter {
 public:
  /// Prepares h for chunks of `outputs` outputs, and waits until all that the device was given is done.
  chunk_filter(std::span<const T> h, std::size_t outputs);
  /// out[j] = sum over k of h[k] in[taps - 1 + j - k]. `in` has outputs + taps - 1 samples, `out` has
  /// outputs. Launches in the stream and does not wait.
  void operator()(device_span<const T> in, device_span<T> out, cudaStream_t stream);

 private:
  device_buffer<T> taps_;
  bool few_outputs_ = false;  ///< So few that each gets a warp.
  std::optional<std::conditional_t<std::is_integral_v<T>, std::monostate, overlap_save_convolver<T>>> blocks_;
};

/// The memory of a chunk on the device, and what filters it there.
template <class T>
struct chunk_slot {
  /// For the chunks of `all`.
  chunk_slot(std::span<const T> h, const signal_chunks& all)
      : in(all.inputs()), out(all.outputs()), filter(h, all.outputs()) {}
  device_buffer<T> in, out;
  chunk_filter<T> filter;
};

// [bring]
/// in = the samples of the chunk, with zeros where none exist; *from is the first that exists.
template <class T>
void bring(const signal_chunk& chunk, const T* from, device_span<T> in, cudaStream_t stream) {
  const std::size_t behind = chunk.ghosts + chunk.samples;
  if (chunk.ghosts > 0) check(cudaMemsetAsync(in.data(), 0, chunk.ghosts * sizeof(T), stream));
  check(cudaMemcpyAsync(in.data() + chunk.ghosts, from, chunk.samples * sizeof(T), cudaMemcpyHostToDevice,
                        stream));
  if (behind < in.size())  // the last chunk is shorter, and samples after x do not exist
    check(cudaMemsetAsync(in.data() + behind, 0, (in.size() - behind) * sizeof(T), stream));
}

/// *to and the elements after it = the outputs of the chunk.
template <class T>
void take(const signal_chunk& chunk, device_span<const T> out, T* to, cudaStream_t stream) {
  check(cudaMemcpyAsync(to, out.data(), chunk.outputs * sizeof(T), cudaMemcpyDeviceToHost, stream));
}
// [bring]

}  // namespace tutorial
