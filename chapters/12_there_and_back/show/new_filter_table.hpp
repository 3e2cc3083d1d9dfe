// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The table of calls that have a new filter each, of this chapter and of those behind it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "common/device/device_memory.hpp"
#include "common/program/pictures.hpp"
#include "common/verify/compare.hpp"

namespace tutorial {

/// A table with a row for each call: what it moves where the device counts; elsewhere how long one call takes
/// with the wait for it, and how long many take back to back. Each is verified.
class new_filter_table {
 public:
  /// `chapter` is the one that shows it. y is what the calls write.
  new_filter_table(chapter_run& run, std::string chapter, std::size_t samples, std::size_t taps,
                   device_span<float> y);
  /// Its row, if the run wants that version: call() launches, verify(outputs) says whether they are right.
  void add(const version_name& version, const std::function<void()>& call,
           const std::function<agreement(const std::vector<float>&)>& verify);
  /// Prints the rows; nothing if there are none.
  void show() const;

 private:
  chapter_run& run_;
  std::string chapter_;
  std::size_t samples_, taps_;
  device_span<float> y_;
  text_table table_;
};

}  // namespace tutorial
