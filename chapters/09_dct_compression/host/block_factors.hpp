// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Quantization tables as kernels want them: a factor for each coefficient, for the fused kernels with the
// scale of the factorized DCT in it.
#pragma once

#include "09_dct_compression/host/quantization.hpp"

namespace tutorial {

/// at[8 * v + u] belongs to the coefficient (v, u). Passed to kernels by value, it lies in constant memory,
/// which all lanes ask for the same place at a time.
struct block_factors {
  float at[64];
};

/// s(0) = 1, s(k) = sqrt(2) cos(k pi/16): what dct8_scaled() leaves in the frequency k, over 2 sqrt(2).
double aan_scale(int k);

/// 1 / (8 s(v) s(u) step): from what dct8_scaled() makes of rows and columns to level before rounding.
block_factors encode_factors(const quantization_table& steps);

/// s(v) s(u) step / 8: from level to what idct8_scaled() of columns and rows wants.
block_factors decode_factors(const quantization_table& steps);

/// The steps.
block_factors plain_factors(const quantization_table& steps);

}  // namespace tutorial
