// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include "common/program/pictures.hpp"

namespace tutorial::versions {

inline constexpr version_name serial{"09", "serial", "the codec on the host, in double"};
inline constexpr version_name codec_per_coefficient{"09", "per_coefficient",
                                                    "a kernel for each step, 64 threads for an 8x8 block"};
inline constexpr version_name stepwise{"09", "stepwise", "a kernel for each step"};
inline constexpr version_name stepwise_vectors{"09", "stepwise_vectors",
                                               "the same, with 32 values a thread beside the DCT"};
inline constexpr version_name fused_twice{"09", "fused_twice",
                                          "there and back by two kernels, levels in global memory"};
inline constexpr version_name loads_and_stores{
    "09", "move_blocks", "the loads and stores of the round trip, and nothing between them"};
inline constexpr version_name fused{"09", "fused", "one kernel, a thread for an 8x8 block"};
inline constexpr version_name colors{"09", "colors", "R, G, B to Y, Cb, Cr and back, 8 pixels a thread"};

inline constexpr version_name all_codecs[] = {serial,      codec_per_coefficient, stepwise, stepwise_vectors,
                                              fused_twice, loads_and_stores,      fused,    colors};

}  // namespace tutorial::versions
