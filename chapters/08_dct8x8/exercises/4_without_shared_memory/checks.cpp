// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "without_shared_memory.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "08_dct8x8/checks/dct_checks.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "common/device/check.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

/// A sentence about the result where it is that of a known mistake; "" otherwise.
std::string what_it_is() {
  const plane<float> x{8, 8, random_whole_numbers<float>(64, 1, 127)};
  const device_plane<float> pixels(x);
  device_plane<float> coefficients(8, 8);
  dct_without_shared_memory(pixels, coefficients);
  check(cudaDeviceSynchronize());
  const plane<float> got = coefficients.to_host();
  const dct_matrix_t a = dct_matrix();
  // A x A^T, or A A x where nothing was swapped.
  const auto element = [&](int row, int col, bool swapped) {
    double sum = 0;
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j)
        sum +=
            swapped ? a[row][i] * double(x.at(i, j)) * a[col][j] : a[row][i] * a[i][j] * double(x.at(j, col));
    return sum;
  };
  const auto is = [&](bool swapped, bool turned) {
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 8; ++col)
        if (!(std::abs(double(got.at(row, col)) - element(turned ? col : row, turned ? row : col, swapped)) <=
              0.01))
          return false;
    return true;
  };
  // The exchange without one of its rounds, or in which each lane gives the values that it should keep: rows
  // and columns are places.
  const auto exchanged = [&](int missing, bool gives_what_it_keeps) {
    std::vector<double> values(64);
    for (int i = 0; i < 64; ++i) values[std::size_t(i)] = double(x.values[std::size_t(i)]);
    for (int time = 0; time < 2; ++time) {
      std::vector<double> next(64);
      for (int row = 0; row < 8; ++row)
        for (int col = 0; col < 8; ++col)
          for (int i = 0; i < 8; ++i)
            next[std::size_t(8 * row + col)] += a[row][i] * values[std::size_t(8 * i + col)];
      for (int bit = 1; bit < 8; bit *= 2) {
        if (bit == missing) continue;
        values = next;
        for (int row = 0; row < 8; ++row)
          for (int col = 0; col < 8; ++col)
            if (((row ^ col) & bit) != 0)
              next[std::size_t(8 * row + col)] =
                  values[std::size_t(8 * (gives_what_it_keeps ? row : row ^ bit) + (col ^ bit))];
      }
      values = next;
    }
    return values;
  };
  std::vector<double> all(got.values.begin(), got.values.end());
  std::vector<known_mistake<double>> mistakes = {
      {"in each round each lane gave the four values that it keeps, and not those that it replaces",
       exchanged(0, true)}};
  for (const int bit : {1, 2, 4})
    mistakes.push_back(
        {"a round were missing: lanes whose numbers differ by " + std::to_string(bit) + " exchange nothing",
         exchanged(bit, false)});
  const std::string gives = as_if(all, mistakes, 0.01);
  if (!gives.empty()) return "8 x 8 pixels" + gives;
  if (is(false, false)) return "the result is A A X, as if rows and columns were never swapped";
  if (is(false, true)) return "the result is (A A X)^T, as if rows and columns were swapped only at the end";
  if (is(true, true)) return "the result is (A X A^T)^T, as if rows and columns were swapped once only";
  return "";
}

}  // namespace

TEST_CASE("each basis picture has one coefficient, at its place") {
  const std::string known = what_it_is();
  REQUIRE_MESSAGE(known.empty(), known);
  CHECK(joined(forward_basis_failures(dct_without_shared_memory)) == "");
}

// Rows are aligned as cudaMallocPitch() aligns them: that is what the exercise is given.
TEST_CASE("the coefficients are those of the definition, for pictures of every size") {
  CHECK(joined(forward_failures(dct_without_shared_memory, {.row_alignment = 512})) == "");
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
  CHECK_MESSAGE(counts.shared_loads + counts.shared_stores == 0, (counts.shared_loads + counts.shared_stores),
                " accesses to shared memory: shuffles need none");
  CHECK_MESSAGE(counts.barriers == 0, counts.barriers, " barriers: the eight threads are lanes of one warp");
  CHECK_MESSAGE(counts.global_loads == 256 * 64, several(counts.global_loads, "load"), " for ", 256 * 64,
                " pixels", idle_loads(launches));
  CHECK_MESSAGE(counts.global_stores == 256 * 64, several(counts.global_stores, "store"), " for ", 256 * 64,
                " coefficients");
  const double loaded = double(counts.global_load_sectors) / double(counts.global_load_requests),
               stored = double(counts.global_store_sectors) / double(counts.global_store_requests);
  CHECK_MESSAGE(
      loaded == 4, loaded,
      " sectors for each load request; 32 floats side by side are 4. Have neighbors in a warp neighboring "
      "columns: is x the column?");
  CHECK_MESSAGE(
      stored == 4, stored,
      " sectors for each store request; 32 floats side by side are 4. Have neighbors in a warp neighboring "
      "columns: is x the column?");
}
