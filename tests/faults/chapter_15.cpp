// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "15_many_gpus/checks/broken.hpp"
#include "15_many_gpus/checks/spread_checks.hpp"
#include "15_many_gpus/host/four_devices.hpp"
#include "fault.hpp"

namespace tutorial {
namespace {

using mistake = broken::spread_mistake;

fault spread(std::string name, mistake made) {
  const auto use = [made] { return wrong_ones(broken::wrong_outputs(made), "of 1001 outputs"); };
  const auto checks = [made] {
    const std::vector<int> devices = devices_in_turn(5);
    return refused_by(
        "results",
        spread_failures<std::int32_t>(
            [made](auto& signal, int steps) { broken::filter_spread(made, signal, steps); }, devices));
  };
  return {std::move(name), use, checks};
}

}  // namespace

std::vector<fault> faults() { return each_fault<mistake>(spread); }

}  // namespace tutorial
