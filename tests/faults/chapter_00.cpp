// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "00_meet_the_device/broken.hpp"
#include "00_meet_the_device/copy_checks.hpp"
#include "fault.hpp"

namespace tutorial {
namespace {

using copy = void (*)(device_span<const float> x, device_span<float> y);

std::vector<std::string> as_lines(const std::vector<std::size_t>& sizes) {
  std::vector<std::string> lines;
  for (const std::size_t size : sizes) lines.push_back(std::to_string(size) + " elements");
  return lines;
}

fault copy_fault(std::string name, copy f) {
  const auto use = [f]() -> std::string {
    const std::vector<float> x = random_signal<float>(1001);
    const device_buffer<float> d_x(x);
    device_buffer<float> d_y(x.size());
    f(d_x, d_y);
    check(cudaDeviceSynchronize());
    const agreement result = compare<float>(d_y.to_host(), x);
    return result ? ""
                  : std::to_string(result.mismatches) + " of " + std::to_string(result.size) + " elements";
  };
  const auto checks = [f] {
    return first_refusal([f] { return refused_by("results", as_lines(copy_checks::wrong_sizes(f))); },
                         [f] { return refused_by("surroundings", as_lines(copy_checks::overruns(f))); });
  };
  return {std::move(name), use, checks};
}

}  // namespace

std::vector<fault> faults() {
  return {copy_fault("grid_rounded_down", broken::grid_rounded_down),
          copy_fault("no_guard", broken::no_guard),
          copy_fault("tail_forgotten", broken::tail_forgotten),
          copy_fault("elements_for_bytes", broken::elements_for_bytes),
          copy_fault("off_by_one", broken::off_by_one),
          copy_fault("unchecked_launch", broken::unchecked_launch)};
}

}  // namespace tutorial
