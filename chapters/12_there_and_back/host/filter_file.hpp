// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A filter over a file that may be longer than the memory of host and device: from disk to disk.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "chunks.hpp"
#include "common/verify/compare.hpp"

namespace tutorial {

/// Where the samples come from: to[i] = sample number first + i, all of which exist. Called by one thread.
template <class T>
using sample_source = std::function<void(std::size_t first, std::span<T> to)>;
/// Where outputs go, in order. Called by one thread, another than the source's.
template <class T>
using output_sink = std::function<void(std::span<const T> outputs)>;

/// The stages of a chunk, in order.
enum class stage { read, up, kernel, down, write };
inline constexpr std::array all_stages = {stage::read, stage::up, stage::kernel, stage::down, stage::write};
/// "read", "copy up", "filter", "copy down", "write"
std::string_view name(stage which);

/// What became of it.
struct filtering_report {
  std::size_t chunks = 0, chunk_outputs = 0;
  std::size_t device_bytes = 0, pinned_bytes = 0;  ///< Of the rings of buffers.
  double seconds = 0;
  /// Of a whole chunk. Reading and writing: the mean. The others: the second chunk alone, before the start.
  std::array<double, all_stages.size()> stage_seconds = {};
  agreement verified;          ///< Some outputs of each chunk against sums of products.
  std::size_t not_finite = 0;  ///< Of those, how many were left out because samples are NaN or infinite.
  /// Of the others, how many a transform has computed without a correct digit: its errors go with the largest
  /// outputs, and others can be as small as these.
  std::size_t without_digits = 0;
  /// The one that limits all of them.
  stage slowest() const;
};

/// Chunks so large that copies and disks are fast, and so small that the ring takes at most half of the free
/// device memory.
chunking chunks_that_fit(std::size_t taps, std::size_t element_bytes);

/// y = h * x for `samples` samples of the source; the outputs that `mode` wants go to the sink. Reading,
/// copying, filtering and writing overlap. At most `how.buffers` chunks are in memory. The first, the last
/// and one more output of each chunk are compared with their definition; what disagrees is in the report.
/// `begun(number)` is called with each chunk that is written. Throws what source and sink throw, and what
/// stage_ring does.
template <class T>
filtering_report filter_stream(std::size_t samples, const sample_source<T>& source, std::span<const T> h,
                               convolution_mode mode, const output_sink<T>& sink, const chunking& how,
                               const std::function<void(std::size_t chunk)>& begun = {});

}  // namespace tutorial
