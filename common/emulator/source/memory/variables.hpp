// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The `__device__`, `__constant__` and `__managed__` variables of the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "address_ranges.hpp"
#include "emulator/export.hpp"
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
  /// Constant memory without a value of its own: which bytes have been copied to is noted in the shadow.
  bool awaits_copy;
};

/// The variable in which `address` lies, or null.
EMULATOR_FOR_LIBRARIES const variable_record* find_variable(const volatile void* address);
/// Sets `range` to the addresses around `address` between two variables.
void between_variables(const void* address, address_range& range);
/// The variable that was registered as number `number`, or null.
const variable_record* variable_with_number(std::uint32_t number);
/// From now on the variables hold what they hold on `device`: each has one of its own. (Managed ones belong
/// to all.) Nobody may use any meanwhile.
void use_variables_of(int device);
/// The program copies to these bytes of a variable: `function` is the name of the call, which outlives all.
void note_copy_to(const variable_record& variable, std::size_t offset, std::size_t size,
                  const char* function);
/// The program has the address of the variable: nothing is known of what is copied there.
void note_address_taken(const variable_record& variable);
struct copy_in_words {
  std::string text;  ///< "cudaMemcpyToSymbol() at a.cu:12, wrote bytes 0 to 19"; empty where there was none.
  std::size_t offset = 0, size = 0;
  std::string place{};  ///< "a.cu:12"; empty: not known.
};
/// The copy that begins last before this byte, else the last one.
copy_in_words nearest_copy_to(const variable_record& variable, std::size_t offset);
/// The variable that `address` misses by less than 4 KiB, or null.
const variable_record* near_variable(const volatile void* address);
/// The bytes that 2^32 elements take, and 2^32 rows where it has some.
std::vector<std::uint64_t> wraps_of(std::size_t element_size, const array_shape& shape);
/// Do 2^32 elements of a variable, or rows, lie between it, or less than 4 KiB before it, and `address`? So
/// many bytes; else 0.
std::uint64_t bytes_beyond_variable(const void* address);
/// The variables of which that is true for `bytes`.
std::vector<const variable_record*> variables_so_far_below(const void* address, std::uint64_t bytes);

}  // namespace cuda_emulator
