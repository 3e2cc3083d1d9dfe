// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Checks that only some devices can do: of what a kernel counts, of very large arrays, of several devices.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "common/device/device.hpp"

namespace tutorial {

/// How many checks asked for counts that this device does not have. The chapter's main says so: nothing is
/// left out in silence.
inline int checks_without_counts = 0;

/// True if `launches` holds counts. If not, the calling check is to return, and is counted as not done. Ends
/// the check where the device counts, and nothing was launched.
inline bool has_counts(const std::vector<launch_counts>& launches) {
  if (!launches.empty()) return true;
  REQUIRE_MESSAGE(!counts_launches(), "no kernel was launched: the device should compute this, in a kernel");
  ++checks_without_counts;
  return false;
}

/// For the message of a check that counts too many loads: ". N loads are made by ... that store nothing.
/// Does an output need these loads?" Empty where every thread that loads stores, too.
inline std::string idle_loads(const std::vector<launch_counts>& launches) {
  std::string text;
  for (const launch_counts& each : launches)
    if (text.empty() && !each.idle.empty())
      text = ". Of all loads, " + each.idle + ". Does an output need these loads?";
  return text;
}

/// Likewise for checks that need more than one device.
inline int checks_without_devices = 0;

/// Likewise for checks that need gigabytes.
inline int checks_without_memory = 0;

/// True if the device has so much memory to spare. On the emulated device gigabytes take minutes: never.
inline bool has_memory(std::size_t bytes) {
  const device_facts device = current_device();
  if (!device.emulated && device.free_bytes > bytes) return true;
  ++checks_without_memory;
  return false;
}

}  // namespace tutorial
