// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: Little's law by hand. Compute on paper, for the device in little_by_hand.hpp, and write each
// number behind its `return`.
#include "little_by_hand.hpp"

namespace tutorial {

double bytes_to_keep_under_way() {
  // SOLUTION: bytes, on the whole device (about 1 line)
  // STARTER: return 0;
  return 1'000'000;
  // END SOLUTION
}

double bytes_per_ns_of_8_warps() {
  // SOLUTION: bytes per ns (about 1 line)
  // STARTER: return 0;
  return 204.8;  // 100 x 8 x 32 x 4 = 102,400 bytes under way
  // END SOLUTION
}

int loads_per_thread_for_full_speed() {
  // SOLUTION: a whole number (about 1 line)
  // STARTER: return 0;
  return 10;  // 1,000,000 / 102,400 = 9.8
  // END SOLUTION
}

double bytes_per_ns_that_the_law_allows() {
  // SOLUTION: bytes per ns, without regard to the speed of memory (about 1 line)
  // STARTER: return 0;
  return 6553.6;
  // END SOLUTION
}

double bytes_per_ns_that_are_read() {
  // SOLUTION: bytes per ns (about 1 line)
  // STARTER: return 0;
  return 2000;
  // END SOLUTION
}

}  // namespace tutorial
