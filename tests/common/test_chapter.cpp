// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A chapter with one right version on the host and on the device, a wrong one, and failures on demand: the
// environment variable TEST_CHAPTER names one.
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include "common/device/check.hpp"
#include "common/program/convolution_chapter.hpp"
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
  if (const convolution_row* row = table.find("device"))
    demo.say("device row: " + std::to_string(row->counts.launches) + " launches counted");
}

convolution_variant explained(convolution_variant variant) {
  variant.explain = [](const convolution_work& work) {
    return "chosen for " + std::to_string(work.taps) + " taps";
  };
  return variant;
}

}  // namespace

chapter this_chapter() {
  const auto host = [](auto x, auto h, auto y, auto mode) { on_host(x, h, y, mode); };
  return convolution_chapter(
      {.number = "99",
       .name = "test",
       .title = "Test chapter",
       .next = "00",
       .reference = all_types_on_host(host),
       .variants = {host_variant("host", "99 on the host", host), host_variant("slow", "99 slow", host, 1000),
                    host_variant<double>("only_double", "99 double only", host),
                    with_rounding<double>(host_variant<double>("rounds", "99 rounds", host),
                                          [](auto, auto, auto, auto) { return rounding_allowance{}; }),
                    host_variant("few_taps", "99 few taps only",
                                 [](auto x, auto h, auto y, auto mode) {
                                   if (h.size() > 100) throw std::invalid_argument("at most 100 taps");
                                   on_host(x, h, y, mode);
                                 }),
                    host_variant("ghosts", "99 ghosts multiplied",
                                 [](auto x, auto h, auto y, auto mode) {
                                   on_host(x, h, y, mode);
                                   for (auto& output : y) output += 0 * x[1];
                                 }),
                    host_variant("nothing", "99 nothing written", [](auto, auto, auto, auto) {}),
                    device_variant(
                        "shifted", "99 shifted by one",
                        [](auto x, auto h, auto y, auto mode) { convolve_on_device(x, h, y, mode, 1); }),
                    device_variant("offset", "99 not aligned",
                                   [](auto x, auto h, auto y, auto mode) {
                                     for (const void* begin : {(const void*)x.data(), (const void*)y.data()})
                                       if (reinterpret_cast<std::uintptr_t>(begin) % 16 !=
                                           sizeof(x.data()[0]))
                                         throw std::logic_error("not one element behind an aligned address");
                                     convolve_on_device(x, h, y, mode);
                                   }),
                    explained(device_variant(
                        "device", "99 on the device",
                        [](auto x, auto h, auto y, auto mode) { convolve_on_device(x, h, y, mode); }))},
       .picture = own_picture::of_results,
       .demo = show});
}

}  // namespace tutorial
