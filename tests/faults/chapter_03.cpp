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
  using namespace broken;
  std::vector<fault> all = each_fault<tiled_mistake>([](auto name, auto made) { return with(name, made); });
  for (const auto& [name, made] : all_mistakes<warp_mistake>())
    if (made != warp_mistake::none) all.push_back(with(name, made));  // that of the tiles stands for both
  return all;
}

}  // namespace tutorial
