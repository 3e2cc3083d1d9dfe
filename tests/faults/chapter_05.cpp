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

std::vector<fault> faults() { return each_fault<mistake>(with); }

}  // namespace tutorial
