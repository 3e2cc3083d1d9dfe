// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong on purpose: the kernels of this chapter with one mistake each. The checks must refuse every one of
// them.
#pragma once

#include <vector>

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"
#include "common/verify/mistakes.hpp"

namespace tutorial::broken {

enum class mistake {
  none,          ///< As it should be: the checks must accept it.
  none_chunked,  ///< The same for the kernel that walks through the taps in chunks.
  // Wrong in its results, on every device:
  not_flipped,       ///< Walks through tile and filter in the same direction: correlates.
  halo_left_out,     ///< Stages only the samples that the block's own threads own; the halo is zero.
  ghosts_not_zero,   ///< Where there is no sample, stages the first or the last one.
  begins_at_zero,    ///< Computes where the tile begins without `first`: right for full only.
  chunks_not_moved,  ///< Every chunk of taps meets the samples of the first one.
  end_not_checked,   ///< Also stages what lies past the last sample.
  no_guard,          ///< The spare threads of the last block write past the end of y.
  // Wrong in a way that a result may or may not show:
  no_barrier,             ///< Reads the tile while others still write it.
  no_second_barrier,      ///< Stages the next chunk while others still read this one.
  return_before_barrier,  ///< Threads without an output return before the barrier, and stage no samples.
  halo_one_short,         ///< No thread writes the last element of the tile.
  ghosts_not_written  ///< Stages nothing where there is no sample: what was in shared memory before is read.
};

/// In the first tile.
enum class tile_mistake {
  none,         ///< As it should be.
  no_barrier,   ///< Reads the tile while others still write it.
  guard_first,  ///< Threads without an output return before the barrier, and stage no samples.
  one_round     ///< Each thread stages one element, and the last four have no thread.
};

/// The kernel of smooth_tile.cu with that mistake: 5 taps, 'same'.
void smooth_tile(tile_mistake made, device_span<const float> x, device_span<const float> h,
                 device_span<float> y);

/// The general kernel with that mistake. T is std::int32_t or float.
template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode);

/// Those that the chapter's program shows.
std::vector<shown_mistake> shown_mistakes();

/// Runs that kernel once, on arrays that end where the signal ends, and returns how many of its outputs are
/// wrong: on the emulated device a finding ends the program before that.
std::size_t wrong_outputs(mistake made);
std::size_t wrong_outputs(tile_mistake made);

}  // namespace tutorial::broken
