// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include "common/program/pictures.hpp"

namespace tutorial::versions {

inline constexpr version_name code_serial{"10", "code_serial",
                                          "on the host: the levels alone to bits, one core"};
inline constexpr version_name encode_stepwise{"10", "encode_stepwise", "a kernel for each step"};
inline constexpr version_name encode_fused_tiles{"10", "encode_fused_tiles",
                                                 "one kernel: tiles look back at those before them"};
inline constexpr version_name encode_split_tiles{"10", "encode_split_tiles",
                                                 "two kernels: tiles, then their bits joined"};
inline constexpr version_name copied_to_host{
    "10", "copied_to_host", "the file to the host by copies: its length first, then its bytes"};
inline constexpr version_name written_to_host{"10", "written_to_host",
                                              "by a kernel that writes to memory of the host"};
inline constexpr version_name uploaded_whole{"10", "uploaded_whole",
                                             "from the host: all pixels, then the encoder"};
inline constexpr version_name uploaded_in_strips{"10", "uploaded_in_strips",
                                                 "tiles are coded while the rows below are on their way"};
inline constexpr version_name guessing_readers{"10", "guessing_readers",
                                               "back to pixels: readers guess, until nothing changes"};
inline constexpr version_name readers_in_chunks{"10", "readers_in_chunks",
                                                "the same, but they meet in shared memory"};
inline constexpr version_name striding_readers{"10", "striding_readers",
                                               "the same, several words of a code at once"};
inline constexpr version_name interval_readers{
    "10", "interval_readers", "only where markers are near each other: a thread an interval"};

inline constexpr version_name all_bits[] = {code_serial,        encode_stepwise,    encode_fused_tiles,
                                            encode_split_tiles, copied_to_host,     written_to_host,
                                            uploaded_whole,     uploaded_in_strips, guessing_readers,
                                            readers_in_chunks,  striding_readers,   interval_readers};

}  // namespace tutorial::versions
