// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "three_faults.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "05_shared_memory/dynamic_shared.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

TEST_CASE("it computes the definition at every length, with every number of taps that fits") {
  for (const std::size_t samples : {256, 1, 2, 100, 255, 257, 512, 700})
    for (const std::size_t taps : {5, 1, 2, 33, 64}) {
      const std::vector<float> x = random_whole_numbers<float>(samples, samples),
                               h = random_taps<float>(taps);
      std::vector<float> expected(samples + taps - 1), sums(samples + taps - 1);
      convolve_gather<float>(x, h, expected, convolution_mode::full);
      convolve_gather<float>(std::vector<float>(samples, 8.0f), std::vector<float>(taps, 1.0f), sums,
                             convolution_mode::full);  // |x| is at most 8 and |h| at most 1
      const case_at_work now(several(samples, "sample") + ", " + several(taps, "tap") + ": " +
                             several(samples + taps - 1, "output"));
      poison_shared_memory();  // what no thread writes is no number
      const device_buffer<float> d_x(x), d_h(h);
      device_buffer<float> d_y(expected.size());
      convolve_short(d_x, d_h, d_y);
      check(cudaDeviceSynchronize());
      const std::vector<float> y = d_y.to_host();
      const agreement result =
          compare<float>(y, expected, dot_product_bound<float>(taps, std::span<const float>(sums)));
      std::vector<float> not_flipped(samples + taps - 1);
      convolve_gather<float>(x, std::vector<float>(h.rbegin(), h.rend()), not_flipped,
                             convolution_mode::full);
      REQUIRE_MESSAGE(
          bool(result), several(samples, "sample"), ", ", several(taps, "tap"), ": ", describe(result),
          as_if<float>(y,
                       {{"the filter were not flipped: tap k meets x[n - k], the last tap the oldest sample",
                         not_flipped}},
                       1e-3));
    }
}

TEST_CASE("more taps than fit are refused") {
  const device_buffer<float> x(random_signal<float>(100)), h(random_taps<float>(most_short_taps + 1));
  device_buffer<float> y(100 + most_short_taps);
  std::string instead = ", but it threw nothing";
  try {
    convolve_short(x, h, y);
  } catch (const std::invalid_argument&) {
    instead.clear();
  } catch (const std::exception& error) {
    instead = std::string(" itself, and not ask the device.\nIt threw ") + error.what();
  }
  CHECK_MESSAGE(instead.empty(), (most_short_taps + 1), " taps, of which ", most_short_taps,
                " fit: convolve_short() should throw std::invalid_argument", instead);
}

TEST_CASE("a block loads each sample once") {
  const std::size_t taps = 33;
  const device_buffer<float> x(random_signal<float>(700)), h(random_taps<float>(taps));
  device_buffer<float> y(700 + taps - 1);
  const auto launches = count_launches([&] { convolve_short(x, h, y); });
  if (!has_counts(launches)) return;
  require_work_spread(launches, y.size());
  const std::uint64_t loads = sum(launches).global_loads, each = launches[0].block[0] + taps - 1;
  REQUIRE_MESSAGE(double(loads) <= blocks(launches) * double(each), several(loads, "load"), " by ",
                  blocks(launches), " blocks with ", taps, " taps: a block needs ", several(each, "sample"),
                  ", and stages each of them once in shared memory");
}
