// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A long signal in chunks that bring their own history: each can be filtered without any other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "common/verify/convolution.hpp"

namespace tutorial {

/// How a signal is cut, and how much memory there is for it.
struct chunking {
  std::size_t outputs = std::size_t{1} << 22;  ///< Of a chunk.
  int buffers = 3;                             ///< Chunks on the device at a time.
};

/// Some outputs, and the samples that they are made of. As the device sees it: in[i] = x[begin + i], and
/// out[j] = sum over k of h[k] in[taps - 1 + j - k].
struct signal_chunk {
  std::size_t first_output = 0, outputs = 0;  ///< y[first_output, first_output + outputs)
  std::size_t first_sample = 0, samples = 0;  ///< Those that exist: x[first_sample, first_sample + samples)
  std::size_t ghosts = 0;  ///< in[0, ghosts) is zero: samples before the first that exists.
};

/// y in chunks of at most `outputs`, all of the same length but for the last.
class signal_chunks {
 public:
  /// Throws std::invalid_argument where there is no sample, no tap, or chunks have no output.
  signal_chunks(std::size_t samples, std::size_t taps, convolution_mode mode, std::size_t outputs)
      : samples_(samples),
        taps_(taps),
        first_(first_output(samples, taps, mode)),
        total_(output_length(samples, taps, mode)),
        outputs_(std::min(outputs, total_)) {
    if (outputs == 0) throw std::invalid_argument("a chunk needs at least one output");
  }

  /// How many chunks.
  std::size_t count() const { return total_ / outputs_ + (total_ % outputs_ != 0); }
  /// Outputs of every chunk but the last.
  std::size_t outputs() const { return outputs_; }
  /// Samples that the device needs for them, ghosts included.
  std::size_t inputs() const { return outputs_ + taps_ - 1; }
  /// Throws std::invalid_argument for a signal or an output of another length.
  void require_lengths(std::size_t samples, std::size_t outputs) const {
    if (samples != samples_ || outputs != total_)
      throw std::invalid_argument("this object was made for other lengths");
  }

  // [chunk]
  /// The chunk with this number, which must be below count().
  signal_chunk operator[](std::size_t number) const {
    signal_chunk chunk{.first_output = number * outputs_};
    chunk.outputs = std::min(outputs_, total_ - chunk.first_output);
    const auto samples = std::int64_t(samples_);
    const std::int64_t begin = std::int64_t(first_ + chunk.first_output) - std::int64_t(taps_ - 1);
    const std::int64_t end = std::int64_t(first_ + chunk.first_output + chunk.outputs);
    const std::int64_t from = std::clamp<std::int64_t>(begin, 0, samples);
    chunk.first_sample = std::size_t(from);
    chunk.samples = std::size_t(std::min(end, samples) - from);
    chunk.ghosts = std::size_t(from - begin);
    return chunk;
  }
  // [chunk]

 private:
  std::size_t samples_, taps_, first_, total_, outputs_;
};

}  // namespace tutorial
