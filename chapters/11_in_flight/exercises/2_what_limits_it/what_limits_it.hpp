// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

namespace tutorial {

// [given]
struct kernel_needs {
  int threads_per_block, registers_per_thread;
  int shared_bytes_per_block;  ///< What the kernel requests.
};

/// The defaults are an H200's.
struct multiprocessor {
  int lanes = 32;                    ///< Threads of a warp.
  int threads = 2048, blocks = 32;   ///< Resident at a time, at most.
  int schedulers = 4;                ///< Each warp belongs to one scheduler.
  int registers = 65536;             ///< A quarter of them for the warps of each scheduler.
  int register_unit = 256;           ///< A warp gets a multiple of this.
  int shared_bytes = 228 * 1024;     ///< For all resident blocks.
  int reserved_shared_bytes = 1024;  ///< What each block uses in addition to what it requests.
  int shared_unit = 128;             ///< A block gets a multiple of this.
};

/// A row of a profile, in percent of the maximum.
struct profile_row {
  double issue;       ///< Cycles in which a scheduler issues an instruction.
  double memory;      ///< Bytes to and from the memory of the device.
  double arithmetic;  ///< Use of the multiply-add pipe.
};

enum class limiter { memory_bytes, arithmetic, issue, waiting };
// [given]

/// How many blocks of this kernel are resident on a multiprocessor at a time: as many as the scarcest of its
/// resources allows, or 0 where one block is too large. A kernel needs at least one register per thread.
int resident_blocks(const kernel_needs& kernel, const multiprocessor& on = {});

/// Resident warps, as a part of the most that there can be: 0 to 1. A warp counts even if it is not full.
double occupancy(const kernel_needs& kernel, const multiprocessor& on = {});

/// What a profile names as the limiter. Memory counts as busy from 70 % on, because a plain copy does not
/// reach 100 % either; issue and arithmetic from 80 % on. A kernel whose multiply-adds are at their limit
/// also issues in nearly every cycle: its limiter is arithmetic. Where nothing is busy, the warps wait.
limiter name_limiter(const profile_row& row);

}  // namespace tutorial
