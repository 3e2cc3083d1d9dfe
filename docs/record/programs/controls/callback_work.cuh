// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What controls/callbacks.cu and its callbacks, which are compiled apart, must agree on.
#pragma once

namespace tutorial {

/// Segments of so many samples, each with so many outputs that are right; and the numbers of a spectrum.
inline constexpr unsigned callback_length = 8192, callback_overlap = 1024,
                          callback_step = callback_length - callback_overlap,
                          callback_bins = callback_length / 2 + 1;

/// In device memory, for all callbacks.
struct callback_work {
  const float* x;        ///< x[0, samples)
  const float2* filter;  ///< Its spectrum times 1 / callback_length.
  float* y;              ///< y[0, outputs)
  unsigned samples, outputs;
};

/// a b
__device__ inline float2 callback_product(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

}  // namespace tutorial
