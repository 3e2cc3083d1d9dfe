// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: a ring of any depth. ring_depth.hpp says what a warp does in each turn.
#include "ring_depth.hpp"

#include <cmath>

namespace tutorial {

int slot_of(int t, int depth) {
  // SOLUTION: which slot tile t has (about 1 line)
  // STARTER: return t % 2;
  return t % depth;
  // END SOLUTION
}

int fetched_in_turn(int t, int depth) {
  // SOLUTION: as far ahead as the ring allows (about 1 line)
  // STARTER: return t + 1;
  return t + depth - 1;  // its slot is that of tile t - 1, which is computed
  // END SOLUTION
}

int stages_under_way(int depth) {
  // SOLUTION: all stages after tile t's (about 1 line)
  // STARTER: return 1;
  return depth - 1;
  // END SOLUTION
}

int ring_depth(double latency_ns, double compute_ns) {
  // SOLUTION: how many tiles are computed while one is on its way? (about 2 lines)
  // STARTER: return 2;
  return 1 + static_cast<int>(std::ceil(latency_ns / compute_ns));
  // END SOLUTION
}

}  // namespace tutorial
