// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "sums_of_rows.hpp"

#include <doctest/doctest.h>

#include "05_shared_memory/dynamic_shared.hpp"
#include "common/device/check.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

TEST_CASE("every output is the sum of its 32 samples") {
  for (const std::size_t outputs : {32, 1, 2, 31, 33, 64, 100}) {
    const std::vector<float> x = random_whole_numbers<float>(32 * outputs, outputs);
    std::vector<float> expected(outputs);
    for (std::size_t m = 0; m < x.size(); ++m) expected[m / 32] += x[m];
    poison_shared_memory();
    const device_buffer<float> d_x(x);
    device_buffer<float> d_y(outputs);
    sum_rows(d_x, d_y);
    check(cudaDeviceSynchronize());
    const std::vector<float> y = d_y.to_host();
    const agreement result = compare<float>(y, expected);
    std::vector<float> columns(outputs);
    for (std::size_t m = 0; m < x.size(); ++m)
      if (m / 1024 * 32 + m % 32 < outputs) columns[m / 1024 * 32 + m % 32] += x[m];
    REQUIRE_MESSAGE(
        bool(result), several(outputs, "output"), ": ", describe(result),
        as_if<float>(y, {{"each lane added up a column of the 32 x 32 samples, and not its row", columns}}));
  }
}

TEST_CASE("every sample is loaded once and side by side, and no two lanes meet in a bank") {
  const device_buffer<float> x(random_signal<float>(32 * 64));
  device_buffer<float> y(64);
  const auto launches = count_launches([&] { sum_rows(x, y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(counts.global_loads == 32 * 64, several(counts.global_loads, "load"), " for ", 32 * 64,
                " samples");
  CHECK_MESSAGE(counts.global_load_sectors == 4 * counts.global_load_requests,
                several(counts.global_load_sectors, "sector"), " for ",
                several(counts.global_load_requests, "request"),
                " to global memory; 32 floats side by side are 4 sectors");
  CHECK_MESSAGE((counts.shared_store_requests > 0 && counts.shared_load_requests > 0),
                "no sample was staged: shared memory had ", several(counts.shared_store_requests, "request"),
                " to write and ", several(counts.shared_load_requests, "request"), " to read");
  CHECK_MESSAGE(counts.shared_loads <= 32 * 64, several(counts.shared_loads, "load"),
                " from shared memory for ", 32 * 64, " samples: each lane is to add up its own row");
  const auto conflicts = [](std::uint64_t wavefronts, std::uint64_t requests, const char* what) {
    return several(wavefronts, "wavefront") + " for " + several(requests, "request") + what +
           ": in which banks are the 32 elements of one request? The length of a row says how far "
           "apart they are.";
  };
  CHECK_MESSAGE(counts.shared_store_wavefronts == counts.shared_store_requests,
                conflicts(counts.shared_store_wavefronts, counts.shared_store_requests,
                          " that write to shared memory"));
  CHECK_MESSAGE(
      counts.shared_load_wavefronts == counts.shared_load_requests,
      conflicts(counts.shared_load_wavefronts, counts.shared_load_requests, " that read from shared memory"));
  require_lanes_together(counts.shared_loads, counts.shared_load_requests, "load", " from shared memory");
}
