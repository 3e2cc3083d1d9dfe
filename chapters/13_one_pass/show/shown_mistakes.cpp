// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <array>

#include "13_one_pass/checks/broken.hpp"

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

}  // namespace tutorial::broken
