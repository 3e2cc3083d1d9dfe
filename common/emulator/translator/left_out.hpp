// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Code that the preprocessor has left out because it is for a GPU alone.
#pragma once

#include "editor.hpp"

namespace cuda_emulator::translator {

/// Warns of each `#if` of the program's own files that asks for __CUDA_ARCH__, of which nothing is left and
/// in whose place nothing stands: a kernel whose body lies there would compute nothing, and nobody would
/// know. What asks for an older device (`<`), for none (`!`), or has code behind its `#else` is taken as it
/// was meant. Files that cannot be read are passed over.
void warn_of_code_left_out(editor& text);

}  // namespace cuda_emulator::translator
