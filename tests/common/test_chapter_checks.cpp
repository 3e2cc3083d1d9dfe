// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "test_chapter_kernel.hpp"

using namespace tutorial;

TEST_CASE("first") {
  const device_buffer<float> x(std::vector<float>{1, 2, 3}), h(std::vector<float>{2});
  device_buffer<float> y(3);
  convolve_on_device(x.span(), h.span(), y.span(), convolution_mode::full);
  CHECK(y.to_host() == std::vector<float>{2, 4, 6});
}

TEST_CASE("second") {
  const char* wanted = std::getenv("TEST_CHAPTER");
  if (wanted && std::string(wanted) == "slow_check") std::this_thread::sleep_for(std::chrono::seconds(3));
  CHECK_MESSAGE(!(wanted && std::string(wanted) == "failing_check"), "failing on demand");
  if (wanted && std::string(wanted) == "failing_checks")
    for (int i = 0; i < 400; ++i) CHECK(std::vector<int>{i} == std::vector<int>{});
}
