// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "watch/launch_state.hpp"

namespace cuda_emulator {

/// Where a kernel used what lies in a variable of the host, says so in `finding`. Those lie among the
/// variables of the device, so that an access may look like one beside them.
void name_host_variable(raw_finding& finding, const launch_state& launch);

}  // namespace cuda_emulator
