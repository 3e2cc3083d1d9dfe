// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// From and to pageable memory. The driver would copy through a small pinned buffer of its own, with one
/// thread; here many threads of the host do it, each for chunks of its own.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

#include "chunk_filter.hpp"
#include "common/device/pinned_buffer.hpp"
#include "there_and_back.hpp"

namespace tutorial {
namespace {

// [worker]
/// Every `step`-th chunk from number `c` on.
template <class T>
void filter_chunks(std::span<const T> x, std::span<const T> h, std::span<T> y, const signal_chunks& all,
                   std::size_t c, std::size_t step) {
  chunk_slot<T> slot(h, all);
  const stream work;
  pinned_buffer<T> in(all.inputs()), out(all.outputs());
  for (; c < all.count(); c += step) {
    const signal_chunk chunk = all[c];
    std::memcpy(in.data(), x.data() + chunk.first_sample, chunk.samples * sizeof(T));
    bring<T>(chunk, in.data(), slot.in, work);
    slot.filter(slot.in, slot.out, work);
    take<T>(chunk, slot.out, out.data(), work);
    work.wait();
    std::memcpy(y.data() + chunk.first_output, out.data(), chunk.outputs * sizeof(T));
  }
}
// [worker]

}  // namespace

template <class T>
void convolve_host_threads(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode,
                           const chunking& how, int threads) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  if (threads < 1) throw std::invalid_argument("at least one thread must do the work");
  const signal_chunks all(x.size(), h.size(), mode, how.outputs);
  const std::size_t step = std::min(std::size_t(threads), all.count());
  int device = 0;
  check(cudaGetDevice(&device));
  std::vector<std::exception_ptr> failed(step);
  std::vector<std::thread> workers;
  for (std::size_t first = 0; first < step; ++first)
    workers.emplace_back([&, first] {
      try {
        check(cudaSetDevice(device));  // each thread has a current device of its own
        filter_chunks<T>(x, h, y, all, first, step);
      } catch (...) {
        failed[first] = std::current_exception();
      }
    });
  for (std::thread& each : workers) each.join();
  for (const std::exception_ptr& each : failed)
    if (each) std::rethrow_exception(each);
}

TUTORIAL_INSTANTIATE_THERE_AND_BACK(convolve_host_threads, const chunking&, int);

}  // namespace tutorial
