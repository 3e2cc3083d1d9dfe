// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Several devices: how many there are, which one is current for a thread of the host, and which may use the
// memory of which.
#pragma once

#include <atomic>
#include <string>

#include "emulator/export.hpp"

namespace cuda_emulator {

constexpr int most_devices = 16;

/// What EMULATOR_DEVICES asks for when it is first needed; 1 unless it does.
EMULATOR_FOR_LIBRARIES int device_count();
inline bool is_device(int device) { return device >= 0 && device < device_count(); }

/// Of this thread of the host.
EMULATOR_FOR_LIBRARIES int current_device();
EMULATOR_FOR_LIBRARIES void set_current_device(int device);

/// For as long as it lives another device is current.
class with_device {
 public:
  explicit with_device(int device) : before_(current_device()) { set_current_device(device); }
  ~with_device() { set_current_device(before_); }
  with_device(const with_device&) = delete;

 private:
  int before_;
};

/// May kernels of `device` use memory of `peer`? cudaDeviceEnablePeerAccess() says so, in one direction.
bool reaches(int device, int peer);
void set_reaches(int device, int peer, bool may);

/// A kernel of the device has looked lately at a variable by a volatile or atomic access: it may wait.
inline constinit std::atomic<bool> device_looks[most_devices]{};

/// " of device 1"; empty where there is only one device.
std::string of_device(int device);
/// "device 1"
inline std::string device_text(int device) { return "device " + std::to_string(device); }

}  // namespace cuda_emulator
