// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What goes over the host link, and in which order, and what goes from device to device: counted on the
// emulated device.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tutorial {

/// Bytes, and how they follow each other. A device has three engines: one copies up, one copies down, one
/// runs kernels. Each does one operation at a time, in the order in which the program gave them, and an
/// operation begins when what it has to wait for has finished.
struct movement_counts {
  std::uint64_t bytes_up = 0, bytes_down = 0;  ///< Between host and device, by copies and by kernels.
  std::uint64_t bytes_within = 0;              ///< Copied and filled within the device.
  std::uint64_t copies = 0, kernels = 0;       ///< Operations; a library's transform counts as a kernel.
  std::uint64_t waits = 0;                     ///< How often the host waited for the device.
  std::uint64_t longest_chain = 0;             ///< Bytes over the link that follow each other.
  // From device to device.
  std::uint64_t messages = 0;  ///< Copies between two devices, and calls of NCCL that send.
  /// What they move, and what kernels load from and store to other devices.
  std::uint64_t bytes_between = 0;
};

/// Runs `work`, which waits for what it gives to the device, and returns what was moved. Nothing where the
/// device does not count (a GPU).
std::optional<movement_counts> count_movements(const std::function<void()>& work);

/// One of these operations: a copy, or a kernel.
struct moved_operation {
  enum class kind { up, down, kernel, other };
  kind what = kind::other;
  int device = 0;
  bool of_graph = false;  ///< A node of a graph that was launched.
  /// Which of the operations before it, by their place in the list, have finished before it begins: so
  /// streams, events and the host have it.
  std::vector<bool> after;
};

/// The same, one by one, in the order in which the program gave them; empty where the device does not count.
std::vector<moved_operation> list_movements(const std::function<void()>& work);

}  // namespace tutorial
