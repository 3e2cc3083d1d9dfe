// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "emulator/launch.hpp"

namespace cuda_emulator {

/// "transpose_kernel<float, 0>": with the arguments of the template that the kernel is an instance of, and
/// without namespaces. Where the linker's name of it is not known: "transpose_kernel".
std::string full_name(const kernel_record& kernel);

}  // namespace cuda_emulator
