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
  const auto use = [made] {
    const std::size_t wrong = broken::wrong_outputs(made);
    return wrong == 0 ? std::string() : std::to_string(wrong) + " of 1001 outputs";
  };
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

std::vector<fault> faults() {
  return {spread("none", mistake::none),
          spread("halo_one_short", mistake::halo_one_short),
          spread("left_only", mistake::left_only),
          spread("nearest_only", mistake::nearest_only),
          spread("last_forgotten", mistake::last_forgotten),
          spread("exchanged_once", mistake::exchanged_once),
          spread("wrong_buffer", mistake::wrong_buffer),
          spread("lost_event", mistake::lost_event),
          spread("reused_early", mistake::reused_early),
          spread("no_wait", mistake::no_wait)};
}

}  // namespace tutorial
