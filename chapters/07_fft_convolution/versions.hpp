// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions. They are functions: what they keep, plans and device memory, must be gone before
// the program ends.
#pragma once

#include "common/program/convolution_version.hpp"

namespace tutorial::versions {

/// Overlap-save on all cores of the CPU; needs has_kissfft().
convolution_version fft_all_cores();
/// One transform of the whole signal, plans and memory made in each call.
convolution_version fft_from_scratch();
/// One transform, its length a power of two.
convolution_version fft_power_of_two();
/// One transform of a good length.
convolution_version fft();
/// One transform with even and odd samples as real and imaginary part.
convolution_version fft_one_block();
/// Blocks that overlap, all in one batch.
convolution_version overlap_save();
/// Whichever version of all chapters is expected to be fastest.
convolution_version best();

}  // namespace tutorial::versions
