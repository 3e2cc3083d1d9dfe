// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

namespace cuda_emulator {

/// Does `address` lie in a part of the program that cannot be written: constants, literals, tables of virtual
/// functions?
bool is_read_only(const void* address);

}  // namespace cuda_emulator
