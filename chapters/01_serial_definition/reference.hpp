// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The reference of every convolution chapter, as the tables use it.
#pragma once

#include "common/program/convolution_chapter.hpp"

namespace tutorial {

/// The definition, convolve_gather, for the three types; on all cores, so that large tables are verified in
/// seconds.
host_convolutions reference_convolutions();

}  // namespace tutorial
