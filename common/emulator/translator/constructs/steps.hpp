// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Notes in kernels, for a recording of their steps: which line a thread has come to, and what its variables
// are.
#pragma once

#include <string>

#include "text/editor.hpp"

namespace cuda_emulator::translator {

/// A function of the device.
struct noted_function {
  place parameters;  ///< The opening parenthesis; nowhere if that is not known.
  place body;        ///< The opening brace.
  std::string name;
  bool is_kernel;
};

/// Puts calls of include/emulator/steps.hpp into the function: behind what declares or assigns a local
/// variable, into conditions, and, in a kernel, at its beginning. What is not plainly one of these stays as
/// it is. To be called after all other changes to the function.
void note_steps(editor& text, const noted_function& function);

}  // namespace cuda_emulator::translator
