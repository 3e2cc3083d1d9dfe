// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace cuda_emulator {

/// The innermost callers outside of this library.
struct call_stack {
  static constexpr int most = 12;
  std::uint64_t pcs[most] = {};
};

/// `within`, unless null: a place in the function of this library that they call.
call_stack caller_outside(std::uint64_t* within = nullptr);

/// "file.cu:12": the innermost caller in a source file of the program, headers passed over; empty if none is
/// known.
std::string line_of(const call_stack& stack);

}  // namespace cuda_emulator
