// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace tutorial {

// [given]
enum class operation {
  none,          ///< No instruction: a heading, an empty line, an encoding alone.
  multiply_add,  ///< FFMA (float) and DFMA (double). Indices are computed by others, such as IMAD.
  lane_load,     ///< A load for each lane: LDG (global memory), LDS (shared), LDC (constant).
  uniform_load,  ///< ULDC: one load of constant memory for the whole warp.
  barrier,       ///< BAR
  other          ///< Any other instruction.
};

struct operation_counts {
  int instructions = 0, multiply_adds = 0, lane_loads = 0, uniform_loads = 0, barriers = 0;
};
// [given]

/// What a line of `cuobjdump -sass` does. A line with an instruction is, for example,
///     /*0290*/         @!P0 LDG.E.64.CONSTANT R20, desc[UR10][R6.64] ;    /* 0x0000000a06148981 */
/// Its first word is its address. A word with @ may follow, the condition under which it is executed. The
/// next word names the operation; what is behind the first point of it says how (type, width, cache).
operation operation_of(std::string_view line);

/// How many of each a listing has: lines with \n between them.
operation_counts count_operations(std::string_view listing);

/// Loads for each lane per multiply-add; 0 where there is no multiply-add.
double lane_loads_per_multiply_add(const operation_counts& counts);

}  // namespace tutorial
