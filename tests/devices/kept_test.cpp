// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "04_constant_memory/convolve_constant.hpp"
#include "05_shared_memory/convolve_shared.hpp"
#include "13_one_pass/fastest_convolution.hpp"
#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

constexpr auto same = convolution_mode::same;

/// The arrays of one convolution, on the device that is current where they are made.
struct arrays {
  std::vector<float> expected;
  device_buffer<float> x, h, y;

  arrays(std::size_t samples, std::size_t taps) : expected(samples), y(samples) {
    const auto signal = random_whole_numbers<float>(samples, 1),
               filter = random_whole_numbers<float>(taps, 2);
    convolve_gather<float>(signal, filter, expected, same);
    x = device_buffer<float>(signal), h = device_buffer<float>(filter);
  }
};

/// Loads a filter on device 0; device 1 must not convolve before it has the filter, too.
template <class Load, class Convolve>
void check_loaded(const Load& load, const Convolve& convolve) {
  check(cudaSetDevice(0));
  arrays on_first(100, 5);
  load(on_first.h.span());
  check(cudaSetDevice(1));
  arrays on_second(100, 5);
  CHECK_THROWS_AS(convolve(on_second.x.span(), 5, on_second.y.span()), std::invalid_argument);
  load(on_second.h.span());
  convolve(on_second.x.span(), 5, on_second.y.span());
  CHECK(on_second.y.to_host() == on_second.expected);
}

}  // namespace

TEST_CASE("04: taps in constant memory are those of one device") {
  check_loaded([](device_span<const float> h) { load_constant_taps(h); },
               [](device_span<const float> x, std::size_t taps, device_span<float> y) {
                 convolve_with_constant_taps(x, taps, y, same);
               });
}

TEST_CASE("05: taps in constant memory are those of one device") {
  check_loaded([](device_span<const float> h) { load_shared_taps(h); },
               [](device_span<const float> x, std::size_t taps, device_span<float> y) {
                 convolve_shared_with_loaded_taps(x, taps, y, same);
               });
}

TEST_CASE("07, 13: what is kept for one device is not used on the other") {
  for (const auto convolve : {best_convolution<float>, fastest_convolution<float>}) {
    for (const int device : {0, 1, 0, 1}) {
      CAPTURE(device);
      check(cudaSetDevice(device));
      arrays here(1 << 14, 1000);  // by transforms
      convolve(here.x, here.h, here.y, same);
      std::vector<float> outputs = here.y.to_host();
      for (float& output : outputs) output = std::round(output);
      CHECK(outputs == here.expected);
    }
    check(cudaDeviceSynchronize());
    forget_fastest_convolutions();
  }
}

int main(int arguments, char** values) {
  int devices = 0;
  check(cudaGetDeviceCount(&devices));
  if (devices < 2) {
    std::puts("skipped: there is one device only");
    return 77;
  }
  return doctest::Context(arguments, values).run();
}
