// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The same work by several threads of the host.
#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tutorial {

/// work(p) for p = 0 ... count - 1, each in a thread. Returns when all have ended, and throws what the first
/// of them has thrown.
template <class Work>
void in_threads(int count, Work&& work) {
  std::mutex mutex;
  std::exception_ptr thrown;
  std::vector<std::thread> threads;
  for (int p = 0; p < count; ++p)
    threads.emplace_back([&, p] {
      try {
        work(p);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!thrown) thrown = std::current_exception();
      }
    });
  for (std::thread& each : threads) each.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace tutorial
