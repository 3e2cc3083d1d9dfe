// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "06_register_tiling/offset_checks.hpp"
#include "11_in_flight/checks/broken.hpp"
#include "convolution_fault.hpp"

namespace tutorial {
namespace {

using broken::mistake;

/// With 33 taps, the most that the kernel has room for.
fault with(std::string name, mistake made) {
  const device_convolution<float> f = [made](auto x, auto h, auto y, auto mode) {
    broken::convolve<float>(made, x, h, y, mode);
  };
  fault result = convolution_fault<float>(std::move(name), f, whole_numbers<float>(1001, 33));
  result.check = [f] {
    const std::vector<offset_case> cases = {{200, 5, 0, 0, convolution_mode::full},
                                            {301, 33, 0, 0, convolution_mode::same},
                                            {33, 8, 0, 1, convolution_mode::valid}};
    return first_refusal([&] { return refused_by("offsets", offset_failures<float>(f, cases)); });
  };
  return result;
}

fault of_a_plane(std::string name, broken::plane_mistake made) {
  return fault_of(std::move(name), [made] { return wrong_ones(broken::wrong_copies(made), "outputs"); });
}

}  // namespace

std::vector<fault> faults() {
  std::vector<fault> all = each_fault<mistake>(with);
  for (fault& each : each_fault<broken::plane_mistake>(of_a_plane))
    if (each.name != "none") all.push_back(std::move(each));
  return all;
}

}  // namespace tutorial
