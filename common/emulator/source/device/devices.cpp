// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "devices.hpp"

#include <atomic>

#include "settings.hpp"

namespace cuda_emulator {
namespace {

thread_local int current = 0;
std::atomic<bool> reachable[most_devices][most_devices] = {};

}  // namespace

int device_count() {
  static const int count = devices_asked_for();
  return count;
}
int current_device() { return current; }
void set_current_device(int device) { current = device; }

bool reaches(int device, int peer) {
  return device == peer || reachable[device][peer].load(std::memory_order_relaxed);
}
void set_reaches(int device, int peer, bool may) { reachable[device][peer] = may; }

std::string of_device(int device) { return device_count() == 1 ? "" : " of " + device_text(device); }

}  // namespace cuda_emulator
