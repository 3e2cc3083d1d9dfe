// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

namespace cuda_emulator {

/// Why, and what a GPU does.
inline constexpr char division_by_zero[] =
    "A GPU does not stop here, but continues with a meaningless value. Usual cause: a divisor that becomes "
    "0\n"
    "  for small sizes, such as size / 32, or that comes from memory. (On x86-64 the smallest int divided by "
    "-1 also stops here.)";

/// From now on, what the processor refuses while a kernel runs on this thread ends the launch with a finding.
void catch_faults();

}  // namespace cuda_emulator
