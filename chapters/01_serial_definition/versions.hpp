// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions, and the reference that every convolution chapter is verified with.
#pragma once

#include "common/program/convolution_version.hpp"
#include "convolve_serial.hpp"

namespace tutorial {

/// The definition, convolve_gather, for the three types; on all cores, so that large tables are verified in
/// seconds.
inline for_each_type<host_convolution> reference_convolutions() {
  return for_types<host_convolution>(
      [](auto x, auto h, auto y, auto mode) { convolve_gather_on_all_cores(x, h, y, mode); });
}

/// The same, but for many billions of products, which take the definition long, by convolve_all_cores.
inline for_each_type<host_convolution> quick_reference_convolutions() {
  return for_types<host_convolution>([](auto x, auto h, auto y, auto mode) {
    if (product_count(x.size(), h.size(), mode) < 4e9)
      convolve_gather_on_all_cores(x, h, y, mode);
    else
      convolve_all_cores(x, h, y, mode);
  });
}

}  // namespace tutorial

namespace tutorial::versions {

inline constexpr host_version scatter{
    "01", "scatter", "one core, by sample",
    [](auto x, auto h, auto y, auto mode) { convolve_scatter(x, h, y, mode); }};
inline constexpr host_version gather{
    "01", "gather", "one core, by output: the definition",
    [](auto x, auto h, auto y, auto mode) { convolve_gather(x, h, y, mode); }};
inline constexpr host_version reversed{
    "01", "reversed", "one core, reversed filter",
    [](auto x, auto h, auto y, auto mode) { convolve_reversed(x, h, y, mode); }};
inline constexpr host_version all_cores{
    "01", "all_cores", "all cores of the CPU, vectors",
    [](auto x, auto h, auto y, auto mode) { convolve_all_cores(x, h, y, mode); }};

}  // namespace tutorial::versions
