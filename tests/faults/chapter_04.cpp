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
std::string used_with_second_filter(const device_convolution<float>& f) {
  convolution_inputs<float> in = whole_numbers<float>();
  used_once<float>(f, in);
  in.h[0] += 1;
  return used_once<float>(f, in);
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
  return each_fault<mistake>([](const std::string& name, mistake made) {
    if (made == mistake::cut_off || made == mistake::status_ignored) return with_too_many_taps(name, made);
    fault result = with(name, made);
    if (made == mistake::stale_taps) result.use = [f = function(made)] { return used_with_second_filter(f); };
    if (made == mistake::tap_per_lane) result.check = [f = function(made)] { return checked_by_counts(f); };
    return result;
  });
}

}  // namespace tutorial
