// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// kernel<<<grid, block>>>(arguments)
#pragma once

#include "text/editor.hpp"

namespace cuda_emulator::translator {

/// Every launch becomes a call of ::cuda_emulator::launch with the kernel's name, file and line, the
/// configuration, a function object that calls the kernel, and the arguments. Configuration and arguments
/// stay where they are, so what stands in them may be translated too.
void translate_launches(editor& text);

}  // namespace cuda_emulator::translator
