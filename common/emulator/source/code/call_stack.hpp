// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/export.hpp"

namespace cuda_emulator {

/// The innermost callers outside of this library.
struct call_stack {
  static constexpr int most = 12;
  std::uint64_t pcs[most] = {};
};

/// Is this one of the library's own functions, or of the libraries that it was told of?
bool is_of_this_library(std::uint64_t pc);
/// The library in which `address` lies is one of our own.
void add_own_image(const void* address);

/// `within`, unless null: a place in the function of this library that they call.
EMULATOR_FOR_LIBRARIES call_stack caller_outside(std::uint64_t* within = nullptr);

/// Return addresses in the program's functions, from the one that called this library, the innermost first,
/// to the one that this library has called: within a kernel, the functions that run.
std::vector<std::uint64_t> callers_of_kernel_code();

/// Is this the name of a header?
bool is_header(std::string_view file);

/// "file.cu:12": the innermost caller in a source file of the program, headers passed over; empty if none is
/// known.
EMULATOR_FOR_LIBRARIES std::string line_of(const call_stack& stack);

}  // namespace cuda_emulator
