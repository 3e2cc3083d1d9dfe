// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Devices take turns. Kernels of different devices may wait for each other, so a kernel that has not ended
// must let those of others go on: it does so where it looks at a variable by a volatile or atomic access,
// while another device's kernel waits for its turn. What device variables hold changes with the turn, so no
// two devices run kernels at the same moment.
#pragma once

#include <atomic>
#include <condition_variable>
#include <list>
#include <mutex>

#include "device/devices.hpp"

namespace cuda_emulator {

/// The part of a launch in this. With a single device nothing here is ever used.
class device_turn {
 public:
  /// Waits until it is this device's turn, for a launch with so many workers.
  device_turn(int device, int workers);
  /// All workers have left.
  ~device_turn();
  device_turn(const device_turn&) = delete;

  /// A worker of the launch comes to a place where others may go first.
  void offer();
  /// A worker has nothing left to do.
  void leave();

  /// One worker of this launch has stopped, and the others should.
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

 private:
  void wait(std::unique_lock<std::mutex>& lock);
  void pass();

  int device_;
  int running_, all_;
  bool mine_ = false;
  unsigned rounds_ = 0;
  std::atomic<bool> stopping_{false};
};

/// Somebody waits for a turn.
inline constinit std::atomic<bool> turn_wanted{false};

/// For work that uses device variables outside of kernels: nobody runs kernels meanwhile, and the variables
/// hold what they hold on `device`.
class alone_with_variables {
 public:
  explicit alone_with_variables(int device);
  ~alone_with_variables();
  alone_with_variables(const alone_with_variables&) = delete;

 private:
  bool used_;
};

}  // namespace cuda_emulator
