// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How many loads from global memory a block asks for, computed and not counted. The checks hold both against
// each other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/device/ceil_div.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// Where a version keeps what it reads more than once.
enum class access_kind {
  plain,     ///< Nowhere: for each product a tap and a sample are loaded (chapter 02).
  constant,  ///< The taps in constant memory: for each product a sample is loaded (chapter 04).
  tile,   ///< The samples in shared memory, each loaded once per block; all taps are loaded for each output.
  shared  ///< The samples in shared memory, the taps in constant memory: a block loads each sample once.
};

/// A convolution, and how its outputs are split: `tile` outputs per block. All numbers at least 1.
struct blocked_convolution {
  std::size_t samples, taps;
  convolution_mode mode;
  std::size_t tile;

  /// How many outputs the mode has.
  std::size_t outputs() const { return output_length(samples, taps, mode); }
  /// How many blocks it takes for all of them.
  std::size_t blocks() const { return ceil_div(outputs(), tile); }
};

/// The loads of block `block`, counted from 0: any lengths, any mode, first, last or only block, full or not.
///
/// Products: output n of full meets as many taps as there are pairs (k, m) with k + m = n, 0 <= k < K,
/// 0 <= m < N. So the outputs before n meet S(n) - S(n - K) - S(n - N) + S(n - K - N) of them, where S(t) = t
/// (t + 1) / 2 for t > 0 and 0 otherwise, and a block meets the difference between its end and its begin.
/// Samples: the block of outputs [b, e) of full stages x[b - K + 1], ..., x[e - 1], less those that do not
/// exist.
std::uint64_t block_loads(access_kind kind, const blocked_convolution& what, std::size_t block);

/// The loads of all blocks.
std::uint64_t all_loads(access_kind kind, const blocked_convolution& what);

/// Where a block lies in the signal.
enum class block_position { first, interior, last, only };

/// The same for the case that is usually looked at, as short formulas: 'same' with K = 2 r + 1 taps, where
/// `active` threads of the block own an output, and no end of the signal is nearer than r samples to a block
/// that does not contain it:
///
///               plain                        constant                           shared (tile: active K more)
///   interior    2 active K                   active K                           active + 2 r
///   first       2 active K - r (r + 1)       active K - r (r + 1) / 2           active + r
///   last        as the first one, with its own number of active threads
///   only        2 active K - 2 r (r + 1)     active K - r (r + 1)               active
///
/// So first and last need active >= r, and the only one active >= 2 r. A first or an interior block is full,
/// active is blockDim.x. A last one rarely is.
std::uint64_t same_block_loads(access_kind kind, block_position position, std::uint64_t active,
                               std::uint64_t radius);

}  // namespace tutorial
