// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "first_loops.hpp"

namespace tutorial {

// [gather]
std::vector<float> gather_full(const std::vector<float>& x, const std::vector<float>& h) {
  const int samples = x.size(), taps = h.size(), outputs = samples + taps - 1;
  std::vector<float> y(outputs);
  for (int n = 0; n < outputs; ++n) {
    float sum = 0.0f;
    for (int k = 0; k < taps; ++k) {
      const int m = n - k;
      if (0 <= m && m < samples) sum += h[k] * x[m];  // a ghost sample is zero: leave it out
    }
    y[n] = sum;
  }
  return y;
}
// [gather]

// [scatter]
std::vector<float> scatter_full(const std::vector<float>& x, const std::vector<float>& h) {
  const int samples = x.size(), taps = h.size(), outputs = samples + taps - 1;
  std::vector<float> y(outputs);  // all zero
  for (int m = 0; m < samples; ++m)
    for (int k = 0; k < taps; ++k) y[m + k] += h[k] * x[m];
  return y;
}
// [scatter]

}  // namespace tutorial
