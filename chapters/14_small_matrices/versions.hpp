// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include "common/program/pictures.hpp"

namespace tutorial::versions {

inline constexpr version_name round_trip_wmma{"14", "round_trip_wmma",
                                              "tensor cores, all elements through shared memory"};
inline constexpr version_name round_trip_mma{"14", "round_trip_mma",
                                             "tensor cores, all elements in registers"};
inline constexpr version_name round_trip_staged{"14", "round_trip_staged",
                                                "the same, whole rows staged two tiles ahead"};

inline constexpr version_name all_products[] = {round_trip_wmma, round_trip_mma, round_trip_staged};

}  // namespace tutorial::versions
