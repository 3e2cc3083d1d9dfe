// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Collects what is wrong with the kernels of a launch.
#pragma once

#include <string>

#include "emulator/finding.hpp"

namespace cuda_emulator {

/// Keeps the finding until the launch has ended.
void add_finding(finding_kind kind, std::string text);
/// After a launch, outside of kernels: prints the findings and ends the program, or throws the first one.
void conclude_findings();

}  // namespace cuda_emulator
