// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// One way of a signal of 8,000 samples there and back, for a picture of what follows what.
#include <cstdio>
#include <string_view>

#include "12_there_and_back/kernels/there_and_back.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

int main(int count, char** words) {
  const std::string_view way = count == 2 ? words[1] : "";
  const std::vector<float> values = random_signal<float>(8000), h = random_taps<float>(5);
  const pinned_buffer<float> x{std::span<const float>(values)};
  pinned_buffer<float> y(values.size());
  constexpr auto mode = convolution_mode::same;
  if (way == "copy_kernel_copy") {
    convolve_copy_kernel_copy<float>(x.span(), h, y.span(), mode);
  } else if (way == "one_stream") {
    convolve_stream_per_chunk<float>(x.span(), h, y.span(), mode, {1000, 1});
  } else if (way == "stages") {
    convolve_stream_per_stage<float>(x.span(), h, y.span(), mode, {1000, 3});
  } else {
    std::fputs("usage: draw_journeys copy_kernel_copy|one_stream|stages\n", stderr);
    return 2;
  }
  return 0;
}
