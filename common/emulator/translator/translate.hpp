// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Turns CUDA C++ into C++ that a host compiler accepts.
#pragma once

#include <string>
#include <string_view>

#include "text/lexer.hpp"

namespace cuda_emulator::translator {

/// Whether functions and variables that belong to the device alone are seen by other files (nvcc -rdc=true)
/// or not. If not, they are marked for the linker with the visibility "internal".
enum class compilation { separate, whole };

/// Translates preprocessed CUDA C++ with line markers. Launches, kernels, variables in shared, constant and
/// device memory become calls of the emulated device, __device__ and __host__ vanish, explicit
/// instantiations are marked for the linker; everything else, white space and comments included, is copied.
/// Every line stays on its line. `file` is the name of the source before the first line marker. Throws
/// source_error for what it does not understand, rather than guess. Warnings are put into `warnings`, one
/// on a line; the last has no newline. Without `check_host_device`, who calls and uses what is nobody's
/// business (see host_device_checks.hpp). `with_steps` puts notes into device code that tell its lines and
/// local variables (see steps.hpp). What is to follow behind the translation is put into `behind`: the names
/// of arrays (see subscripts.hpp). `mark_host` marks functions that only the host can call (see
/// needless_calls.hpp). With `relaxed_constexpr` device code may call constexpr functions of the host.
std::string translate(std::string_view source, std::string_view file = "input",
                      compilation mode = compilation::separate, std::string* warnings = nullptr,
                      bool check_host_device = true, bool with_steps = false, std::string* behind = nullptr,
                      bool mark_host = false, bool relaxed_constexpr = false);

}  // namespace cuda_emulator::translator
