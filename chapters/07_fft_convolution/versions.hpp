// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// This chapter's versions. They are functions: what they keep, plans and device memory, must be gone before
/// the program ends.
#pragma once

#include "common/program/convolution_version.hpp"

namespace tutorial::versions {

convolution_version fft_all_cores();     ///< Of the CPU; needs has_kissfft().
convolution_version fft_from_scratch();  ///< Plans and memory made in each call.
convolution_version fft_power_of_two();
convolution_version fft();
convolution_version fft_one_block();
convolution_version overlap_save();
convolution_version best();

}  // namespace tutorial::versions
