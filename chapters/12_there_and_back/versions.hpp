// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// This chapter's versions.
#pragma once

#include "common/program/pictures.hpp"

namespace tutorial::versions {

inline constexpr version_name copy_kernel_copy{"12", "copy_kernel_copy",
                                               "copy up, kernel, copy down, one after the other"};
inline constexpr version_name stream_per_chunk{"12", "stream_per_chunk",
                                               "chunks, each in a stream of its own"};
inline constexpr version_name stream_per_stage{
    "12", "stream_per_stage", "chunks, a stream for each stage around a ring of three buffers"};
inline constexpr version_name zero_copy{"12", "zero_copy", "no copies: kernels use the host's memory"};
inline constexpr version_name host_threads{"12", "host_threads",
                                           "pageable memory, copied by threads of the host"};

inline constexpr version_name all_journeys[] = {copy_kernel_copy, stream_per_chunk, stream_per_stage,
                                                zero_copy, host_threads};

}  // namespace tutorial::versions
