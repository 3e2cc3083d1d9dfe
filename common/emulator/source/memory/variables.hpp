// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The `__device__`, `__constant__` and `__managed__` variables of the program.
#pragma once

#include "address_ranges.hpp"
#include "emulator/launch.hpp"
#include "shadow.hpp"

namespace cuda_emulator {

struct variable_record {
  const char* begin;
  std::size_t size, element_size;
  array_shape shape;
  const char* name;
  memory_space space;
  bool has_host_copy;  ///< A constant: on a GPU the host has one of the same value.
  const char* file;
  int line;
  std::uint32_t number;  ///< 1, 2, ... in the order of registration
  shadow_range* shadow;  ///< Null where the system gave no memory for it.
};

/// The variable in which `address` lies, or null.
const variable_record* find_variable(const volatile void* address);
/// Sets `range` to the addresses around `address` between two variables.
void between_variables(const void* address, address_range& range);
/// The variable that was registered as number `number`, or null.
const variable_record* variable_with_number(std::uint32_t number);
/// From now on the variables hold what they hold on `device`: each has one of its own. (Managed ones belong
/// to all.) Nobody may use any meanwhile.
void use_variables_of(int device);
/// The variable that `address` misses by less than 4 KiB, or null.
const variable_record* near_variable(const volatile void* address);

}  // namespace cuda_emulator
