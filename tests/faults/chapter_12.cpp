// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "12_there_and_back/checks/broken.hpp"
#include "convolution_fault.hpp"

namespace tutorial {
namespace {

using mistake = broken::journey_mistake;

/// A journey of several chunks, the last of which is not full.
fault journey(std::string name, mistake made) {
  const auto convolve = [made](auto x, auto h, auto y, auto mode) {
    broken::convolve_there_and_back(made, x, h, y, mode);
  };
  const auto use = [convolve] {
    const convolution_inputs<float> in = whole_numbers<float>(1001, 9);
    return judged(on_host<float>(convolve)(in.x, in.h, in.mode), in);
  };
  const auto checks = [convolve] {
    return refused_by(
        "results", convolution_failures<float>(on_host<float>(convolve), {.tile = 64, .most_failures = 1}));
  };
  return {std::move(name), use, checks};
}

}  // namespace

std::vector<fault> faults() { return each_fault<mistake>(journey); }

}  // namespace tutorial
