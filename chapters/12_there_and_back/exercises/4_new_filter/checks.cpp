// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/device/stream.hpp"
#include "common/verify/inputs.hpp"
#include "new_filter.hpp"

using namespace tutorial;

namespace {

constexpr std::size_t samples = 1000;

seven_taps filter_number(std::uint64_t number) {
  seven_taps taps{};
  std::ranges::copy(random_whole_numbers<float>(7, number), taps.h);
  return taps;
}

struct signal_on_device {
  explicit signal_on_device(std::uint64_t seed)
      : values(random_whole_numbers<float>(samples, seed)), x(values), y(samples) {}
  std::vector<float> values;
  device_buffer<float> x, y;
};

void check_output(const signal_on_device& signal, const seven_taps& taps, const std::string& what) {
  const std::vector<float> got = signal.y.to_host();
  for (std::size_t n = 0; n < samples; ++n) {
    float expected = 0;
    for (std::size_t k = 0; k < 7 && k <= n; ++k) expected += taps.h[k] * signal.values[n - k];
    REQUIRE_MESSAGE(got[n] == expected,
                    what << ": y[" << n << "] should be " << expected << ", and is " << got[n]);
  }
}

}  // namespace

TEST_CASE("the first call") {
  signal_on_device signal(1);
  check(cudaDeviceSynchronize());
  graph_filter filter;
  const stream work;
  filter(signal.x, signal.y, filter_number(1), work);
  work.wait();
  check_output(signal, filter_number(1), "the first call");
}
TEST_CASE("another filter in each call") {
  signal_on_device signal(1);
  check(cudaDeviceSynchronize());
  graph_filter filter;
  const stream work;
  for (std::uint64_t call = 1; call <= 5; ++call) {
    filter(signal.x, signal.y, filter_number(call), work);
    work.wait();
    check_output(signal, filter_number(call),
                 call == 1 ? "the first call" : "a later call with another filter");
  }
}
TEST_CASE("another signal and another output") {
  signal_on_device one(1), other(2);
  check(cudaDeviceSynchronize());
  graph_filter filter;
  const stream work;
  filter(one.x, one.y, filter_number(1), work);
  filter(other.x, other.y, filter_number(2), work);
  work.wait();
  check_output(one, filter_number(1), "the first call, looked at after the second");
  check_output(other, filter_number(2), "the second call, with another signal");
}
