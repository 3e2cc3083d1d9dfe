// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What is known about every byte of device memory, and who used it last.
//   states   one byte for each byte: may it be used, has it been written, is it watched for races,
//            may the host use it, too?
//   cells    three stamps for each word of 4 bytes: the last write and two reads, for races
//   fine     the same for each byte: only where something smaller than a word is accessed
// Each is one range of addresses of which pages exist only where kernels go: 1, 6 and 24 times the memory
// that is used.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "emulator/export.hpp"

namespace cuda_emulator {

// Bits of a state; 0: not the program's. Where a copy is under way to the byte, it is not defined.
constexpr std::uint8_t state_usable = 1, state_defined = 2, state_unwatched = 4, state_of_host = 8,
                       state_under_way = 16;

struct cell {
  std::atomic<std::uint64_t> write{0}, read{0}, other_read{0};
};

struct shadow_range {
  std::uint8_t* states = nullptr;
  cell* cells = nullptr;
  cell* fine = nullptr;
  std::atomic<std::uint8_t>* has_fine = nullptr;  ///< for each word: its bytes are watched one by one
  std::size_t size = 0;

  /// For `size` bytes of memory. False, and all null, where the system does not give the addresses.
  bool reserve(std::size_t size);
  /// Gives the pages of [offset, offset + size) back: nothing there may be used.
  void forget(std::size_t offset, std::size_t size);
};

/// Of the device's memory; offsets count from first_of_memory.
EMULATOR_FOR_LIBRARIES extern shadow_range global_shadow;

/// Called by the runtime's functions; `address` may lie outside of device memory, which is then ignored.
/// Not watched: nothing is noted about who uses it, and so no race in it is found. Of the host: it may use
/// it, too.
void mark_usable(const void* address, std::size_t size, bool watched, bool of_host);
/// Nothing there may be used any more; who did so last stays known.
void mark_unusable(const void* address, std::size_t size);
EMULATOR_FOR_LIBRARIES void mark_defined(const void* address, std::size_t size);
/// But for what the host may write, unseen.
EMULATOR_FOR_LIBRARIES void mark_undefined(const void* address, std::size_t size);
/// What a copy within the device brings is as much written as what it was copied from.
void mark_copied(const void* to, const void* from, std::size_t size);

}  // namespace cuda_emulator
