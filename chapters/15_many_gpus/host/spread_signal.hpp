// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A signal that lies in parts on several devices, and the filter that is applied to it there.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "15_many_gpus/host/devices.hpp"
#include "15_many_gpus/host/split.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/stream.hpp"
#include "part_filter.hpp"

namespace tutorial {

class part_flags;

/// What one device has: two buffers for its samples and their halo, a stream, and the filter. Its members are
/// to be used while its device is current. T is std::int32_t, float or double.
template <class T>
class signal_part {
 public:
  /// Part `number` of the split, on the current device, for the filter h. The halo of the split is that of
  /// the filter, or that of several steps.
  signal_part(const signal_split& split, int number, std::span<const T> h);
  signal_part(const signal_part&) = delete;
  signal_part& operator=(const signal_part&) = delete;

  // [at]
  /// Where x[n] is in buffer 0 or 1, if the part owns it or has it in its halo.
  T* at(int buffer, std::size_t n) { return memory_[buffer].data() + lead_ + n - owned_.begin; }
  // [at]
  /// Copies its own samples to buffer 0. What lies beyond the ends of the signal is zero in both buffers, and
  /// the rest of the halo poison. Waits.
  void bring(std::span<const T> own);
  /// Copies what it owns in the buffer to `own`. Waits.
  void take(int buffer, std::span<T> own);
  /// These outputs, in the other buffer, of what is in `buffer`. Launches in the stream and does not wait,
  /// but for the first call with so many outputs in that stream, which waits for the device.
  void filter(int buffer, const sample_range& outputs, cudaStream_t in);
  /// All outputs that it owns, in its own stream.
  void filter(int buffer) { filter(buffer, owned_, work); }

  /// The one that was current when it was made.
  int device() const { return device_; }
  /// Which samples it owns.
  const sample_range& owned() const { return owned_; }
  /// The taps, in the memory of the device.
  device_span<const T> taps() const { return taps_; }

  stream work;      ///< What all versions work in.
  stream aside;     ///< For what runs beside it.
  event computed;   ///< For versions that order streams by events: the outputs are there.
  event copied[2];  ///< Likewise: the halo of this buffer is there.

 private:
  const int device_;
  const sample_range owned_;
  const std::size_t samples_, left_, right_;  // the halo on each side
  const std::size_t lead_;                    // elements before its own samples: left_, and what aligns them
  const std::vector<T> h_;
  device_buffer<T> taps_, memory_[2];
  // By outputs and stream: calls of one filter must follow each other.
  std::map<std::pair<std::size_t, cudaStream_t>, part_filter<T>> filters_;
};

/// All parts: what a process has that uses all devices.
template <class T>
class spread_signal {
 public:
  /// A signal of `samples` samples in as many parts as devices are named. A device may be named several
  /// times; then several parts lie on it. There is an exchange of halos in every `steps_each` steps. Throws
  /// std::invalid_argument without a device, sample, tap or step, cuda_error where memory is short.
  spread_signal(std::span<const T> h, std::size_t samples, std::span<const int> devices,
                std::size_t steps_each = 1);
  ~spread_signal();

  /// x, which has all samples, to the devices: to buffer 0. Waits.
  void bring(std::span<const T> x);
  /// What lies on the devices, to y, which has all samples. Waits for all work.
  void take(std::span<T> y);
  /// Returns when all devices have done what they were given.
  void wait() const;

  /// Who owns what.
  const signal_split& split() const { return split_; }
  /// How many parts.
  int parts() const { return split_.parts(); }
  /// Part p, 0 <= p < parts().
  signal_part<T>& part(int p) { return *parts_[std::size_t(p)]; }
  /// What one step needs on each side.
  halo_widths halo_of_step() const { return step_; }
  /// How many steps an exchange is for.
  std::size_t steps_each() const { return steps_each_; }
  /// Whether no two parts are on the same device.
  bool one_part_a_device() const;
  /// Whether kernels of each device can use the memory of all others.
  bool reaches_all() const { return peers_.complete(); }
  /// Who raises flags: each version counts something else.
  enum class flag_user { between, in_kernel };
  /// Its flags, kept from call to call. std::invalid_argument where kernels of different parts cannot wait
  /// for each other: parts share a device, a device does not reach another one's memory, or has no atomic
  /// operations there, or there are too many.
  part_flags& flags(flag_user user);
  /// The next call gets new ones: a part did not make all its steps.
  void forget_flags(flag_user user);
  /// The buffer that has the signal.
  int buffer() const { return buffer_; }
  /// A step of all parts has been given to the devices: the other buffer has the signal now.
  void swap_buffers() { buffer_ = 1 - buffer_; }

 private:
  halo_widths step_;
  std::size_t steps_each_;
  signal_split split_;
  peer_access peers_;
  std::vector<std::unique_ptr<signal_part<T>>> parts_;
  std::unique_ptr<part_flags> flags_[2];
  int buffer_ = 0;
};

}  // namespace tutorial
