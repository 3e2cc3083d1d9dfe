// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "06_register_tiling/offset_checks.hpp"
#include "11_in_flight/checks/broken.hpp"
#include "convolution_fault.hpp"

namespace tutorial {
namespace {

using broken::mistake;

/// With 33 taps, the most that the kernel has room for.
fault with(std::string name, mistake made) {
  const device_convolution<float> f = [made](auto x, auto h, auto y, auto mode) {
    broken::convolve<float>(made, x, h, y, mode);
  };
  fault result = convolution_fault<float>(std::move(name), f, whole_numbers<float>(1001, 33));
  result.check = [f] {
    const std::vector<offset_case> cases = {{200, 5, 0, 0, convolution_mode::full},
                                            {301, 33, 0, 0, convolution_mode::same},
                                            {33, 8, 0, 1, convolution_mode::valid}};
    return first_refusal([&] { return refused_by("offsets", offset_failures<float>(f, cases)); });
  };
  return result;
}

}  // namespace

std::vector<fault> faults() {
  return {with("none", mistake::none),
          with("no_wait", mistake::no_wait),
          with("wrong_stage", mistake::wrong_stage),
          with("no_barrier", mistake::no_barrier),
          with("no_empty_stages", mistake::no_empty_stages),
          with("no_second_barrier", mistake::no_second_barrier),
          with("slot_not_moved", mistake::slot_not_moved),
          with("every_second_tile", mistake::every_second_tile),
          with("halo_left_out", mistake::halo_left_out),
          with("ghosts_not_written", mistake::ghosts_not_written),
          with("last_tile_not_cut", mistake::last_tile_not_cut),
          with("source_not_shifted", mistake::source_not_shifted),
          with("none_bulk", mistake::none_bulk),
          with("no_phase", mistake::no_phase),
          with("early_arrival", mistake::early_arrival),
          with("none_fast", mistake::none_fast),
          with("odd_of_this_pair", mistake::odd_of_this_pair),
          with("odd_not_subtracted", mistake::odd_not_subtracted),
          with("both_is_even", mistake::both_is_even),
          with("last_tap_left_out", mistake::last_tap_left_out)};
}

}  // namespace tutorial
