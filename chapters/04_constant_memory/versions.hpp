// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include <vector>

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/program/convolution_version.hpp"
#include "convolve_constant.hpp"

namespace tutorial::versions {

/// What lies in device memory, on the host.
template <class T>
std::vector<T> taps_on_host(device_span<const T> h) {
  std::vector<T> taps(h.size());
  check(cudaMemcpy(taps.data(), h.data(), h.size_bytes(), cudaMemcpyDeviceToHost));
  return taps;
}

/// A function, as versions are whose taps are kept on the host.
inline convolution_version constant_simple() {
  return kept_version<float>(
      "04", "constant_simple", "at most 64 float taps, copied from the host in every call",
      [](device_span<const float> h, std::size_t, convolution_mode mode) {
        return [taps = taps_on_host(h), mode](device_span<const float> x, device_span<float> y) {
          convolve_constant_simple(x, taps, y, mode);
        };
      });
}
inline constexpr device_version constant{
    "04", "constant", "taps copied to constant memory in every call",
    [](auto x, auto h, auto y, auto mode) { convolve_constant(x, h, y, mode); }};
inline constexpr loaded_version constant_loaded{
    "04", "constant_loaded", "taps already in constant memory", [](auto h) { load_constant_taps(h); },
    [](auto x, auto taps, auto y, auto mode) { convolve_with_constant_taps(x, taps, y, mode); }};
inline constexpr loaded_version constant_interior{
    "04", "constant_interior", "the same, and no test for ghosts in blocks that meet none",
    [](auto h) { load_interior_taps(h); },
    [](auto x, auto taps, auto y, auto mode) { convolve_constant_interior(x, taps, y, mode); }};
/// A function for the same reason.
inline convolution_version parameter_taps() {
  return kept_version<std::int32_t, float, double>(
      "04", "parameter_taps", "taps as an argument of the kernel",
      []<class T>(device_span<const T> h, std::size_t, convolution_mode mode) {
        return [taps = taps_on_host(h), mode](device_span<const T> x, device_span<T> y) {
          convolve_parameter_taps<T>(x, taps, y, mode);
        };
      });
}

}  // namespace tutorial::versions
