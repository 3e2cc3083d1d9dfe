// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Three stages with a stream each (copies up, kernels, copies down) around a ring of buffers.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "chunk_filter.hpp"

namespace tutorial {

namespace detail {

/// Room for the samples and the outputs of a chunk, and what has become of them.
template <class T>
struct chunk_buffer {
  explicit chunk_buffer(const signal_chunks& all) : in(all.inputs()), out(all.outputs()) {}
  device_buffer<T> in, out;
  event brought, computed, taken;
};

}  // namespace detail

/// Filters chunk after chunk. Move-only.
template <class T>
class stage_ring {
 public:
  /// For the chunks of `all`, with so many buffers of a chunk on the device; std::invalid_argument below 1.
  stage_ring(std::span<const T> h, const signal_chunks& all, int buffers) : filter_(h, all.outputs()) {
    if (buffers < 1) throw std::invalid_argument("a ring needs at least one buffer");
    for (int i = 0; i < buffers; ++i) ring_.emplace_back(all);
    check(cudaDeviceSynchronize());  // the buffers are filled in the default stream
  }

  // [stages]
  /// The next chunk: its samples lie at `from`, its outputs go to `to`, both pinned. Enqueues and does not
  /// wait.
  void enqueue(const signal_chunk& chunk, const T* from, T* to) {
    buffer& b = ring_[enqueued_++ % ring_.size()];
    check(cudaStreamWaitEvent(up_, b.computed));  // the kernel has read what the copy overwrites
    bring<T>(chunk, from, b.in, up_);
    check(cudaEventRecord(b.brought, up_));

    check(cudaStreamWaitEvent(compute_, b.brought));
    check(cudaStreamWaitEvent(compute_, b.taken));  // the copy down has read what the kernel overwrites
    filter_(b.in, b.out, compute_);
    check(cudaEventRecord(b.computed, compute_));

    check(cudaStreamWaitEvent(down_, b.computed));
    take<T>(chunk, b.out, to, down_);
    check(cudaEventRecord(b.taken, down_));
  }
  // [stages]

  /// Returns when the samples of the chunk of this number, one of the last `buffers`, have been read.
  void wait_brought(std::size_t number) const { ring_[number % ring_.size()].brought.wait(); }
  /// Returns when its outputs are there.
  void wait_taken(std::size_t number) const { ring_[number % ring_.size()].taken.wait(); }
  /// Returns when all outputs are there.
  void wait() const { down_.wait(); }

 private:
  using buffer = detail::chunk_buffer<T>;

  chunk_filter<T> filter_;
  std::vector<buffer> ring_;
  std::size_t enqueued_ = 0;
  stream up_, compute_, down_;
};

}  // namespace tutorial
