// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <nccl.h>

#include <cstddef>

namespace tutorial {

/// Rank `rank` of `ranks` sends the `count` floats at `mine` to the next rank, and receives as many at
/// `theirs` from the one before; behind the last rank comes the first. All ranks call it, each in a thread of
/// its own. Gives both to the stream, and does not wait.
void pass_on(const float* mine, float* theirs, std::size_t count, int rank, int ranks, ncclComm_t comm,
             cudaStream_t stream);

}  // namespace tutorial
