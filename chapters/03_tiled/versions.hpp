// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include <cstddef>

#include "common/device/device.hpp"
#include "common/files/input_error.hpp"
#include "common/files/numbers.hpp"
#include "common/program/convolution_version.hpp"
#include "convolve_tiled.hpp"

namespace tutorial::versions {

/// convolve_tiled() with the intermediate that it needs for one filter and one length of signal. Throws
/// input_error where the device has no room for that.
template <class T>
class tiles {
 public:
  /// Allocates the intermediate. `h` must outlive it.
  tiles(device_span<const T> h, std::size_t samples, convolution_mode mode) : h_(h), mode_(mode) {
    const std::size_t bytes = tiled_intermediate_bytes<T>(samples, h.size()),
                      free = current_device().free_bytes;
    if (bytes > free)
      throw input_error("the tiles need an intermediate of " + bytes_text(double(bytes)) + ", and " +
                        bytes_text(double(free)) + " of device memory are free");
    intermediate_ = device_buffer<std::byte>(bytes);
  }
  /// Launches, and need not wait.
  void operator()(device_span<const T> x, device_span<T> y) {
    convolve_tiled<T>(x, h_, y, mode_, intermediate_);
  }

 private:
  device_span<const T> h_;
  convolution_mode mode_;
  device_buffer<std::byte> intermediate_;
};

/// A function: what it keeps, device memory, must be gone before the program ends.
inline convolution_version tiled() {
  return kept_version<std::int32_t, float, double>(
      "03", "tiled", "tiles of products",
      []<class T>(device_span<const T> h, std::size_t samples, convolution_mode mode) {
        return tiles<T>(h, samples, mode);
      });
}
inline constexpr device_version tiled_allocated{
    "03", "tiled_allocated", "tiles, memory for the products allocated in each call",
    [](auto x, auto h, auto y, auto mode) { convolve_tiled(x, h, y, mode); }};
inline constexpr device_version warp_per_output{
    "03", "warp_per_output", "one warp per output",
    [](auto x, auto h, auto y, auto mode) { convolve_warp_per_output(x, h, y, mode); }};
inline constexpr device_version direct_small_blocks{
    "03", "direct_small_blocks", "one thread per output, in blocks of 32 threads",
    [](auto x, auto h, auto y, auto mode) { convolve_direct_small_blocks(x, h, y, mode); }};

}  // namespace tutorial::versions
