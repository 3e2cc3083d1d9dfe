// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include "common/program/pictures.hpp"

namespace tutorial::versions {

inline constexpr version_name square{"08", "square", "a filter of 7 x 7 taps, 49 loads for each output"};
inline constexpr version_name separable{"08", "separable", "the same along rows, then along columns"};
inline constexpr version_name fused{"08", "fused", "the same in one kernel, 4 x 4 outputs for each thread"};
inline constexpr version_name definition{"08", "definition",
                                         "on the host: 64 products for each coefficient, in double"};
inline constexpr version_name matrix{"08", "matrix", "on the host: two matrix products, in double"};
inline constexpr version_name dct_all_cores{"08", "dct_all_cores",
                                            "on the host: the same in float, on all cores"};
inline constexpr version_name textured{"08", "textured", "64 threads for an 8x8 block, input from a texture"};
inline constexpr version_name per_coefficient{"08", "per_coefficient", "64 threads for an 8x8 block"};
inline constexpr version_name shared_matrix{"08", "shared_matrix",
                                            "64 threads for an 8x8 block, the matrix in shared memory"};
inline constexpr version_name columns{"08", "columns", "8 threads for an 8x8 block, columns in registers"};

}  // namespace tutorial::versions
