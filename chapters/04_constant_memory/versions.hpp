// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// This chapter's versions.
#pragma once

#include "common/program/convolution_version.hpp"
#include "convolve_constant.hpp"

namespace tutorial::versions {

inline constexpr device_version constant{
    "04", "constant", "taps copied to constant memory in every call",
    [](auto x, auto h, auto y, auto mode) { convolve_constant(x, h, y, mode); }};
inline constexpr loaded_version constant_loaded{
    "04", "constant_loaded", "taps already in constant memory", [](auto h) { load_constant_taps(h); },
    [](auto x, auto taps, auto y, auto mode) { convolve_with_constant_taps(x, taps, y, mode); }};

}  // namespace tutorial::versions
