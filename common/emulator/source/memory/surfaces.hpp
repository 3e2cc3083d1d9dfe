// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Surface objects, through which kernels read and write arrays.
#pragma once

#include <vector>

#include "textures.hpp"

namespace cuda_emulator {

std::vector<left_over> surfaces_left();
/// cudaDeviceReset().
void forget_surfaces();

}  // namespace cuda_emulator
