// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a part that cannot go on does for the others.
#include "flags.cuh"
#include "release_others.hpp"

namespace tutorial {
namespace {

/// More than any kernel waits for, and less than what would overflow when more is added.
constexpr flag_counter without_end = flag_counter{1} << 62;

/// Raises every flag beyond what anyone waits for; thread i those of message i.
__global__ void release_others_kernel(const __grid_constant__ flag_messages flags) {
  const int i = int(threadIdx.x);
  if (i < flags.gets) raise_flag(flags.get[i].taken, without_end);
  if (i < flags.gives) raise_flag(flags.give[i].arrived, without_end);
}

}  // namespace

void release_others(const flag_messages& flags, cudaStream_t in) {
  release_others_kernel<<<1, most_flag_parts, 0, in>>>(flags);
  check(cudaGetLastError());
  check(cudaStreamSynchronize(in));
}

}  // namespace tutorial
