// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a function that is called once for each filter keeps for its next call.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <utility>

#include "common/device/check.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// What two calls must have in common if one is to use what the other has made.
struct call_key {
  std::size_t samples, taps;
  convolution_mode mode;
  std::uint64_t prices;  ///< Whichever version of them something was chosen by.
  int device = current();

  bool operator==(const call_key&) const = default;

 private:
  static int current() {
    int device = 0;
    check(cudaGetDevice(&device));
    return device;
  }
};

/// For so many keys is something kept, of each function and type.
inline constexpr std::size_t kept_calls_at_most = 8;

/// Values of the keys that were used last, kept_calls_at_most of them.
template <class Value>
class kept_calls {
 public:
  /// use(value) with the one for `key`; where none is kept, make() returns it. One thread at a time: what
  /// `use` enqueues in one stream lies behind all that calls before have enqueued there.
  template <class Make, class Use>
  void with(const call_key& key, const Make& make, const Use& use) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const auto& each) { return each.first == key; });
    if (found == kept_.end()) {
      kept_.emplace_front(key, make());
      if (kept_.size() > kept_calls_at_most) kept_.pop_back();
    } else {
      kept_.splice(kept_.begin(), kept_, found);
    }
    use(kept_.front().second);
  }
  /// Nothing is kept any more. What uses the values must be done.
  void forget() {
    const std::lock_guard lock(mutex_);
    kept_.clear();
  }

 private:
  std::mutex mutex_;
  std::list<std::pair<call_key, Value>> kept_;  ///< The one that was used last in front.
};

}  // namespace tutorial
