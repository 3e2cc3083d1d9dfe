// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "04_constant_memory/broken.hpp"
#include "04_constant_memory/convolve_constant.hpp"
#include "common/device/device.hpp"
#include "convolution_fault.hpp"

namespace tutorial {
namespace {

using broken::mistake;

device_convolution<float> function(mistake made) {
  return [made](auto x, auto h, auto y, auto mode) { broken::convolve<float>(made, x, h, y, mode); };
}

fault with(std::string name, mistake made) {
  return convolution_fault<float>(std::move(name), function(made));
}

/// Wrong for the second filter of the same length only.
fault with_second_filter(std::string name, mistake made) {
  fault result = with(std::move(name), made);
  result.use = [f = function(made)] {
    convolution_inputs<float> in = whole_numbers<float>();
    used_once<float>(f, in);
    in.h[0] += 1;
    return used_once<float>(f, in);
  };
  return result;
}

/// Wrong for more taps than fit only.
fault with_too_many_taps(std::string name, mistake made) {
  const auto use = [f = function(made)] {
    const std::size_t taps = max_constant_taps<float> + 1;
    return used_once<float>(f, whole_numbers<float>(taps + 2, taps, convolution_mode::valid));
  };
  const auto checks = [f = function(made), use] {
    return checked<float>(f, [&] {
      const std::string wrong = use();
      return wrong.empty() ? refusal{} : refusal{"capacity", wrong + " for more taps than fit"};
    });
  };
  return {std::move(name), use, checks};
}

refusal checked_by_counts(const device_convolution<float>& f) {
  return checked<float>(f, [&]() -> refusal {
    const auto launches = counts_of<float>(f, 1000, 64, convolution_mode::valid);
    if (launches.empty()) return {};
    const launch_counts counts = sum(launches);
    if (counts.constant_addresses == counts.constant_requests) return {};
    return {"counts", std::to_string(counts.constant_addresses) + " addresses in " +
                          std::to_string(counts.constant_requests) + " requests to constant memory"};
  });
}

}  // namespace

std::vector<fault> faults() {
  fault lanes_apart = with("tap_per_lane", mistake::tap_per_lane);
  lanes_apart.check = [f = function(mistake::tap_per_lane)] { return checked_by_counts(f); };
  return {with("none", mistake::none),
          with("taps_reversed", mistake::taps_reversed),
          with("elements_for_bytes", mistake::elements_for_bytes),
          with("offset_for_elements", mistake::offset_for_elements),
          with("other_type", mistake::other_type),
          with_second_filter("stale_taps", mistake::stale_taps),
          with_too_many_taps("cut_off", mistake::cut_off),
          with_too_many_taps("status_ignored", mistake::status_ignored),
          lanes_apart,
          with("second_filter", mistake::second_filter),
          with("parameter_cut_off", mistake::parameter_cut_off),
          with("parameter_bytes", mistake::parameter_bytes),
          with("interior_too_large", mistake::interior_too_large)};
}

}  // namespace tutorial
