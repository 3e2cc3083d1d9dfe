// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "13_one_pass/checks/broken.hpp"
#include "13_one_pass/kernels/convolve_one_pass.hpp"
#include "common/device/check.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {

std::span<const shown_fused_mistake> shown_fused_mistakes() {
  static const std::array<shown_fused_mistake, 4> all{{
      {fused_mistake::no_first_barrier, "no_first_barrier", "broken: no barrier after the first pass",
       "race"},
      {fused_mistake::no_second_barrier, "no_second_barrier", "broken: no barrier before the last pass",
       "race"},
      {fused_mistake::no_warp_barrier, "no_warp_barrier", "broken: no __syncwarp() in the second exchange",
       "race"},
      {fused_mistake::end_not_checked, "end_not_checked", "broken: stores behind the end of y",
       "access out of bounds"},
  }};
  return all;
}

std::size_t wrong_outputs(fused_mistake made) {
  const std::vector<float> x = random_signal<float>(5000), h = random_taps<float>(65);
  std::vector<float> right(5064);
  convolve_gather<float>(x, h, right, convolution_mode::full);
  const device_buffer<float> d_x(x), d_h(h);
  device_buffer<float> d_y(right.size());
  convolve_fused(made, d_x, d_h, d_y, convolution_mode::full);
  const double allowed = one_pass_rounding<float>(x, h, right, fused_design).each;
  return compare<float>(d_y.to_host(), right, std::vector<double>(right.size(), allowed)).mismatches;
}

}  // namespace tutorial::broken
