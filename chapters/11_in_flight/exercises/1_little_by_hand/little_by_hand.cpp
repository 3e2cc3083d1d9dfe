// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: Little's law by hand. Compute on paper, for the device in little_by_hand.hpp, and write each
// number behind its `return`.
#include "little_by_hand.hpp"

namespace tutorial {

double bytes_to_keep_under_way() {
  // TODO: bytes, on the whole device (about 1 line)
  return 0;
}

double bytes_per_ns_of_8_warps() {
  // TODO: bytes per ns (about 1 line)
  return 0;
}

int loads_per_thread_for_full_speed() {
  // TODO: a whole number (about 1 line)
  return 0;
}

double bytes_per_ns_that_the_law_allows() {
  // TODO: bytes per ns, without regard to the speed of memory (about 1 line)
  return 0;
}

double bytes_per_ns_that_are_read() {
  // TODO: bytes per ns (about 1 line)
  return 0;
}

}  // namespace tutorial
