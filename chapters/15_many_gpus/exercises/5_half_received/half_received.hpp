// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <nccl.h>

#include <cstddef>

namespace tutorial {

/// Rank `rank` of `ranks` owns the `size` floats from samples[0] on; rank r + 1 owns those of the signal
/// that come behind those of rank r. Before samples[0] it has room for a halo of `left` samples, and behind
/// its own for one of `right`; both are at most `size`. Gets the halos from its neighbors, and gives its
/// neighbors theirs. The first rank has no neighbor on the left, the last one none on the right. All ranks
/// call it, each in a thread of its own. Gives all to the stream, and does not wait.
void get_halos(float* samples, std::size_t size, std::size_t left, std::size_t right, int rank, int ranks,
               ncclComm_t comm, cudaStream_t stream);

}  // namespace tutorial
