// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "03_tiled/broken.hpp"
#include "convolution_fault.hpp"

namespace tutorial {
namespace {

// Full, and so long that the last row of pairs, which second halves alone reach, has outputs.
fault with(std::string name, broken::tiled_mistake made) {
  const auto f = [made](auto x, auto h, auto y, auto mode) {
    broken::convolve_tiled<float>(made, x, h, y, mode);
  };
  return convolution_fault<float>(std::move(name), f,
                                  whole_numbers<float>(1023, 319, convolution_mode::full));
}

fault with(std::string name, broken::warp_mistake made) {
  const auto f = [made](auto x, auto h, auto y, auto mode) {
    broken::convolve_warp_per_output<float>(made, x, h, y, mode);
  };
  return convolution_fault<float>(std::move(name), f);
}

}  // namespace

std::vector<fault> faults() {
  using tiled = broken::tiled_mistake;
  using warp = broken::warp_mistake;
  return {// Both kernels have a "none"; that of the tiles stands for both.
          with("none", tiled::none),
          with("halves_not_merged", tiled::halves_not_merged),
          with("second_half_in_place", tiled::second_half_in_place),
          with("wrong_diagonal", tiled::wrong_diagonal),
          with("last_pair_lost", tiled::last_pair_lost),
          with("last_row_lost", tiled::last_row_lost),
          with("not_rotated", tiled::not_rotated),
          with("ghost_samples_not_zero", tiled::ghost_samples_not_zero),
          with("ghost_taps_not_zero", tiled::ghost_taps_not_zero),
          with("pairs_transposed", tiled::pairs_transposed),
          with("last_step_missing", warp::last_step_missing),
          with("half_warps", warp::half_warps),
          with("rest_lost", warp::rest_lost),
          with("one_round_only", warp::one_round_only),
          with("wrong_lane_stores", warp::wrong_lane_stores)};
}

}  // namespace tutorial
