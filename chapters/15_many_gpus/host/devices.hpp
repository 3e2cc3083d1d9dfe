// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which devices there are, which one is current, and which ones can reach each other.
#pragma once

#include <cuda_runtime.h>

#include <map>
#include <mutex>
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
/// can do that. Copies between devices are direct then; without it they go through the host. CUDA knows one
/// access for the process: it ends with the last of these objects that needs it.
class peer_access {
 public:
  /// The same device may be named several times.
  explicit peer_access(std::span<const int> devices)
      : peer_access() {  // so that the destructor follows a throw
    for (const int device : devices)
      for (const int peer : devices)
        if (device != peer) enable(device, peer);
  }
  ~peer_access() {
    const std::lock_guard lock(mutex_);
    for (const device_pair& each : mine_) {
      if (--owners_[each] > 0) continue;
      const current_device_guard at(each.first);
      cudaDeviceDisablePeerAccess(each.second);
    }
  }
  peer_access(const peer_access&) = delete;
  peer_access& operator=(const peer_access&) = delete;

  /// Whether all of them reach all the others.
  bool complete() const { return complete_; }
  /// Whether, besides, each of them can add to a counter in the memory of another one while others do. Not
  /// every link between devices can.
  bool has_atomics() const { return complete_ && has_atomics_; }

 private:
  using device_pair = std::pair<int, int>;
  peer_access() = default;

  void enable(int device, int peer) {
    int can = 0, can_add = 0;
    check(cudaDeviceCanAccessPeer(&can, device, peer));
    if (can == 0) {
      complete_ = false;
      return;
    }
    check(cudaDeviceGetP2PAttribute(&can_add, cudaDevP2PAttrNativeAtomicSupported, device, peer));
    has_atomics_ &= can_add != 0;
    const std::lock_guard lock(mutex_);
    int& owners = owners_[{device, peer}];
    const current_device_guard at(device);
    const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
      (void)cudaGetLastError();
      if (owners == 0) owners = 1;  // of something else in this process, which keeps it
    } else {
      check(status);
    }
    ++owners;
    mine_.push_back({device, peer});
  }

  static inline std::mutex mutex_;
  static inline std::map<device_pair, int> owners_;
  std::vector<device_pair> mine_;
  bool complete_ = true, has_atomics_ = true;
};

}  // namespace tutorial
