// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "grid_stride.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

agreement copied(std::size_t size) {
  const std::vector<float> x = random_signal<float>(size, size);
  const device_buffer<float> d_x(x);
  device_buffer<float> d_y(size);
  copy_grid_stride(d_x, d_y);
  check(cudaDeviceSynchronize());
  return compare<float>(d_y.to_host(), x);
}

}  // namespace

TEST_CASE("every element is copied, whatever the length") {
  for (const std::size_t size : {1, 255, 256, 257, 512, 1000, 7919}) {
    const agreement result = copied(size);
    std::string wrong = describe(result);
    // One element is the first and the last: which of them is it?
    if (!bool(result) && size == 1)
      if (const agreement many = copied(1000); !bool(many))
        wrong += (wrong.ends_with('?') ? " With 1000 elements " : ". With 1000 elements ") + describe(many);
    REQUIRE_MESSAGE(bool(result), several(size, "element"), ": ", wrong);
  }
}

TEST_CASE("256 threads copy 8192 elements, and neighbors still copy neighbors") {
  const device_buffer<float> x(random_signal<float>(8192));
  device_buffer<float> y(8192);
  const auto launches = count_launches([&] { copy_grid_stride(x, y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(counts.threads == 256, "the grid is 4 blocks of 64 threads, but ",
                several(counts.threads, "thread"), leading_to("launches", " were launched"));
  CHECK_MESSAGE(counts.global_loads == 8192, "8192 elements are 8192 loads, but there were ",
                counts.global_loads);
  CHECK_MESSAGE(counts.global_load_requests == 256,
                "8192 loads by warps of 32 are 256 requests, but there were ", counts.global_load_requests);
  CHECK_MESSAGE(counts.global_load_sectors == 1024,
                "32 floats side by side are 4 sectors, 1024 in all, but the loads took ",
                counts.global_load_sectors);
}
