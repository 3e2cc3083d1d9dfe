// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Inline PTX: asm statements of device code become C++, instruction by instruction.
#pragma once

#include "text/editor.hpp"

namespace cuda_emulator::translator {

/// asm, __asm__ or __asm
bool is_assembly(const editor& text, place i);

/// Translates the asm statement that begins at i, somewhere before `end`. Types and constraints are checked
/// as the assembler of a GPU does it. What is not emulated is an error that names the instruction and says
/// what to write instead.
void translate_assembly(editor& text, place i, place end);

}  // namespace cuda_emulator::translator
