// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong on purpose: a ring of tiles, or fast FIR, with one mistake each. The checks, or the emulated device,
// must refuse every one.
#pragma once

#include <vector>

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"
#include "common/verify/mistakes.hpp"

namespace tutorial::broken {

enum class mistake {
  none,                ///< As it should be: the checks must accept it.
  no_wait,             ///< Computes a tile without waiting for its stage.
  wrong_stage,         ///< Waits for one stage too few: the tile that it computes may still be on its way.
  no_barrier,          ///< Waits for the copies of its own lane, not for those of other lanes.
  no_empty_stages,     ///< Commits no stage where no tile is left: the last waits count one stage too few.
  no_second_barrier,   ///< Fetches the next tile over samples that other lanes may still read.
  slot_not_moved,      ///< Always computes from the first slot of the ring.
  every_second_tile,   ///< Advances by twice as many tiles as there are warps: every second one is left out.
  halo_left_out,       ///< Fetches the samples of the outputs, but not those before them.
  ghosts_not_written,  ///< Writes no ghosts: what was in shared memory before stays there.
  last_tile_not_cut,   ///< Writes the whole last tile, even past the end of y.
  source_not_shifted,  ///< Fetches from where the tile's outputs begin in y: right for full only.
  none_bulk,           ///< Right again, a whole tile with one copy and a barrier in shared memory.
  no_phase,            ///< Computes a tile without waiting for the phase of its barrier.
  early_arrival,       ///< Arrives at the barrier while other lanes still write ghosts.
  none_fast,           ///< Right again, with the three filters of fast FIR and no ring.
  odd_of_this_pair,    ///< Adds to an even output the odd taps' sum of its own pair, not the previous pair's.
  odd_not_subtracted,  ///< Subtracts from an odd output only the sum of the even taps.
  both_is_even,        ///< The third filter holds the even taps, not the sums of two taps.
  last_tap_left_out,   ///< Takes whole pairs of taps only: an odd number of taps loses its last one.
};

/// The convolution with that mistake. At most 33 taps. T is std::int32_t, float or double.
template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode);

/// Of a tile that a tensor map brings.
enum class plane_mistake {
  none,              ///< As it should be: the checks must accept it.
  not_waited,        ///< Uses the tile without waiting for it.
  too_few_bytes,     ///< The barrier expects the samples inside the plane only.
  tile_not_aligned,  ///< The tile may lie at any multiple of 16.
  corner_not_moved,  ///< The tile begins where the outputs begin.
};

/// Those whose result may be right by chance: the chapter's program shows them.
std::vector<shown_mistake> shown_mistakes();
/// Convolves some floats with that mistake, and returns how many outputs are wrong: on the emulated device a
/// finding ends the program before that.
std::size_t wrong_outputs(mistake made);
/// The same with a copy of a plane, tile by tile.
std::size_t wrong_copies(plane_mistake made);

}  // namespace tutorial::broken
