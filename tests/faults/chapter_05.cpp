// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "05_shared_memory/broken.hpp"
#include "convolution_fault.hpp"

namespace tutorial {
namespace {

using broken::mistake;

fault with(std::string name, mistake made) {
  const auto f = [made](auto x, auto h, auto y, auto mode) { broken::convolve<float>(made, x, h, y, mode); };
  return convolution_fault<float>(std::move(name), f);
}

}  // namespace

std::vector<fault> faults() {
  std::vector<fault> all = each_fault<mistake>(with);
  // Of the first tile those that the general kernel does not have.
  for (const auto& [name, made] : broken::all_mistakes<broken::tile_mistake>())
    if (made == broken::tile_mistake::guard_first || made == broken::tile_mistake::one_round)
      all.push_back(fault_of(name, [made = made] { return wrong_ones(wrong_outputs(made), "outputs"); }));
  return all;
}

}  // namespace tutorial
