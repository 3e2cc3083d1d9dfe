// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernels of chapter 14, through their public functions.
#include "14_small_matrices/checks/round_trip_verification.hpp"
#include "14_small_matrices/checks/test_planes.hpp"
#include "14_small_matrices/kernels/small_matrices.hpp"
#include "common/verify/compare.hpp"
#include "copied_plane.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

using round_trip = void (*)(device_plane_span<const std::uint8_t>, const product_matrices&,
                            device_plane_span<std::uint8_t>, cudaStream_t);

void add(std::vector<count_entry>& entries, const std::string& version, round_trip run, int quality,
         int width, int height) {
  const std::string name = version + ", quality " + std::to_string(quality) + ", " + std::to_string(width) +
                           " x " + std::to_string(height);
  entries.push_back({name, version + "_kernel", [=]() -> std::string {
                       const plane<std::uint8_t> pixels = test_plane(plane_kind::shades, width, height);
                       const auto steps = table_for(component_kind::luminance, quality);
                       const product_matrices matrices(steps);
                       copied_plane from(pixels), to(plane<std::uint8_t>(width, height));
                       run(from.span(), matrices, to.span(), nullptr);
                       const auto verified = verify_round_trip(pixels, steps, to.to_host());
                       return verified ? "" : describe(verified.found);
                     }});
}

}  // namespace

std::vector<count_entry> matrix_entries() {
  const std::pair<const char*, round_trip> versions[] = {{"round_trip_wmma", round_trip_wmma},
                                                         {"round_trip_mma", round_trip_mma},
                                                         {"round_trip_staged", round_trip_staged}};
  std::vector<count_entry> entries;
  // Whole tiles, and tiles that stand over both edges. Steps of 1 have a kernel of their own.
  for (const auto& [version, run] : versions) {
    for (const auto& [width, height] : {std::pair(256, 32), {61, 21}, {275, 9}})
      add(entries, version, run, 50, width, height);
    add(entries, version, run, 100, 275, 9);
  }
  return entries;
}

}  // namespace tutorial
