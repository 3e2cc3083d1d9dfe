// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <array>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "05_shared_memory/broken.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {

std::span<const shown_mistake> shown_mistakes() {
  static const std::array<shown_mistake, 8> all{{
      {mistake::tile_no_barrier, "no_barrier", "broken: no barrier after staging", "race"},
      {mistake::tile_guard_first, "guard_first", "broken: the guard before the barrier", "divergent barrier"},
      {mistake::tile_one_round, "one_round", "broken: staged in one round, without the halo",
       "read of uninitialized memory"},
      {mistake::no_second_barrier, "no_second_barrier", "broken: no barrier before the next chunk", "race"},
      {mistake::halo_one_short, "halo_one_short", "broken: the last element of the tile is not staged",
       "read of uninitialized memory"},
      {mistake::ghosts_not_written, "ghosts_not_written", "broken: ghosts are not made zero",
       "read of uninitialized memory"},
      {mistake::end_not_checked, "end_not_checked", "broken: stages behind the last sample",
       "access out of bounds"},
      {mistake::no_guard, "no_guard", "broken: spare threads write, too", "access out of bounds"},
  }};
  return all;
}

std::size_t wrong_outputs(mistake made) {
  const bool tile = made == mistake::none_tile || made >= mistake::tile_no_barrier;
  // Whole numbers: right is exactly right. More taps than a chunk, and a last block that is not full.
  const std::vector<float> x = random_whole_numbers<float>(600, 1),
                           h = random_whole_numbers<float>(tile ? 5 : 301, 2);
  std::vector<float> expected(600);
  convolve_gather<float>(x, h, expected, convolution_mode::same);
  const device_buffer<float> d_x(x), d_h(h);
  device_buffer<float> d_y(expected.size());
  if (tile)
    smooth_tile(made, d_x, d_h, d_y);
  else
    convolve<float>(made, d_x, d_h, d_y, convolution_mode::same);
  check(cudaDeviceSynchronize());
  return compare<float>(d_y.to_host(), expected).mismatches;
}

}  // namespace tutorial::broken
