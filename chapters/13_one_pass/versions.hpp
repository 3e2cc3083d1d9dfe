// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions. They are functions: what they keep must be gone before the program ends.
#pragma once

#include "13_one_pass/kernels/convolve_by_radix.hpp"
#include "common/program/convolution_version.hpp"

namespace tutorial::versions {

/// One kernel, 2 numbers of a thread at a time, all in shared memory between the passes.
convolution_version radix_2();
/// The same with 4 numbers of a thread at a time.
convolution_version radix_4();
/// With 16.
convolution_version radix_16();
/// With 16, and one place in 17 of shared memory left free.
convolution_version radix_16_padded();
/// One kernel, two barriers or none, with the shortest segments that take the filter.
convolution_version one_pass();
/// The same with segments of that length, which is one of one_pass_designs<float>(): "one_pass_4096".
convolution_version one_pass_of(int length);
/// Whichever version of all chapters is expected to be fastest.
convolution_version fastest();

}  // namespace tutorial::versions
