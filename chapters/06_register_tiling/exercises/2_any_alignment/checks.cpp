// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "any_alignment.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

TEST_CASE("every element of the array is scaled, wherever it begins and ends, and nothing else") {
  // Aligned arrays come first: a misaligned vector would leave a GPU without a context for all that follows.
  for (const std::size_t offset : {8, 9, 10, 11})
    for (const std::size_t size : {4, 512, 515, 0, 1, 2, 3, 5, 6, 7, 8, 511, 513, 2000}) {
      std::vector<float> all(offset + size + 8);
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = float(i + 1);
      device_buffer<float> memory(all);
      scale(memory.span().subspan(offset, size), 3.0f);
      check(cudaDeviceSynchronize());
      const std::vector<float> result = memory.to_host();
      std::size_t missed = 0, beside = 0, first_missed = 0, first_beside = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool ours = offset <= i && i < offset + size;
        if (ours && result[i] != 3 * all[i] && missed++ == 0) first_missed = i;
        if (!ours && result[i] != all[i] && beside++ == 0) first_beside = i;
      }
      REQUIRE_MESSAGE(missed == 0, several(size, "element"), " from element ", offset,
                      " of an allocation on: ", missed, " wrong, the first is y[",
                      std::ptrdiff_t(first_missed) - std::ptrdiff_t(offset), "], which should be ",
                      3 * all[first_missed], ", three times what it was, and is ", result[first_missed]);
      REQUIRE_MESSAGE(beside == 0, several(size, "element"), " from element ", offset,
                      " of an allocation on: ", several(beside, "element"),
                      " outside of y changed, the first is y[",
                      std::ptrdiff_t(first_beside) - std::ptrdiff_t(offset), "]");
    }
}

TEST_CASE("whole vectors are loaded and stored as such") {
  for (const std::size_t offset : {0, 1, 3}) {
    device_buffer<float> memory(std::vector<float>(4096 + 8, 1.0f));
    const auto launches = count_launches([&] { scale(memory.span().subspan(offset, 4096), 2.0f); });
    if (!has_counts(launches)) return;
    require_work_spread(launches, 4096, 16);
    const launch_counts counts = sum(launches);
    const std::string what =
        "4096 elements from element " + std::to_string(offset) + " of an allocation on: ";
    CHECK_MESSAGE(counts.global_load_bytes == 4096 * sizeof(float), what, counts.global_load_bytes,
                  " bytes are loaded, and the elements have ", 4096 * sizeof(float));
    // 1024 vectors; away from the boundary one of them falls apart into two ends, four elements together.
    const std::uint64_t loads = offset == 0 ? 1024 : 1023 + 4;
    CHECK_MESSAGE(
        counts.global_loads == loads, what, several(counts.global_loads, "load"), ", and ", loads,
        " are enough: whole vectors where four elements begin at a multiple of 16 bytes, the others "
        "one by one");
    CHECK_MESSAGE(counts.global_stores == loads, what, several(counts.global_stores, "store"), ", and ",
                  loads, " are enough");
  }
}
