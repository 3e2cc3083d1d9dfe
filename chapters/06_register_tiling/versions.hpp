// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include "common/program/convolution_version.hpp"
#include "convolve_register_tiled.hpp"

namespace tutorial::versions {

inline constexpr device_version vectors{
    "06", "vectors", "one vector of outputs per thread, for short filters",
    [](auto x, auto h, auto y, auto mode) { convolve_vectors(x, h, y, mode); }};
inline constexpr device_version register_blocked{
    "06", "register_blocked", "many outputs per thread, taps in shared memory",
    [](auto x, auto h, auto y, auto mode) { convolve_register_blocked(x, h, y, mode); }};
inline constexpr device_version constant_operands{
    "06", "constant_operands", "many outputs per thread, taps in constant memory",
    [](auto x, auto h, auto y, auto mode) { convolve_constant_operands(x, h, y, mode); }};
inline constexpr device_version prefetched{
    "06", "prefetched", "the same, the next tile fetched ahead",
    [](auto x, auto h, auto y, auto mode) { convolve_prefetched(x, h, y, mode); }};
inline constexpr device_version register_tiled{
    "06", "register_tiled", "whichever of these suits the filter",
    [](auto x, auto h, auto y, auto mode) { convolve_register_tiled(x, h, y, mode); }};

}  // namespace tutorial::versions
