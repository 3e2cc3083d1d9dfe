// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "find_the_faults.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

template <class Function>
std::vector<float> result_of(Function f, const std::vector<float>& x) {
  const device_buffer<float> d_x(x);
  device_buffer<float> y(x.size());
  f(d_x, y);
  check(cudaDeviceSynchronize());
  return y.to_host();
}

}  // namespace

TEST_CASE("reversed groups") {
  for (const std::size_t size : {256, 1, 255, 257, 1000, 4096}) {
    const std::vector<float> x = random_whole_numbers<float>(size, size, 1000);
    std::vector<float> expected = x;
    for (std::size_t begin = 0; begin < size; begin += 256)
      std::reverse(expected.begin() + std::ptrdiff_t(begin),
                   expected.begin() + std::ptrdiff_t(std::min(begin + 256, size)));
    const std::vector<float> y = result_of(reverse_groups, x);
    for (std::size_t i = 0; i < size; ++i)
      REQUIRE_MESSAGE(y[i] == expected[i], "reverse_groups, ", size, " elements: y[", i, "] is ", y[i],
                      " instead of ", expected[i]);
  }
}

TEST_CASE("differences") {
  for (const std::size_t size : {256, 1, 255, 257, 512, 1000, 5000}) {
    const std::vector<float> x = random_whole_numbers<float>(size, size, 1000);
    const std::vector<float> y = result_of(differences, x);
    for (std::size_t i = 0; i < size; ++i) {
      const float expected = x[i] - (i > 0 ? x[i - 1] : 0.0f);
      REQUIRE_MESSAGE(y[i] == expected, "differences, ", size, " elements: y[", i, "] is ", y[i],
                      " instead of ", expected);
    }
  }
}
