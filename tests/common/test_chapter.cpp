// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A chapter with one right version on the host and on the device, a wrong one, and failures on demand: the
// environment variable TEST_CHAPTER names one.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/program/signals.hpp"
#include "test_chapter_kernel.hpp"

namespace tutorial {
namespace {

template <class T>
void on_host(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  using sum_type = std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>;
  const std::size_t first = first_output(x.size(), h.size(), mode);
  for (std::size_t n = 0; n < y.size(); ++n) {
    sum_type sum = 0;
    for (std::size_t k = 0; k < h.size(); ++k)
      if (first + n >= k && first + n - k < x.size()) sum += sum_type(h[k]) * sum_type(x[first + n - k]);
    y[n] = T(sum);
  }
}

void show(convolution_demo& demo) {
  const char* variable = std::getenv("TEST_CHAPTER");
  const std::string wanted = variable ? variable : "";
  if (wanted == "cuda_error") check(cudaErrorIllegalAddress);
  if (wanted == "device_memory") check(cudaErrorMemoryAllocation);
  if (wanted == "bad_alloc") throw std::bad_alloc();
  if (wanted == "wrong") {
    demo.table({"W", element_type::float64, 500, 3, convolution_mode::same}, {"host", "shifted", "device"});
    return;
  }
  if (wanted == "offset")
    demo.table({"O", element_type::float64, 500, 3, convolution_mode::same, 1}, {"offset"});
  const auto table =
      demo.table({"T", element_type::float64, 500, 3, convolution_mode::same}, {"host", "slow", "device"});
  if (wanted != "no_picture")
    demo.run().draw({.title = "Test",
                     .description = "One point.",
                     .series = {{wanted == "bad_picture" ? "" : "a point", {{1, 2}}}}});
  if (wanted == "two_pictures")
    demo.run().draw({.title = "More", .description = "Another point.", .series = {{"a point", {{2, 1}}}}},
                    "more");
  if (const version_row* row = table.find("device"))
    demo.say("device row, launches counted: " + std::to_string(row->counts.launches));
}

const host_version on_the_host{"99", "host", "on the host",
                               [](auto x, auto h, auto y, auto mode) { on_host(x, h, y, mode); }};
const host_version few_taps{"99", "few_taps", "few taps only", [](auto x, auto h, auto y, auto mode) {
                              if (h.size() > 100) throw std::invalid_argument("at most 100 taps");
                              on_host(x, h, y, mode);
                            }};
const host_version ghosts{"99", "ghosts", "ghosts multiplied", [](auto x, auto h, auto y, auto mode) {
                            on_host(x, h, y, mode);
                            for (auto& output : y) output += 0 * x[1];
                          }};
const host_version nothing{"99", "nothing", "nothing written", [](auto, auto, auto, auto) {}};
const device_version shifted{"99", "shifted", "shifted by one",
                             [](auto x, auto h, auto y, auto mode) { convolve_on_device(x, h, y, mode, 1); }};
const device_version offset{"99", "offset", "not aligned", [](auto x, auto h, auto y, auto mode) {
                              for (const void* begin : {(const void*)x.data(), (const void*)y.data()})
                                if (reinterpret_cast<std::uintptr_t>(begin) % 16 != sizeof(x.data()[0]))
                                  throw std::logic_error("not one element behind an aligned address");
                              convolve_on_device(x, h, y, mode);
                            }};
const device_version on_the_device{"99", "device", "on the device", [](auto x, auto h, auto y, auto mode) {
                                     convolve_on_device(x, h, y, mode);
                                   }};

convolution_version named(const char* name, convolution_version version) {
  version.name = version.about = name;
  return version;
}

convolution_version only_double(const char* name) {
  convolution_version version = named(name, on_the_host);
  version.on_host = for_types<host_convolution, double>(on_the_host);
  return version;
}

convolution_version rounds() {
  convolution_version version = only_double("rounds");
  // As the norms of a transform are: not a number where the signal has one.
  version.rounding = for_types<rounding_rule, double>([](auto x, auto, auto, auto) {
    double squares = 0;
    for (const double sample : x) squares += sample * sample;
    return rounding_allowance{1e-15 * std::sqrt(squares), 1e-14 * std::sqrt(squares)};
  });
  return version;
}

// As a transform does.
convolution_version spreads() {
  convolution_version version = rounds();
  version.name = version.about = "spreads";
  version.on_host = for_types<host_convolution, double>([](auto x, auto h, auto y, auto mode) {
    on_host<double>(x, h, y, mode);
    for (const double output : std::vector<double>(y.begin(), y.end()))
      for (double& other : y) other += 1e-17 * output + 0 * output;
  });
  return version;
}

convolution_version explained(convolution_version version) {
  version.explain = [](const convolution_work& work) {
    return "chosen for " + std::to_string(work.taps) + " taps";
  };
  return version;
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter({.number = "99",
                              .name = "test",
                              .title = "Test chapter",
                              .next = "00",
                              .reference = for_types<host_convolution>(on_the_host),
                              .versions = {on_the_host, up_to(1000, named("slow", on_the_host)),
                                           only_double("only_double"), rounds(), spreads(), few_taps, ghosts,
                                           nothing, shifted, offset, explained(on_the_device)},
                              .picture = own_picture::of_results,
                              .demo = show});
}

}  // namespace tutorial
