// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Where each restart interval begins in the file, in bytes from the first; before stuffing. bits[b] is the
/// length of the code of 8x8 block b. An interval has `blocks_in_interval` of them, the last one perhaps
/// fewer. Its bits are filled up to whole bytes, and a marker of 2 bytes stands behind it, but not behind the
/// last one:
///     begins[0] = 0, begins[m + 1] = begins[m] + bytes of interval m + 2;
/// the last element of begins, begins[intervals], is the size of all. begins has one element more than there
/// are intervals. At least one block; blocks_in_interval >= 1. A thread for each interval, and a scan.
void where_intervals_begin(device_span<const int> bits, int blocks_in_interval, device_span<int> begins);

}  // namespace tutorial
