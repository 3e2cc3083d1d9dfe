// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// All versions of all chapters so far, against taps and against length.
#pragma once

#include "common/program/signals.hpp"

namespace tutorial {

/// Times against taps, against length, and of equal lengths: tables, where one version becomes faster than
/// another, and three pictures for --picture. That takes minutes: only with --long or --picture. On the
/// emulated device, which has no times, operations as the cost model counts them.
void show_experiment(convolution_demo& demo);

}  // namespace tutorial
