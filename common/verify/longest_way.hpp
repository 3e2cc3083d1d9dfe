// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Whether a thread does the work of others, where requests do not tell: lanes part, or store by atomics.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "common/device/thread_work.hpp"
#include "common/files/numbers.hpp"
#include "counted_check.hpp"

namespace tutorial {

/// Checks that kernels do `work`, and that no thread makes more than `most` steps, several times what an
/// answer needs. The sentence begins with `given` and ends with `question`.
inline void check_longest_way(const std::function<void()>& work, std::uint64_t most, const std::string& given,
                              const std::string& question) {
  const std::optional<thread_work> done = count_thread_work(work);
  if (!done) {
    ++checks_without_counts;
    return;
  }
  REQUIRE_MESSAGE(done->launches > 0, given,
                  ": no kernel was launched: the device should compute this, in a kernel");
  CHECK_MESSAGE(done->longest_way <= most, given, ": one thread makes ", grouped(done->longest_way),
                " steps (loads, stores, and from each branch to the next), and ", most, " are plenty. ",
                question);
}

}  // namespace tutorial
