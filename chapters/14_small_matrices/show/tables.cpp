// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "09_dct_compression/kernels/compress_fused.hpp"
#include "09_dct_compression/versions.hpp"
#include "14_small_matrices/checks/broken.hpp"
#include "14_small_matrices/checks/round_trip_verification.hpp"
#include "14_small_matrices/kernels/small_matrices.hpp"
#include "14_small_matrices/versions.hpp"
#include "common/device/clock_rate.hpp"
#include "common/files/numbers.hpp"
#include "common/program/shown_mistakes.hpp"
#include "common/verify/test_picture.hpp"

namespace tutorial {
namespace {

using byte_plane = plane<std::uint8_t>;

constexpr int quality = 50;

/// Larger pictures repeat one of at most this size: its first copy is verified, the others must be equal to
/// it. Whole 8x8 blocks, and no power of two, as the mistakes in indices are.
constexpr int most_of_a_tile = 1296;

/// The work of one size.
struct product_work {
  product_work(int width, int height)
      : tile(std::min(width, most_of_a_tile), std::min(height, most_of_a_tile)), pixels(width, height) {
    const plane<float> picture = test_picture(tile.width, tile.height);
    std::copy(picture.values.begin(), picture.values.end(), tile.values.begin());
    for (int row = 0; row < height; ++row)
      for (int col = 0; col < width; ++col)
        pixels.at(row, col) = tile.at(row % tile.height, col % tile.width);
  }

  verification verify(const byte_plane& result) const {
    byte_plane first(tile.width, tile.height);
    for (int row = 0; row < tile.height; ++row)
      std::copy_n(&result.at(row, 0), tile.width, &first.at(row, 0));
    const round_trip_agreement of_tile = verify_round_trip(tile, steps, first);
    agreement found = of_tile.found;
    for (int row = 0; row < result.height; ++row)
      for (int col = 0; col < result.width; col += tile.width)
        found.mismatches +=
            !std::equal(&result.at(row, col), &result.at(row, col) + std::min(tile.width, result.width - col),
                        &first.at(row % tile.height, 0));
    found.size = result.values.size();
    return {found, of_tile.differing == 0 ? "" : grouped(of_tile.differing) + " at or near ties"};
  }

  byte_plane tile, pixels;
  quantization_table steps = table_for(component_kind::luminance, quality);
  product_matrices matrices = product_matrices(steps);
};

std::vector<ready_version> versions_of(plane_sets<std::uint8_t, std::uint8_t>& sets,
                                       const product_work& work) {
  const auto row = [&](const version_name& name, auto round_trip) {
    return sets.version(
        name, [&work, round_trip](auto from, auto to) { round_trip(from, work.matrices, to, nullptr); },
        [&work](const byte_plane& result) { return work.verify(result); });
  };
  return {sets.version(
              versions::fused, [&work](auto from, auto to) { round_trip_fused(from, work.steps, to); },
              [&work](const byte_plane& result) { return work.verify(result); }),
          row(versions::round_trip_wmma, round_trip_wmma), row(versions::round_trip_mma, round_trip_mma),
          row(versions::round_trip_staged, round_trip_staged)};
}

/// The versions of `bursts` for a second back to back, in ten slices: the first of them, and the median of
/// the last five, held against the same copy, and the clock in both.
void show_back_to_back(chapter_run& run, const product_work& work,
                       plane_sets<std::uint8_t, std::uint8_t>& sets, const version_table& bursts) {
  text_table table({{"version", text_table::align::left},
                    {"first 0.1 s, median ms"},
                    {"last 0.5 s, median ms"},
                    {"of limit"},
                    {"first clock, MHz"},
                    {"last clock, MHz"}});
  clock_rate clock;
  for (const ready_version& version : versions_of(sets, work)) {
    const version_row* const burst = bursts.find(version.name);
    if (burst == nullptr) continue;
    std::vector<double> slices, clocks;
    for (int slice = 0; slice < 10; ++slice) {
      clock.begin();
      slices.push_back(
          measure([&](int i) { version.launch(i % version.sets); }, {.group_ms = 6, .repeats = 15})
              .median_ms);
      clocks.push_back(clock.end_megahertz());
    }
    const double first = slices.front(), last = median({slices.begin() + 5, slices.end()});
    const double first_clock = clocks.front(), last_clock = median({clocks.begin() + 5, clocks.end()});
    table.add_row({version.label, milliseconds(first), milliseconds(last), percent(burst->limit_ms / last),
                   significant(first_clock, 4), significant(last_clock, 4)});
    run.record({{"chapter", "14"},
                {"work", "back to back"},
                {"variant", version.name},
                {"label", version.label},
                {"device", run.device().name},
                {"width", std::to_string(work.pixels.width)},
                {"height", std::to_string(work.pixels.height)},
                {"first_ms", exact_digits(first)},
                {"median_ms", exact_digits(last)},
                {"of_limit", exact_digits(burst->limit_ms / last)},
                {"first_mhz", significant(first_clock, 4)},
                {"last_mhz", significant(last_clock, 4)}});
  }
  if (table.empty()) return;
  run.show("back to back for a second  " + grouped(std::uint64_t(work.pixels.width)) + " x " +
               grouped(std::uint64_t(work.pixels.height)) + " pixels",
           table);
}

}  // namespace

std::vector<chapter_variant> product_variants() {
  std::vector<chapter_variant> all = {versions::fused};
  all.insert(all.end(), std::begin(versions::all_products), std::end(versions::all_products));
  add_mistakes(all, broken::shown_product_mistakes());
  return all;
}

void show_product_tables(chapter_run& run) {
  if (show_mistake(run, broken::shown_product_mistakes(), "Pixels")) return;
  const bool emulated = run.device().emulated;
  // The large one first: docs/record/measure takes the first launch of each shape, and the fastest versions
  // have the same number of blocks for both.
  for (const int side : emulated ? std::vector<int>{512} : std::vector<int>{16384, 2592}) {
    const product_work work(side, emulated ? 64 : side);
    plane_sets<std::uint8_t, std::uint8_t> sets(work.pixels, work.pixels.width, work.pixels.height);
    const version_table bursts =
        show_planes(run, "14", {"round trip", work.pixels.width, work.pixels.height, "8-bit to 8-bit"},
                    versions_of(sets, work), [&] { return sets.measure_copies(); });
    if (!emulated && side == 16384) show_back_to_back(run, work, sets, bursts);
  }
}

}  // namespace tutorial
