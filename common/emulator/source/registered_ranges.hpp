// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Host memory that cudaHostRegister has made visible to kernels.
#pragma once

#include <cstddef>

namespace cuda_emulator {

bool add_range(void* begin, std::size_t size);
bool remove_range(void* begin);
bool is_registered(const void* address);

}  // namespace cuda_emulator
