// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include "common/device/stream.hpp"
#include "common/program/convolution_version.hpp"
#include "convolve_shared.hpp"

namespace tutorial::versions {

/// For float, 5 taps and 'same' only.
inline convolution_version smooth_tile() {
  return {.chapter = "05",
          .name = "smooth_tile",
          .about = "the simplest tile: float, 5 taps, 'same'",
          .on_device = for_types<device_convolution, float>(in_default_stream<tutorial::smooth_tile>),
          .runs_on_device = true};
}
inline constexpr device_version shared{
    "05", "shared", "tile in shared memory, taps copied to constant memory part by part",
    [](auto x, auto h, auto y, auto mode) { convolve_shared(x, h, y, mode); }};
inline constexpr loaded_version shared_loaded{
    "05", "shared_loaded", "the same in one launch, taps already there", [](auto h) { load_shared_taps(h); },
    [](auto x, auto taps, auto y, auto mode) { convolve_shared_with_loaded_taps(x, taps, y, mode); }};
inline constexpr device_version shared_chunked{
    "05", "shared_chunked", "taps in shared memory, too",
    [](auto x, auto h, auto y, auto mode) { convolve_shared_chunked(x, h, y, mode); }};
inline constexpr device_version shared_neighbors{
    "05", "shared_neighbors", "eight neighboring outputs per thread",
    [](auto x, auto h, auto y, auto mode) { convolve_shared_eight(x, h, y, mode, tile_layout::neighbors); }};
inline constexpr device_version shared_padded{
    "05", "shared_padded", "the same, tile padded", [](auto x, auto h, auto y, auto mode) {
      convolve_shared_eight(x, h, y, mode, tile_layout::neighbors_padded);
    }};
inline constexpr device_version shared_side_by_side{
    "05", "shared_side_by_side", "eight outputs per thread, lanes side by side",
    [](auto x, auto h, auto y, auto mode) {
      convolve_shared_eight(x, h, y, mode, tile_layout::side_by_side);
    }};

}  // namespace tutorial::versions
