// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Checks of a copy: every element, and nothing beside it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::copy_checks {

inline constexpr std::size_t sizes[] = {1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 7919};

/// The sizes at which y[i] = x[i * stride + offset] does not hold.
template <class Copy>
std::vector<std::size_t> wrong_sizes(Copy copy, std::size_t stride = 1, std::size_t offset = 0) {
  std::vector<std::size_t> wrong;
  for (const std::size_t size : sizes) {
    const std::vector<float> x = random_signal<float>((size - 1) * stride + offset + 1, size);
    std::vector<float> expected(size);
    for (std::size_t i = 0; i < size; ++i) expected[i] = x[i * stride + offset];
    const device_buffer<float> d_x(x);
    device_buffer<float> d_y(size);  // poisoned
    copy(d_x.span(), d_y.span());
    check(cudaDeviceSynchronize());
    if (!compare<float>(d_y.to_host(), expected)) wrong.push_back(size);
  }
  return wrong;
}

/// The sizes at which copy(x, y), for y[i] = x[i], writes beside y. x and y are parts of larger arrays here.
template <class Copy>
std::vector<std::size_t> overruns(Copy copy) {
  constexpr std::size_t margin = 1024;  // a block's threads times the widest vector; keeps 16-byte boundaries
  std::vector<std::size_t> wrong;
  for (const std::size_t size : sizes) {
    const device_buffer<float> d_x(random_signal<float>(margin + size + margin));
    device_buffer<float> d_y(margin + size + margin);  // NaN
    copy(d_x.span().subspan(margin, size), d_y.span().subspan(margin, size));
    check(cudaDeviceSynchronize());
    const std::vector<float> y = d_y.to_host();
    const auto numbers = [&](std::size_t from, std::size_t count) {
      return std::count_if(y.begin() + from, y.begin() + from + count,
                           [](float v) { return !std::isnan(v); });
    };
    if (numbers(0, margin) + numbers(margin + size, margin) > 0) wrong.push_back(size);
  }
  return wrong;
}

}  // namespace tutorial::copy_checks
