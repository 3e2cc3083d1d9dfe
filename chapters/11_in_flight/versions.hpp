// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions. They are functions, as versions are whose taps are kept on the host.
#pragma once

#include <algorithm>
#include <cmath>

#include "04_constant_memory/versions.hpp"
#include "11_in_flight/kernels/convolve_ring.hpp"

namespace tutorial::versions {

/// convolve_ring().
inline convolution_version ring() {
  return kept_version<std::int32_t, float, double>(
      "11", "ring", "a ring of tiles for each warp, each lane copies ahead",
      []<class T>(device_span<const T> h, std::size_t, convolution_mode mode) {
        return [taps = taps_on_host(h), mode](device_span<const T> x, device_span<T> y) {
          convolve_ring<T>(x, taps, y, mode);
        };
      });
}

/// convolve_bulk().
inline convolution_version bulk() {
  return kept_version<std::int32_t, float, double>(
      "11", "bulk", "the same ring, a whole tile with one copy",
      []<class T>(device_span<const T> h, std::size_t, convolution_mode mode) {
        return [taps = taps_on_host(h), mode](device_span<const T> x, device_span<T> y) {
          convolve_bulk<T>(x, taps, y, mode);
        };
      });
}

/// convolve_fast_fir().
inline convolution_version fast_fir() {
  convolution_version version = kept_version<float>(
      "11", "fast_fir", "the ring, four fifths of the multiply-adds",
      [](device_span<const float> h, std::size_t, convolution_mode mode) {
        return [taps = taps_on_host(h), mode](device_span<const float> x, device_span<float> y) {
          convolve_fast_fir(x, taps, y, mode);
        };
      });
  version.rounding = for_types<rounding_rule, float>([](auto x, auto h, auto, convolution_mode) {
    double sum = 0, largest = 0;
    for (const float each : h) sum += std::abs(double(each));
    for (const float each : x) largest = std::max(largest, std::abs(double(each)));
    return rounding_allowance{.each = fast_fir_rounding(sum, largest)};
  });
  return version;
}

}  // namespace tutorial::versions
