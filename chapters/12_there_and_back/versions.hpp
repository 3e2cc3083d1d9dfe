// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include "common/program/pictures.hpp"

namespace tutorial::versions {

inline constexpr version_name copy_kernel_copy{
    "12", "copy_kernel_copy", "copy to the device, kernel, copy to the host, without overlap"};
inline constexpr version_name stream_per_chunk{"12", "stream_per_chunk",
                                               "chunks, each in a stream of its own"};
inline constexpr version_name stream_per_stage{"12", "stream_per_stage",
                                               "chunks, a stream per stage around a ring of three buffers"};
inline constexpr version_name zero_copy{"12", "zero_copy", "no copies: kernels use the host's memory"};
inline constexpr version_name host_threads{"12", "host_threads",
                                           "pageable memory, copied by threads of the host"};

inline constexpr version_name all_journeys[] = {copy_kernel_copy, stream_per_chunk, stream_per_stage,
                                                zero_copy, host_threads};

// A new filter in every call, the signal on the device.
inline constexpr version_name filter_from_scratch{
    "12", "filter_from_scratch", "a new filter in every call: plans and memory made in the call"};
inline constexpr version_name filter_copied{"12", "filter_copied",
                                            "a new filter in every call: plans and memory kept, taps copied"};
inline constexpr version_name filter_parameter{
    "12", "filter_parameter", "a new filter in every call: the taps are a kernel's parameter"};
inline constexpr version_name filter_beside{
    "12", "filter_beside", "a new filter in every call: its spectrum is made in a second stream"};
inline constexpr version_name filter_graph{"12", "filter_graph",
                                           "a new filter in every call: the whole call is one graph"};

inline constexpr version_name all_new_filters[] = {filter_from_scratch, filter_copied, filter_parameter,
                                                   filter_beside, filter_graph};

}  // namespace tutorial::versions
