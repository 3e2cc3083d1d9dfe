// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// --signal, --length and what goes with them.
#pragma once

#include "convolution_chapter.hpp"

namespace tutorial {

/// Reads or makes signal and filter, convolves them, verifies, writes --output, and prints what it did.
/// A wrong result is not written: run.fail(). Throws input_error and usage_error.
void convolve_own_data(chapter_run& run, const convolution_chapter_parts& parts);

}  // namespace tutorial
