// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

namespace tutorial {

// In turn t, a warp with a ring of `depth` slots does this:
//   fetches tile fetched_in_turn(t, depth) into its slot, and commits a stage;
//   waits until all stages have arrived but the last stages_under_way(depth);
//   computes tile t, which lies in slot_of(t, depth).
// Before turn 0 it has fetched the tiles 0 to fetched_in_turn(0, depth) - 1, each as a stage of its own.

/// The slot of tile t, 0 to depth - 1. depth >= 1.
int slot_of(int t, int depth);

/// The tile that is fetched in turn t: as far ahead as it can be without overwriting a tile that is still
/// needed.
int fetched_in_turn(int t, int depth);

/// How many of the last stages may still be under way when tile t is needed.
int stages_under_way(int depth);

/// The fewest slots with which the warp waits for no tile but the first ones, if a tile arrives `latency_ns`
/// after it was asked for, and takes `compute_ns` to compute. Both are above 0.
int ring_depth(double latency_ns, double compute_ns);

}  // namespace tutorial
