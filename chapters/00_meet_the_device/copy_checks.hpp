// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Checks of a copy: every element, and nothing beside it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::copy_checks {

inline constexpr std::size_t sizes[] = {1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 7919};

/// What is wrong with y[i] = x[i * stride + offset] for so many elements, for instance
/// "257 elements: 1 of 257 is wrong, the first at index 256; ..."; empty if nothing is.
template <class Copy>
std::string wrong_copy(Copy copy, std::size_t size, std::size_t stride = 1, std::size_t offset = 0) {
  const std::vector<float> x = random_signal<float>((size - 1) * stride + offset + 1, size);
  std::vector<float> expected(size);
  for (std::size_t i = 0; i < size; ++i) expected[i] = x[i * stride + offset];
  const device_buffer<float> d_x(x);
  device_buffer<float> d_y(size);  // poisoned
  copy(d_x.span(), d_y.span());
  check(cudaDeviceSynchronize());
  const agreement result = compare<float>(d_y.to_host(), expected);
  return result ? "" : several(size, "element") + ": " + describe(result);
}

/// The same for the first size at which something is wrong.
template <class Copy>
std::string first_wrong_copy(Copy copy, std::size_t stride = 1, std::size_t offset = 0) {
  for (const std::size_t size : sizes)
    if (const std::string wrong = wrong_copy(copy, size, stride, offset); !wrong.empty()) return wrong;
  return "";
}

/// The sizes at which y[i] = x[i] does not hold.
template <class Copy>
std::vector<std::size_t> wrong_sizes(Copy copy) {
  std::vector<std::size_t> wrong;
  for (const std::size_t size : sizes)
    if (!wrong_copy(copy, size).empty()) wrong.push_back(size);
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
