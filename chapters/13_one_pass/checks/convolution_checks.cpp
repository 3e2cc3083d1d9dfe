// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "07_fft_convolution/checks/fft_checks.hpp"
#include "13_one_pass/kernels/convolve_one_pass.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

/// That design, or a longer one for a filter that is too long for it.
template <class T>
int length_for(const one_pass_design& design, std::size_t taps) {
  return std::max(design.length, shortest_one_pass_design<T>(taps).length);
}

template <class T>
device_convolution<T> with(const one_pass_design& design) {
  return [design](auto x, auto h, auto y, auto mode) {
    const one_pass_convolver<T> convolve(h, x.size(), mode, 1, length_for<T>(design, h.size()));
    convolve(x, y);
    check(cudaDeviceSynchronize());
  };
}

}  // namespace

TEST_CASE_TEMPLATE("one pass computes the definition", T, float, double) {
  for (const one_pass_design& design : one_pass_designs<T>()) {
    CAPTURE(design.length);
    const auto length = [&](std::size_t, std::size_t taps, auto) {
      return std::size_t(length_for<T>(design, taps));
    };
    convolution_cases cases = cases_for<T>(length, design.in_a_warp ? std::size_t(design.outputs()) : 256);
    CHECK(summary(convolution_failures<T>(on_device<T>(with<T>(design)), cases)) == "");
  }
}
