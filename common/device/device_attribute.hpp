// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the device has: numbers that a launch depends on.
#pragma once

#include <cuda_runtime.h>

#include "check.hpp"

namespace tutorial {

/// A property of the current device. Throws cuda_error.
inline int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace tutorial
