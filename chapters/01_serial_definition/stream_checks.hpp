// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A convolution in a graph, and in two streams at once.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/device/device_memory.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/convolution.hpp"
#include "common/verify/in_streams.hpp"
#include "common/verify/inputs.hpp"
#include "convolve_serial.hpp"

namespace tutorial {

/// How a convolution is called in the check below.
struct filter_in_streams {
  std::size_t samples = 700, taps = 5;
  convolution_mode mode = convolution_mode::full;
  bool new_taps = false;  ///< They change with the samples: each call reads them.
  stream_use use = {};
};

/// What is wrong with a convolution of floats in streams; empty: nothing. make(h, d_h), with the taps on the
/// host and on the device, returns what is called with (x, y, stream). Samples and taps are whole numbers, so
/// that a result is known although it may have been rounded.
template <class Make>
std::string failure_in_streams_of(const filter_in_streams& how, const Make& make) {
  using function = decltype(make(std::span<const float>(), device_span<const float>()));
  struct work {
    const filter_in_streams& how;
    std::vector<float> h, host;
    device_buffer<float> d_h, x, y;
    function convolve;

    work(const filter_in_streams& how, const Make& make)
        : how(how),
          h(random_whole_numbers<float>(how.taps, 9)),
          d_h(h),
          x(how.samples),
          y(output_length(how.samples, how.taps, how.mode)),
          convolve(make(std::span<const float>(h), device_span<const float>(d_h))) {}
    void launch(cudaStream_t stream) { convolve(device_span<const float>(x), y.span(), stream); }
    void renew(int seed) {
      x.copy_from(host = random_whole_numbers<float>(how.samples, std::uint64_t(seed)));
      if (how.new_taps) d_h.copy_from(h = random_whole_numbers<float>(how.taps, std::uint64_t(seed + 20)));
      poison(y.span());
      check(cudaDeviceSynchronize());
    }
    bool is_right() const {
      std::vector<float> expected(y.size());
      convolve_gather<float>(host, h, expected, how.mode);
      return bool(compare(y.to_host(), expected, std::vector<double>(y.size(), 0.25)));
    }
  };
  work one(how, make), other(how, make);
  return failure_in_streams(one, other, how.use);
}

/// The same for convolve(x, h, y, mode, stream), which reads the taps on the device in each call.
template <class Convolve>
requires std::invocable<const Convolve&, device_span<const float>, device_span<const float>,
                        device_span<float>, convolution_mode, cudaStream_t>
    std::string failure_in_streams_of(const filter_in_streams& how, const Convolve& convolve) {
  filter_in_streams other_taps = how;
  other_taps.new_taps = true;
  return failure_in_streams_of(other_taps, [&](std::span<const float>, device_span<const float> h) {
    return [&, h](device_span<const float> x, device_span<float> y, cudaStream_t stream) {
      convolve(x, h, y, how.mode, stream);
    };
  });
}

}  // namespace tutorial
