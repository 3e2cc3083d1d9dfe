// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: every rank sends, and none has begun to receive.
#include "15_many_gpus/nccl/check_nccl.hpp"
#include "deadlock.hpp"

namespace tutorial {

void pass_on(const float* mine, float* theirs, std::size_t count, int rank, int ranks, ncclComm_t comm,
             cudaStream_t stream) {
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  // TODO: let both happen at the same time (about 2 lines)
  check(ncclSend(mine, count, ncclFloat, next, comm, stream));
  check(ncclRecv(theirs, count, ncclFloat, before, comm, stream));
}

}  // namespace tutorial
