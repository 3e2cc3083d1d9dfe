// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What this chapter does with the reader's own signal.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// Filters the signal of --signal, an .npy file of any length, by the filter of --filter, and writes the
/// outputs to --output, an .npy file; or does it with --length random samples. Without --output nothing is
/// written.
void filter_own_signal(chapter_run& run);

}  // namespace tutorial
