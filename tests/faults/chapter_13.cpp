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
  const auto use = [made]() -> std::string {
    const std::size_t wrong = broken::wrong_outputs(made);
    return wrong == 0 ? "" : std::to_string(wrong) + " outputs";
  };
  const auto checks = [made, use] {
    return first_refusal(
        [&] {
          const std::string wrong = use();
          return wrong.empty() ? refusal{} : refusal{"results", wrong};
        },
        [&]() -> refusal {
          const launch_counts counts = sum(count_launches([&] { broken::wrong_outputs(made); }));
          if (counts.shared_load_wavefronts <= 2 * counts.shared_load_requests) return {};
          return {"counts", std::to_string(counts.shared_load_wavefronts) + " wavefronts in " +
                                std::to_string(counts.shared_load_requests) + " requests"};
        });
  };
  return {std::move(name), use, checks};
}

}  // namespace

std::vector<fault> faults() {
  return {with("none", mistake::none),
          with("sign_of_roots", mistake::sign_of_roots),
          with("natural_order", mistake::natural_order),
          with("digits_reversed", mistake::digits_reversed),
          with("overlap_one_short", mistake::overlap_one_short),
          with("no_history", mistake::no_history),
          with("parts_exchanged", mistake::parts_exchanged),
          with("scale_forgotten", mistake::scale_forgotten),
          with("conjugate_of_product", mistake::conjugate_of_product),
          with("roots_of_lane", mistake::roots_of_lane),
          with("end_not_checked", mistake::end_not_checked),
          with("no_first_barrier", mistake::no_first_barrier),
          with("no_second_barrier", mistake::no_second_barrier),
          with("no_warp_barrier", mistake::no_warp_barrier),
          with("no_padding", mistake::no_padding),
          with("wrong_padding", mistake::wrong_padding)};
}

}  // namespace tutorial
