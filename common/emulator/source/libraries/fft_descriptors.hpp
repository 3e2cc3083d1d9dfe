// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What cufftXtMalloc() has made.
#pragma once

#include <string>
#include <vector>

#include "code/call_stack.hpp"

namespace cuda_emulator {

struct fft_descriptor_left {
  call_stack made_at;
  std::string plan;          ///< "C2C, n = 1024, on devices 0, 1"
  std::vector<void*> parts;  ///< Its memory.
};
/// What has not been freed.
std::vector<fft_descriptor_left> descriptors_left();
/// cudaDeviceReset(): those with a part on the current device are gone.
void forget_descriptors();

}  // namespace cuda_emulator
