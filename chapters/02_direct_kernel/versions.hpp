// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include "common/device/stream.hpp"
#include "common/program/convolution_version.hpp"
#include "convolve_direct.hpp"
#include "smooth.hpp"

namespace tutorial::versions {

/// For float, 5 taps and 'same' only.
inline convolution_version smooth() {
  return {.chapter = "02",
          .name = "smooth",
          .about = "the simplest kernel: float, 5 taps, 'same'",
          .on_device = for_types<device_convolution, float>(in_default_stream<tutorial::smooth>),
          .runs_on_device = true};
}
inline constexpr device_version direct{
    "02", "direct", "one output per thread",
    [](auto x, auto h, auto y, auto mode) { convolve_direct(x, h, y, mode); }};
inline constexpr device_version direct_interior{
    "02", "direct_interior", "one output per thread, no bounds test inside",
    [](auto x, auto h, auto y, auto mode) { convolve_direct_interior(x, h, y, mode); }};
inline constexpr device_version direct_grouped{
    "02", "direct_grouped", "eight outputs per thread",
    [](auto x, auto h, auto y, auto mode) { convolve_direct_grouped(x, h, y, mode); }};

}  // namespace tutorial::versions
