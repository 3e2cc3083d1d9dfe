// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// From and to pageable memory. The driver would copy through a small pinned buffer of its own, with one
// thread; here many threads of the host do it, each for chunks of its own.
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "12_there_and_back/host/chunk_filter.hpp"
#include "common/device/pinned_buffer.hpp"
#include "there_and_back.hpp"

namespace tutorial {
namespace {

// [worker]
/// What a host thread has for its chunks.
template <class T>
struct worker {
  worker(std::span<const T> h, const signal_chunks& all)
      : slot(h, all), in(all.inputs()), out(all.outputs()) {}

  /// Filters every `step`-th chunk, beginning with number `c`.
  void filter(const signal_chunks& all, std::size_t c, std::size_t step, std::span<const T> x,
              std::span<T> y) {
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

  chunk_slot<T> slot;
  pinned_buffer<T> in, out;
  stream work;
};
// [worker]

}  // namespace

template <class T>
journey<T> prepare_host_threads(std::span<const T> h, std::size_t samples, convolution_mode mode,
                                const chunking& how, int threads) {
  if (threads < 1) throw std::invalid_argument("at least one thread must do the work");
  const signal_chunks all(samples, h.size(), mode, how.outputs);
  const auto workers = std::make_shared<std::vector<std::unique_ptr<worker<T>>>>();
  for (std::size_t i = 0; i < std::min(std::size_t(threads), all.count()); ++i)
    workers->push_back(std::make_unique<worker<T>>(h, all));
  int device = 0;
  check(cudaGetDevice(&device));
  return settled([=](std::span<const T> x, std::span<T> y) {
    all.require_lengths(x.size(), y.size());
    std::vector<std::exception_ptr> failed(workers->size());
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < workers->size(); ++i)
      running.emplace_back([&, i] {
        try {
          check(cudaSetDevice(device));  // each thread has a current device of its own
          (*workers)[i]->filter(all, i, workers->size(), x, y);
        } catch (...) {
          failed[i] = std::current_exception();
        }
      });
    for (std::thread& each : running) each.join();
    for (const std::exception_ptr& each : failed)
      if (each) std::rethrow_exception(each);
  });
}

TUTORIAL_INSTANTIATE_JOURNEY(prepare_host_threads, const chunking&, int);

}  // namespace tutorial
