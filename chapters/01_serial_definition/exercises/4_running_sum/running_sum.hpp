// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutorial {

/// A whole number that counts how often numbers of its kind were added or subtracted. Starts at 0.
class counted {
 public:
  counted() = default;
  friend counted operator+(counted a, counted b) { return ++operations, counted(a.value_ + b.value_); }
  friend counted operator-(counted a, counted b) { return ++operations, counted(a.value_ - b.value_); }
  counted& operator+=(counted other) { return *this = *this + other; }
  counted& operator-=(counted other) { return *this = *this - other; }

 private:
  friend struct counting;  // the checks see inside
  explicit counted(std::int64_t value) : value_(value) {}
  std::int64_t value_ = 0;
  static inline std::int64_t operations = 0;
};

/// Full convolution with K taps that are all 1: y[n] = x[n] + x[n - 1] + ... + x[n - K + 1],
/// 0 <= n < N + K - 1, with no more than two operations per output.
void running_sum(std::span<const counted> x, std::size_t taps, std::span<counted> y);

}  // namespace tutorial
