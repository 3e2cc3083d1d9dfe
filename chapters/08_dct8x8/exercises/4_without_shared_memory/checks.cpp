// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "without_shared_memory.hpp"

#include <doctest/doctest.h>

#include "08_dct8x8/checks/dct_checks.hpp"
#include "common/verify/counted_check.hpp"

using namespace tutorial;

// Rows are aligned as cudaMallocPitch() aligns them: that is what the exercise is given.
TEST_CASE("the coefficients are those of the definition, for pictures of every size") {
  CHECK(joined(forward_failures(dct_without_shared_memory, {.row_alignment = 512})) == "");
}

TEST_CASE("each basis picture has one coefficient, at its place") {
  CHECK(joined(forward_basis_failures(dct_without_shared_memory)) == "");
}

TEST_CASE("nothing is written beside the coefficients") {
  CHECK(joined(forward_overruns(dct_without_shared_memory)) == "");
}

TEST_CASE("no shared memory and no barrier; every pixel once, 32 of them side by side") {
  const device_plane<float> pixels(plane<float>(256, 64, 1.0f));
  device_plane<float> coefficients(256, 64);
  const auto launches = count_launches([&] { dct_without_shared_memory(pixels, coefficients); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK(counts.shared_loads + counts.shared_stores == 0);
  CHECK(counts.barriers == 0);
  CHECK(counts.global_loads == 256 * 64);
  CHECK(counts.global_stores == 256 * 64);
  CHECK(counts.global_load_sectors ==
        4 * counts.global_load_requests);  // 32 floats side by side are 4 sectors
  CHECK(counts.global_store_sectors == 4 * counts.global_store_requests);
}
