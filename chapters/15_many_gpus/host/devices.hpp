// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Which devices there are, which one is current, and which ones can reach each other.
#pragma once

#include <cuda_runtime.h>

#include <span>
#include <utility>
#include <vector>

#include "common/device/check.hpp"

namespace tutorial {

/// How many devices there are.
inline int device_count() {
  int count = 0;
  check(cudaGetDeviceCount(&count));
  return count;
}

/// The one that is current in this thread.
inline int device_now() {
  int device = 0;
  check(cudaGetDevice(&device));
  return device;
}

/// `parts` devices, one for each part; where there are fewer, they are taken in turn.
inline std::vector<int> devices_in_turn(int parts) {
  std::vector<int> all;
  for (int p = 0, count = device_count(); p < parts; ++p) all.push_back(p % count);
  return all;
}

/// While it exists, this device is the current one of the thread.
class current_device_guard {
 public:
  /// Throws cuda_error where there is no such device.
  explicit current_device_guard(int device) : before_(device_now()) { check(cudaSetDevice(device)); }
  ~current_device_guard() { cudaSetDevice(before_); }
  current_device_guard(const current_device_guard&) = delete;
  current_device_guard& operator=(const current_device_guard&) = delete;

 private:
  int before_;
};

/// While it exists, kernels of each of these devices may use the memory of all the others, where the machine
/// can do that. Copies between devices are direct then; without it they go through the host.
class peer_access {
 public:
  /// The same device may be named several times.
  explicit peer_access(std::span<const int> devices) {
    for (const int device : devices)
      for (const int peer : devices)
        if (device != peer) enable(device, peer);
  }
  ~peer_access() {
    for (const auto& [device, peer] : enabled_) {
      const current_device_guard at(device);
      cudaDeviceDisablePeerAccess(peer);
    }
  }
  peer_access(const peer_access&) = delete;
  peer_access& operator=(const peer_access&) = delete;

  /// Whether all of them reach all the others.
  bool complete() const { return complete_; }

 private:
  void enable(int device, int peer) {
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, device, peer));
    if (can == 0) {
      complete_ = false;
      return;
    }
    const current_device_guard at(device);
    const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
      (void)cudaGetLastError();  // another one has asked for it, and keeps it
      return;
    }
    check(status);
    enabled_.push_back({device, peer});
  }

  std::vector<std::pair<int, int>> enabled_;
  bool complete_ = true;
};

}  // namespace tutorial
