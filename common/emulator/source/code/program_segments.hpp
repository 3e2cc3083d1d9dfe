// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace cuda_emulator {

/// Does `address` lie in a part of the program that cannot be written: constants, literals, tables of virtual
/// functions?
bool is_read_only(const void* address);

enum class code_kind { none, ours, of_the_program };
/// Does this address lie in code, and whose is it: the emulated device's, or that of anybody else?
code_kind code_of(std::uint64_t address);

}  // namespace cuda_emulator
