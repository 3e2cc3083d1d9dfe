// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "05_shared_memory/broken.hpp"
#include "convolution_fault.hpp"

namespace tutorial {
namespace {

using broken::mistake;

fault with(std::string name, mistake made) {
  const auto f = [made](auto x, auto h, auto y, auto mode) { broken::convolve<float>(made, x, h, y, mode); };
  return convolution_fault<float>(std::move(name), f);
}

}  // namespace

std::vector<fault> faults() {
  return {with("none", mistake::none),
          with("none_chunked", mistake::none_chunked),
          with("not_flipped", mistake::not_flipped),
          with("halo_left_out", mistake::halo_left_out),
          with("ghosts_not_zero", mistake::ghosts_not_zero),
          with("begins_at_zero", mistake::begins_at_zero),
          with("chunks_not_moved", mistake::chunks_not_moved),
          with("end_not_checked", mistake::end_not_checked),
          with("no_guard", mistake::no_guard),
          with("no_barrier", mistake::no_barrier),
          with("no_second_barrier", mistake::no_second_barrier),
          with("return_before_barrier", mistake::return_before_barrier),
          with("halo_one_short", mistake::halo_one_short),
          with("ghosts_not_written", mistake::ghosts_not_written)};
}

}  // namespace tutorial
