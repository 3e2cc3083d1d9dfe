// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What C++17 and older standards admit and C++20 does not. Kernel files are always compiled as C++20.
#pragma once

#include "text/editor.hpp"

namespace cuda_emulator::translator {

/// Names that became keywords are renamed where the program uses them as names, S<T>() loses its <T> where it
/// declares a constructor, and throw(...) behind parameters is left out.
void accept_older_standards(editor& text);

}  // namespace cuda_emulator::translator
