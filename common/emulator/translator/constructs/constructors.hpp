// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Classes whose default constructor does something.
#pragma once

#include "text/editor.hpp"

namespace cuda_emulator::translator {

/// Whether every class of this name in the source has a default constructor of its own that does something
/// when the program runs. Bases and members are not asked: false where it is not sure.
bool has_working_constructor(const editor& text, std::string_view name);

}  // namespace cuda_emulator::translator
