// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "07_fft_convolution/checks/broken.hpp"
#include "07_fft_convolution/checks/fft_checks.hpp"
#include "07_fft_convolution/host/fft_length.hpp"
#include "convolution_fault.hpp"

namespace tutorial {
namespace {

using broken::mistake;

fault with(std::string name, mistake made, const convolution_inputs<float>& in) {
  const bool blocks = made >= mistake::blocks_not_overlapping;
  const auto length = [blocks](std::size_t samples, std::size_t taps, convolution_mode) {
    return fft_length(blocks ? 4 * taps : samples + taps - 1, fft_length_rule::smallest);
  };
  const device_convolution<float> f = [made](auto x, auto h, auto y, auto mode) {
    broken::convolve<float>(made, x, h, y, mode);
  };
  const auto use = [f, length, in]() -> std::string {
    const auto definition =
        on_host<float>([](auto x, auto h, auto y, auto mode) { convolve_gather(x, h, y, mode); });
    const std::vector<float> expected = definition(in.x, in.h, in.mode);
    const double allowed =
        fft_rounding<float>(in.x, in.h, expected, length(in.x.size(), in.h.size(), in.mode), true).each;
    const agreement result = compare<float>(on_device<float>(f)(in.x, in.h, in.mode), expected,
                                            std::vector<double>(expected.size(), allowed));
    if (result) return "";
    return std::to_string(result.mismatches) + " of " + std::to_string(result.size) + " outputs";
  };
  const auto checks = [f, length] {
    const convolution_cases cases = cases_for<float>(length, 256, 1);
    return first_refusal(
        [&] { return refused_by("results", convolution_failures<float>(on_device<float>(f), cases)); },
        [&] { return refused_by("surroundings", overrun_failures<float>(f, cases)); });
  };
  return {std::move(name), use, checks};
}

}  // namespace

std::vector<fault> faults() {
  return each_fault<mistake>([](const std::string& name, mistake made) {
    // One frequency of hundreds is little of a sum of many samples, and all that can be seen of a single one.
    convolution_inputs<float> in = whole_numbers<float>();
    if (made == mistake::spectrum_not_whole) in.x = impulse<float>(1001, 500);
    return with(name, made, in);
  });
}

}  // namespace tutorial
