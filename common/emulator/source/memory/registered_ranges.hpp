// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Host memory that cudaHostRegister() has made visible to kernels.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "code/call_stack.hpp"
#include "emulator/export.hpp"

namespace cuda_emulator {

struct registered_range {
  const char* begin;
  std::size_t size;
  unsigned int flags;
  call_stack made_at;
};

/// False where part of it is registered.
bool add_range(const registered_range& range);
/// False where none begins there.
bool remove_range(const void* begin);
void forget_ranges();
/// The one in which `address` lies.
EMULATOR_FOR_LIBRARIES std::optional<registered_range> registered_at(const void* address);
/// Is any of these bytes registered?
bool any_registered(const void* begin, std::size_t size);
/// One that `address` misses by less than 4 KiB.
std::optional<registered_range> near_registered(const void* address);
/// What is registered, by address.
std::vector<registered_range> ranges_left();

}  // namespace cuda_emulator
