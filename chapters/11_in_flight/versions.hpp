// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// This chapter's versions. They are functions, as versions are whose taps are kept on the host.
#pragma once

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

}  // namespace tutorial::versions
