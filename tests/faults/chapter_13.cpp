// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <string>

#include "13_one_pass/checks/broken.hpp"
#include "common/device/device.hpp"
#include "fault.hpp"

namespace tutorial {
namespace {

using mistake = broken::fused_mistake;

fault with(std::string name, mistake made) {
  fault result =
      fault_of(std::move(name), [made] { return wrong_ones(broken::wrong_outputs(made), "outputs"); });
  result.check = [made, before = result.check] {
    return first_refusal(before, [&]() -> refusal {
      const launch_counts counts = sum(count_launches([&] { broken::wrong_outputs(made); }));
      if (counts.shared_load_wavefronts <= 2 * counts.shared_load_requests) return {};
      return {"counts", std::to_string(counts.shared_load_wavefronts) + " wavefronts in " +
                            std::to_string(counts.shared_load_requests) + " requests"};
    });
  };
  return result;
}

}  // namespace

std::vector<fault> faults() { return each_fault<mistake>(with); }

}  // namespace tutorial
